import { describe, expect, it } from "vitest";

import { unsafeStatements } from "../../../src/ledger/ground/forward-safety.ts";
import { migrationFiles } from "../../../src/ledger/ground/migrate.ts";

const whyOf = (...statements: string[]) => unsafeStatements(statements).map(({ why }) => why);

describe("what may be done beside processes of the build before", () => {
  it.each([
    "create table letters (id bigint primary key); create index letters_id on letters (id)",
    "create table letters (id bigint); alter table letters add constraint one unique (id); insert into letters values (1); update letters set id = 2",
    "alter table contacts add column letters_sent integer not null default 0",
    "alter table contacts add column letter text",
    "alter table contacts add column serial text",
    "alter table contacts add column letter text, add column second text default 'a, b'",
    "alter table contacts add column letter text not null default 'none'::text",
    "ALTER TABLE ONLY contacts\n  ADD COLUMN letter numeric(10, 2)",
    "comment on column contacts.phone is 'drop table contacts; delete from contacts'",
    "create function letters_of(id bigint) returns int language sql as $$ update contacts set phone = '' returning 1; $$",
    "-- drop table contacts;\ngrant select on contacts to reporting",
    "/* update contacts set phone = '' */",
  ])("is done: %s", (statement) => {
    expect(whyOf(statement)).toEqual([]);
  });

  it.each([
    ["drop table contacts", "not among"],
    ["truncate contacts", "not among"],
    ["alter table contacts drop column phone", "rely on"],
    ["alter table contacts rename column phone to number", "rely on"],
    ["alter table contacts rename to people", "rely on"],
    ["alter table contacts alter column phone type varchar(20)", "rely on"],
    ["alter table contacts alter column phone set not null", "rely on"],
    ["alter table contacts add column a text, drop column phone", "rely on"],
    ["alter table contacts add constraint known check (phone <> '') not valid", "rely on"],
    ["alter table contacts add column letter text not null", "no default"],
    ["alter table contacts add column at timestamptz not null default now()", "whole table anew"],
    ["alter table contacts add column at uuid default gen_random_uuid()", "whole table anew"],
    ["alter table contacts add column n bigserial", "whole table anew"],
    ["alter table contacts add column if not exists n serial4", "whole table anew"],
    ['alter table contacts add column a text, add column "n" smallserial', "whole table anew"],
    ["alter table contacts add column letter bigint references letters", "looked up"],
    ["alter table contacts add column letter text unique", "looked up"],
    ["create index contacts_letter on contacts (phone)", "nobody can write"],
    ["create unique index on contacts (phone)", "nobody can write"],
    ["update contacts set phone = ''", "changes rows"],
    ["delete from contacts", "changes rows"],
    [
      "create trigger t before insert on contacts for each row execute function f()",
      "statements of the build before",
    ],
    ["create or replace function f() returns int language sql as $$ select 1 $$", "not among"],
    ["do $$ begin drop table contacts; end $$", "not among"],
    ["create table letters (id bigint); create index on contacts (phone)", "nobody can write"],
  ])("is not done: %s", (statement, why) => {
    expect(whyOf(statement)).toEqual([expect.stringContaining(why)]);
  });

  it("is held by every migration after the baseline, or that one says which builds must not go on", () => {
    const [baseline, ...later] = migrationFiles();
    expect(baseline?.statements.join("\n")).toContain(
      `insert into ledger_schema (oldest_build) values (${baseline?.writtenMs})`,
    );
    for (const { name, writtenMs, statements } of later) {
      const unsafe = unsafeStatements(statements).filter(
        ({ statement }) => !statement.startsWith("update ledger_schema "),
      );
      const said = statements.some((text) =>
        text.includes(`update ledger_schema set oldest_build = ${writtenMs}`),
      );
      expect(said, `${name}: ${unsafe.map(({ statement }) => statement).join("; ")}`).toBe(unsafe.length > 0);
    }
  });
});
