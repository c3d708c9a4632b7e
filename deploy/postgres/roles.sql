-- Two users for a ledger: one that owns its tables, for `outdial migrate`, and one for workers and servers, which reads
-- and writes rows and can change no table.
--
-- Run as a superuser, in the ledger's database; again at any time:
--
--   psql -d outdial -v ON_ERROR_STOP=1 -f roles.sql
--   psql -d outdial -c '\password outdial_owner' -c '\password outdial_app'
--
-- A ledger that is there already keeps its owner: name that user, and the other one if you like.
--
--   PGOPTIONS='-c outdial.owner=outdial -c outdial.app=outdial_app' psql -d outdial -f roles.sql

do $$
declare
  owner_name text := coalesce(nullif(current_setting('outdial.owner', true), ''), 'outdial_owner');
  app_name text := coalesce(nullif(current_setting('outdial.app', true), ''), 'outdial_app');
  role_name text;
begin
  if owner_name = app_name then
    raise exception 'outdial.owner and outdial.app are both %: the user who works may not be the one who owns the tables', app_name;
  end if;
  foreach role_name in array array[owner_name, app_name] loop
    if not exists (select 1 from pg_roles where rolname = role_name) then
      execute format('create role %I login nosuperuser nocreatedb nocreaterole', role_name);
    end if;
  end loop;
  if exists (select 1 from pg_roles where rolname = app_name and rolsuper) then
    raise exception '% is a superuser, whom no rights bound: name another user as outdial.app', app_name;
  end if;

  -- Nobody but the owner makes anything here.
  execute format('revoke create, temporary on database %I from public', current_database());
  execute format('revoke create on database %I from %I', current_database(), app_name);
  execute format('revoke create on schema public from public, %I', app_name);
  execute format('grant connect, create on database %I to %I', current_database(), owner_name);
  execute format('grant usage, create on schema public to %I', owner_name);
  execute format('create schema if not exists drizzle authorization %I', owner_name);

  -- Rows, of the tables that are there and of those that a migration will make.
  execute format('grant connect on database %I to %I', current_database(), app_name);
  execute format('grant usage on schema public, drizzle to %I', app_name);
  execute format('grant select, insert, update, delete on all tables in schema public to %I', app_name);
  execute format('grant usage, select on all sequences in schema public to %I', app_name);
  execute format('alter default privileges for role %I in schema public grant select, insert, update, delete on tables to %I', owner_name, app_name);
  execute format('alter default privileges for role %I in schema public grant usage, select on sequences to %I', owner_name, app_name);

  -- Which migrations there were, to read.
  execute format('grant select on all tables in schema drizzle to %I', app_name);
  execute format('alter default privileges for role %I in schema drizzle grant select on tables to %I', owner_name, app_name);
end $$;
