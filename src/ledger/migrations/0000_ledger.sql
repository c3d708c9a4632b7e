-- The ledger, whole: the baseline of 0.1.0, and the one source of its schema. Words and the invariants I1 to I7 are
-- those of docs/architecture.md.
--
-- What is said here beyond names and types: what a column means where its name does not tell, and which rule is held by
-- the database itself, whatever code writes. A constraint or an index without a remark keeps rows together (foreign
-- keys) or makes a query cheap. Moments are kept to the millisecond; ids and counts are far below 2^53.
--
-- Lock order, so that nothing deadlocks: the campaign's row first, then the account's lines (an advisory lock), then
-- attempts sorted by number, then the rest. Whatever changes a campaign's contacts, attempts or batches holds that
-- campaign's row lock, which is also what makes its tallies exact.
--
-- Every statement ends with a breakpoint, as the migrator reads it: one is sent at a time.

-- The installation, and what is called under which policy.

-- What this ledger is, and the two switches above all campaigns: the stop of everything, and recovery (I2, I1).
-- installation_is_one_row: there is one answer to whether dialing is held.
create table installation (
  one boolean primary key default true,
  installation_id uuid not null default gen_random_uuid(),
  created_at timestamptz(3) not null default now(),
  -- Set by `stop-all`: nothing dials anywhere until it is lifted with a reason.
  stopped_at timestamptz(3),
  stopped_reason text,
  -- Set where the ledger may be older than what really happened: nothing dials until `recover`.
  recovery_reason text,
  -- Whether its calls are simulated: set by the platform that it was first used with, for good.
  simulated boolean,
  -- When `stop-all` was lifted last.
  went_on_at timestamptz(3),
  -- The last `recover`: workflows that ended before it say nothing about this ledger.
  recovered_at timestamptz(3),
  -- Credits of the platform's account as they were told last, in millionths of a US dollar; null: never.
  balance_micros bigint,
  balance_at timestamptz(3),
  -- Since when it is without credit, and how that became known; null: it is not. What it had when it refused, once that
  -- was read: more than that lets campaigns go on.
  no_credit_at timestamptz(3),
  no_credit_reason text,
  no_credit_micros bigint,
  -- How often in a row calls were tried again though nothing said that there is more, and when the last time: each waits
  -- for twice as long as the one before.
  no_credit_tries smallint not null default 0,
  no_credit_tried_at timestamptz(3),
  -- Entries of its ledger that were read, as it counts them.
  charges_read bigint,
  -- Of events that are written now. Raised by a recovery, and where the database counts its transactions anew
  -- (ground/eras.ts): what was numbered before comes before what is numbered since.
  event_era integer not null default 1,
  -- The place of the newest event that was forgotten; null: none was.
  events_gone_era integer,
  events_gone_tx bigint,
  events_gone_id bigint,
  -- What numbers are digested with where they are kept without being readable (ground/person-mark.ts).
  person_key text not null default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''),
  constraint installation_is_one_row check (one)
);
--> statement-breakpoint
-- Legal entities that call. They scope suppressions, names, caps, money and the platform's key.
create table brands (
  id text primary key,
  created_at timestamptz(3) not null default now()
);
--> statement-breakpoint
-- Sets of time zones, and of countries and states, that somebody may be in, each once: lanes and enrolments name them.
create table zone_sets (
  id integer primary key generated always as identity,
  -- The sorted names joined by commas; where there are places, a bar and theirs behind it.
  key text not null,
  zones text[] not null,
  -- Such as US-FL and FR. Empty: nobody asked, or nothing is known beyond the zones.
  places text[] not null default '{}',
  constraint zone_sets_key_unique unique (key)
);
--> statement-breakpoint
-- One run of a campaign, or a standing one. Its row lock is what keeps its tallies exact:
-- accepted = open + leased + done + excluded (I3).
-- campaigns_paused_by: whatever is paused says with whom.
-- campaigns_open_is_paused, campaigns_probe_of_open: a breaker that is open dials nobody, and only such a one probes later.
-- campaigns_canary_waits_paused: who waits for approval dials nobody.
-- campaigns_archived_over: nothing that may dial is out of sight.
-- campaigns_stand_for_one: a standing one is for a call step of a sequence, or for the callbacks of a campaign; any
-- other for neither.
create table campaigns (
  id uuid primary key,
  brand text not null references brands,
  name text not null,
  -- The same name may be run anew; the highest run is the one that the name means.
  run integer not null,
  -- domain/campaigns/campaign-state.ts
  state text not null,
  -- While draining: the state that it ends in.
  ending text,
  -- Why it is paused or was cancelled.
  state_reason text,
  -- Of one that is paused: by itself, or with its campaign or its sequence (parent, sequence), whose resume it goes on
  -- with.
  paused_by text,
  -- The name of the sequence that it is of, while that is paused. It stands on what is over, too: callbacks that begin
  -- in it begin paused.
  paused_sequence text,
  -- domain/campaigns/breaker.ts: closed, open (it paused itself), probing. One that is open probes by itself then, or
  -- waits for a person (null); how often in a row it opened.
  breaker text not null default 'closed',
  probe_at timestamptz(3),
  opened smallint not null default 0,
  -- Why one of its agents can't call (campaigns/agents.ts): it dials nobody until that is over. Null: they can.
  agent_problem text,
  -- A letter for each of its newest calls since the breaker was closed, or of the probe; none without a breaker.
  newest_calls text not null default '',
  -- Its first calls: waiting (it paused itself for somebody to approve of them), approved; null before, or without.
  canary text,
  spec jsonb not null,
  policy_version integer not null,
  concurrency integer not null,
  -- How often it was planned: raised by nothing else. A workflow that saw more of them knows of a restore.
  plannings bigint not null default 0,
  -- The newest follower's token; an older follower stops when it meets it.
  follow_fence bigint not null default 0,
  -- The last planning left due contacts for want of slots.
  starved boolean not null default false,
  -- The policy changed since it put contacts off: its plannings ask about those again (asking-again.ts).
  asks_again boolean not null default false,
  -- The newest blackout that its batches were bound by after they had begun (blacking-out.ts).
  blackout_bound bigint not null default 0,
  -- People were told that it does not get on.
  stalled boolean not null default false,
  -- What money it waited for when it wanted to lease last, and people were told of: budget, credit; null: none.
  short_of text,
  -- When planning looks again by itself.
  next_look_at timestamptz(3),
  -- Lines of the account that it could use beside those that it holds, as of its last planning.
  waiting integer not null default 0,
  -- How many of the account's lines it may count on; absent: as many as its concurrency.
  share integer,
  -- When it leased last, where an account's lines are shared.
  served_at timestamptz(3),
  -- Since when it knows of idle lines without having planned.
  offered_at timestamptz(3),
  -- Tallies, exact under the row lock: accepted = open + leased + done + excluded (I3).
  open_count integer not null default 0,
  leased_count integer not null default 0,
  done_count integer not null default 0,
  excluded_count integer not null default 0,
  attempt_count integer not null default 0,
  -- Final dispositions of done contacts.
  dispositions jsonb not null default '{}',
  -- Sum and count behind the mean time that an attempt holds a slot.
  hold_ms_sum float8 not null default 0,
  hold_count integer not null default 0,
  -- Lines that came free while somebody waited for one, and were not leased since: how many, and the sum of the moments
  -- at which their calls ended (Unix milliseconds). For metrics alone.
  freed_count integer not null default 0,
  freed_ms_sum float8 not null default 0,
  -- Of its calls: those in which somebody was, or may have been, spoken with; of these, those whose analysis says
  -- whether they were transferred, where it asks for that; and those that it says were.
  conversation_count integer not null default 0,
  transfer_known_count integer not null default 0,
  transfer_count integer not null default 0,
  -- Standing: calls are placed into it one by one, it has no list, and it does not end by itself.
  standing boolean not null default false,
  -- Of the calls of a step: its sequence, the step, and the digest of its call settings: versions with the same share
  -- one.
  sequence_id uuid,
  step text,
  digest text,
  -- Of the callbacks of a campaign: that campaign, whose commands it obeys.
  parent_id uuid,
  created_at timestamptz(3) not null,
  started_at timestamptz(3),
  -- When it was started, or resumed last: its lines grow from then on.
  running_since timestamptz(3),
  ended_at timestamptz(3),
  -- Of one that is over: since when lists of campaigns pass over it. Nothing else does.
  archived_at timestamptz(3),
  -- By when it is looked at, at the latest; null: it is over, or waits for a person alone (ground/look-by.ts). How often
  -- it was told since, in vain.
  look_by timestamptz(3),
  unmoved smallint not null default 0,
  -- The trace that created it: what it is planned and dialed in is linked to that.
  trace_parent text,
  constraint campaigns_paused_by check ((state = 'paused') = (paused_by is not null)),
  constraint campaigns_open_is_paused check (breaker = 'closed' or (breaker = 'open') = (state = 'paused')),
  constraint campaigns_probe_of_open check (probe_at is null or breaker = 'open'),
  constraint campaigns_canary_waits_paused check (canary is distinct from 'waiting' or state = 'paused'),
  constraint campaigns_archived_over check (archived_at is null or ended_at is not null),
  constraint campaigns_stand_for_one check (num_nonnulls(sequence_id, parent_id) = standing::int
    and num_nonnulls(step, digest) = 2 * num_nonnulls(sequence_id))
);
--> statement-breakpoint
-- What is overdue, first.
create index campaigns_look_by on campaigns (look_by) where look_by is not null;
--> statement-breakpoint
-- A run of a name is there once. Standing campaigns have no name of their own.
create unique index campaigns_brand_name_run on campaigns (brand, name, run) where not standing;
--> statement-breakpoint
-- One standing campaign for a call step, or for a campaign's callbacks (I5). One that has completed makes room for
-- another; one that was cancelled does not.
create unique index campaigns_of_step on campaigns (sequence_id, step, digest)
  where sequence_id is not null and state <> 'completed';
--> statement-breakpoint
create unique index campaigns_of_callbacks on campaigns (parent_id)
  where parent_id is not null and state <> 'completed';
--> statement-breakpoint
create index campaigns_of_sequence on campaigns (sequence_id) where sequence_id is not null;
--> statement-breakpoint
create index campaigns_listed on campaigns (created_at, id);
--> statement-breakpoint
create index campaigns_parent on campaigns (parent_id) where parent_id is not null;
--> statement-breakpoint
create index campaigns_not_ended on campaigns (state) where ended_at is null;
--> statement-breakpoint
-- Every policy that a campaign ever had; what was decided names its version (I7). None is written over.
create table policy_versions (
  campaign_id uuid not null references campaigns,
  version integer not null,
  spec jsonb not null,
  actor text not null,
  created_at timestamptz(3) not null,
  primary key (campaign_id, version)
);
--> statement-breakpoint
-- Agents that campaigns call with, as the platform showed them last.
create table agents (
  id text primary key,
  name text not null,
  -- domain/campaigns/agent-sighting.ts: published, draft, gone.
  state text not null,
  -- The one that is live; null: none is, or the platform does not say.
  version integer,
  -- When and by whom it became so, in words, as far as the platform says.
  origin text,
  -- What it is not set up to say, a sentence each.
  missing jsonb not null,
  seen_at timestamptz(3) not null,
  -- When state or version was seen to be another last, and when it was still as before: it changed in between.
  changed_at timestamptz(3),
  unchanged_at timestamptz(3)
);
--> statement-breakpoint
-- The same, as each campaign has taken it in: what its attempts are planned with, and what it was told of.
create table campaign_agents (
  campaign_id uuid not null references campaigns,
  agent_id text not null references agents,
  state text not null,
  version integer,
  -- What it was before it changed under way last, and when that was seen; null: it has not changed since the beginning.
  was_version integer,
  changed_at timestamptz(3),
  primary key (campaign_id, agent_id)
);
--> statement-breakpoint
-- Contacts of a campaign that share zones and priority. Planning probes each open lane by index, retries and first
-- calls apart.
create table lanes (
  id integer primary key generated always as identity,
  campaign_id uuid not null references campaigns,
  zone_set_id integer not null references zone_sets,
  priority smallint not null,
  constraint lanes_campaign_zones_priority unique (campaign_id, zone_set_id, priority)
);
--> statement-breakpoint
-- Sequences, in all their versions.

-- Sequences by name.
create table sequences (
  id uuid primary key,
  brand text not null references brands,
  name text not null,
  -- active, paused (nobody moves on), closed (takes nobody any more; those in it go on).
  state text not null,
  state_reason text,
  -- Of one that is paused: what it was before, and is again when it goes on.
  resumes_to text,
  -- The version that new enrolments get.
  version integer not null,
  created_at timestamptz(3) not null,
  constraint sequences_brand_name unique (brand, name),
  constraint sequences_resume_to check ((state = 'paused') = (resumes_to is not null))
);
--> statement-breakpoint
-- Every definition that a sequence ever had. An enrolment stays on the one that it began with.
create table sequence_versions (
  sequence_id uuid not null references sequences,
  version integer not null,
  definition jsonb not null,
  -- SHA-256 of the definition in canonical form: the same again is no new version.
  digest text not null,
  actor text not null,
  created_at timestamptz(3) not null,
  primary key (sequence_id, version)
);
--> statement-breakpoint
-- Lists of people, and whom they made contacts.

-- Lists that were read, and how far: going on begins after through_line.
-- imports_campaign_digest, imports_sequence_digest: the same list again is the same import (I5).
-- imports_of_one: a list is of a campaign or of a sequence.
create table imports (
  id bigint primary key generated always as identity,
  -- What the list is of: a campaign or a sequence.
  campaign_id uuid references campaigns,
  sequence_id uuid references sequences,
  -- SHA-256 of the file, hexadecimal: what makes it the same list.
  digest text not null,
  source_name text not null,
  -- How its columns were read; going on with other settings would be another import.
  settings jsonb not null,
  -- Lines up to and with this one are in the ledger.
  through_line integer not null default 0,
  rows_read integer not null default 0,
  rows_rejected integer not null default 0,
  rows_duplicate integer not null default 0,
  rows_accepted integer not null default 0,
  -- Of those accepted or refused so far: who can never be dialed under the window at that time, and why.
  never_dialed jsonb not null default '[]',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  completed_at timestamptz(3),
  constraint imports_campaign_digest unique (campaign_id, digest),
  constraint imports_sequence_digest unique (sequence_id, digest),
  constraint imports_of_one check (num_nonnulls(campaign_id, sequence_id) = 1)
);
--> statement-breakpoint
-- Of a campaign whose people come from another one: whom it takes, and how far. Its list (imports) is complete once
-- last_id is through_id.
create table clones (
  campaign_id uuid primary key references campaigns,
  source_id uuid not null references campaigns,
  import_id bigint not null references imports,
  -- domain/campaigns/cloned-people.ts
  whom jsonb not null,
  -- Contacts of the source up to and with this one were looked at.
  last_id bigint not null,
  -- The last one that it had when the clone was begun; who is added to it later is not taken.
  through_id bigint not null,
  -- How many were left out, by why.
  left_out jsonb not null default '{}',
  -- How many were taken whom the source, which is not over, still has to call.
  still_open integer not null default 0
);
--> statement-breakpoint
-- Rows that made no contact, each with its reason: rejected, or the same number again (I3, I7).
create table import_rejects (
  import_id bigint not null references imports,
  line integer not null,
  code text not null,
  reason text not null,
  raw text not null,
  -- The digits of the number that stands in it; null: nothing in it is as long as one. Whoever asks about a number
  -- finds the rows of it that made no contact.
  digits text,
  primary key (import_id, line)
);
--> statement-breakpoint
create index import_rejects_digits on import_rejects (digits) where digits is not null;
--> statement-breakpoint
-- Of which rows the text goes next by its age.
create index import_rejects_said on import_rejects (import_id, line) where raw <> '';
--> statement-breakpoint
-- One person's number inside one campaign, or a single call that was placed into a standing one.
-- Each ends as done or excluded, with an outcome or a reason (I3).
-- contacts_placed_for: a call that was placed is one call of an enrolment, or was asked for by an action; whoever was on
-- a list is neither. The key says the same to nobody: these columns are what is read.
-- contacts_sealed_with_one_key: whoever looks for what a key has sealed finds all of it.
-- contacts_held_placements: only a call that was placed is held, and only until it is over; nobody plans for it (I2).
create table contacts (
  id bigint primary key generated always as identity,
  campaign_id uuid not null references campaigns,
  import_id bigint references imports,
  line integer,
  phone text not null,
  region text,
  lane_id integer not null references lanes,
  variables jsonb not null,
  -- Variables that the campaign calls sensitive, each sealed for itself (ground/data-keys.ts), and the id of the key
  -- that all of them are sealed with; null: none is.
  sealed jsonb,
  sealed_with text,
  -- When its variables went by their age (domain/ground/retention.ts): no callback is placed to it and no clone takes it,
  -- since their calls would lack what the agent is to know. Null: they did not.
  cleared_at timestamptz(3),
  -- domain/campaigns/contact-state.ts: open, leased, done, excluded.
  state text not null,
  due_at timestamptz(3) not null,
  -- Of a placement that is not over: nobody plans for it, whenever it is due, until it is released. One that is being
  -- dialed keeps what follows that from being planned.
  held boolean not null default false,
  -- Leases of the present attempt that were proven not to have been dialed: spaces the next ones out.
  returns smallint not null default 0,
  -- Those of them in a row for which the platform said that it refused the call: after some, one more counts as dialed.
  refusals smallint not null default 0,
  -- Attempts that count as dialed.
  attempts smallint not null default 0,
  last_disposition text,
  -- Of a done contact.
  outcome text,
  -- Why it is done or excluded. Of one that is leased: why it was taken back, which no other attempt follows.
  reason text,
  ended_at timestamptz(3),
  -- A call that was placed by itself: what it is to whoever placed it. Placing it again changes nothing.
  placement text,
  -- For whom: the call of an enrolment, which is told of its end.
  enrolment_id uuid,
  call_no integer,
  -- Or the action that asked for it, and when.
  action_id uuid,
  asked_at timestamptz(3),
  -- Of a call that was placed: the trace that placed it.
  trace_parent text,
  constraint contacts_sealed_with_one_key check (num_nonnulls(sealed, sealed_with) in (0, 2)),
  constraint contacts_held_placements check (not held or (placement is not null and state in ('open', 'leased'))),
  constraint contacts_placed_for check (num_nonnulls(enrolment_id, action_id) = num_nonnulls(placement)
    and num_nonnulls(enrolment_id) = num_nonnulls(call_no) and num_nonnulls(action_id) = num_nonnulls(asked_at))
);
--> statement-breakpoint
-- A number is in a campaign once (I5); calls that were placed may name it again.
create unique index contacts_campaign_phone on contacts (campaign_id, phone) where placement is null;
--> statement-breakpoint
-- The same placement is the same call, whoever asks for it again (I1, I5).
create unique index contacts_placement on contacts (placement) where placement is not null;
--> statement-breakpoint
-- The planner's probe: the earliest due of a lane, retries and first calls apart, the held behind all others.
create index contacts_due on contacts (lane_id, (attempts = 0), held, due_at, id) where state = 'open';
--> statement-breakpoint
create index contacts_phone on contacts (phone);
--> statement-breakpoint
-- Whose variables go next by their age; and, once those went, whose number does.
create index contacts_to_clear on contacts (campaign_id, ended_at, id) where ended_at is not null and cleared_at is null;
--> statement-breakpoint
create index contacts_to_strip on contacts (campaign_id, ended_at, id) where cleared_at is not null and phone like '+%';
--> statement-breakpoint
-- What each key has sealed: what is sealed anew, and whether a key is still needed.
create index contacts_sealed on contacts (sealed_with, id) where sealed_with is not null;
--> statement-breakpoint
-- Lists of a campaign's contacts, by state and by what they came to, in the order in which they came in.
create index contacts_listed on contacts (campaign_id, state, (coalesce(outcome, reason, '')), id);
--> statement-breakpoint
-- What dials and what must not be dialed.

-- A platform batch call and its way through its states, by compare-and-set.
-- batches_held_within_slots: what is given back was held before, so that no slot is counted twice (I2).
create table batches (
  id uuid primary key,
  campaign_id uuid not null references campaigns,
  -- domain/campaigns/batch-state.ts; changed by compare-and-set only.
  state text not null,
  agent_id text not null,
  -- The variant of the campaign that all of its calls are of.
  variant text,
  from_number text not null,
  policy_version integer not null,
  size smallint not null,
  -- How many of these were proven not to have been dialed, and given back: no calls from its number.
  returned smallint not null default 0,
  -- `max_concurrent_calls` on the platform.
  slots smallint not null,
  -- Slots still held; only ever lowered.
  held smallint not null,
  -- What is held for each of its calls that is not over, what a minute of one is taken to cost, and of which stretch of
  -- the campaign's spending that is.
  call_micros bigint not null default 0,
  minute_micros bigint not null default 0,
  money_stretch timestamptz(3) not null default date_trunc('day', now(), 'UTC'),
  dial_by timestamptz(3),
  -- When the calls ended whose lines it takes, on the mean, where somebody had been waiting for those; else null. For
  -- metrics alone.
  lines_free_since timestamptz(3),
  -- How many creates were sent; each had its own name suffix.
  create_no smallint not null default 0,
  -- The one platform batch that may be started.
  platform_batch_id text,
  planned_at timestamptz(3) not null,
  created_at timestamptz(3),
  -- The start request was permitted and may have been sent.
  start_sent_at timestamptz(3),
  -- How often a start was permitted; never lowered. More than once only where the answer says that nothing happened.
  start_no smallint not null default 0,
  -- What the platform said to the last start where that was a no that may have been a yes, or "no such batch".
  start_refusal text,
  start_seen_at timestamptz(3),
  -- domain/campaigns/batch-state.ts: why it is to take no new dial.
  stop_reason text,
  stop_requested_at timestamptz(3),
  -- The platform was seen to have ended it, before any read that proves something.
  terminal_seen_at timestamptz(3),
  -- Since when the platform says that there is no such batch; forgotten when it shows it again.
  vanished_at timestamptz(3),
  -- The last read after that which counts, and what it and those before it prove (domain/campaigns/evidence.ts).
  first_read_at timestamptz(3),
  first_read jsonb,
  -- What the reads agree was not dialed, written before a batch of doubtful start is deleted.
  proven jsonb,
  -- domain/campaigns/batch-trouble.ts: what the platform does not do for it, and since when. Null: nothing of that
  -- kind.
  trouble text,
  trouble_since timestamptz(3),
  settled_at timestamptz(3),
  -- By when it is looked at, and how often it was told since, in vain.
  look_by timestamptz(3),
  unmoved smallint not null default 0,
  -- The trace that it is part of: that of its only contact, else of the planning that made it.
  trace_parent text,
  constraint batches_held_within_slots check (held >= 0 and held <= slots)
);
--> statement-breakpoint
-- What is overdue, first.
create index batches_look_by on batches (look_by) where look_by is not null;
--> statement-breakpoint
-- What holds slots (I2).
create index batches_unsettled on batches (campaign_id) where state <> 'settled';
--> statement-breakpoint
-- A campaign's batches from the first on: its first calls are what somebody listens to.
create index batches_of_campaign on batches (campaign_id, planned_at, id);
--> statement-breakpoint
create index batches_platform on batches (platform_batch_id);
--> statement-breakpoint
-- Creates whose answer is missing. Few: nearly all are answered.
create index batches_unaccounted on batches (planned_at)
  where create_no > case when platform_batch_id is null then 0 else 1 end;
--> statement-breakpoint
-- What began a moment ago: the rate of calls is counted by it.
create index batches_begun on batches (start_sent_at) where start_sent_at is not null;
--> statement-breakpoint
-- How often a number of ours began calls of late: batches that began, or are to begin, by their number.
create index batches_of_number on batches (from_number, start_sent_at) include (size);
--> statement-breakpoint
-- Money.

-- What a campaign and its callbacks spent on calls that were leased in a stretch of time, and what is held for those that
-- are not over. A stretch is within one day of UTC, and of each zone by whose days a budget bound it at its leases
-- (domain/campaigns/money-day.ts): a row a day, and one more for each such zone. Every lease holds, every end and every attempt that is given back lets go, in its own transaction:
-- held = the sum of call_micros over attempts that are open or provisional.
create table spending (
  -- Of callbacks: the campaign that they are of. It refers to campaigns by no key: whoever books for
  -- callbacks would wait for that campaign's lock under their own.
  campaign_id uuid not null,
  -- When it began.
  stretch timestamptz(3) not null,
  -- The last lease in it, or its beginning: a day counts the stretches that were leased from on it.
  leased_at timestamptz(3) not null,
  brand text not null references brands,
  held_micros bigint not null default 0,
  spent_micros bigint not null default 0,
  -- Of it what the platform told, and not what lengths of calls make likely.
  told_micros bigint not null default 0,
  -- Calls that are over.
  calls integer not null default 0,
  primary key (campaign_id, stretch)
);
--> statement-breakpoint
-- What a budget of a brand has left, and one of all of them: summed up at every lease within one.
create index spending_of_brand on spending (brand, stretch) include (leased_at, held_micros, spent_micros);
--> statement-breakpoint
-- What is under way: few rows, whatever was spent before.
create index spending_held on spending (campaign_id) include (held_micros) where held_micros <> 0;
--> statement-breakpoint
-- What a brand, or all of them together, may spend; a campaign's own is in its spec.
create table budgets (
  id bigint primary key generated always as identity,
  -- Null: all brands together.
  brand text references brands,
  total_micros bigint,
  per_day_micros bigint,
  -- By whose midnight the day ends.
  zone text not null default 'UTC',
  -- The total counts from this day of UTC on, but for what was spent of it by then.
  from_day date not null,
  spent_before_micros bigint not null default 0,
  created_at timestamptz(3) not null,
  removed_at timestamptz(3),
  removed_reason text,
  constraint budgets_say_something check (num_nonnulls(total_micros, per_day_micros) > 0)
);
--> statement-breakpoint
create unique index budgets_once on budgets (brand) nulls not distinct where removed_at is null;
--> statement-breakpoint
-- What the platform says a minute of an agent costs, and what is paid once a call.
create table agent_prices (
  agent_id text primary key,
  -- Null: it could not tell.
  minute_micros bigint,
  per_call_micros bigint,
  read_at timestamptz(3) not null
);
--> statement-breakpoint
-- Entries of the platform's ledger that are about calls, each once, whichever way its pages are read. One whose call the
-- ledger does not know goes after a while.
create table charges (
  entry_id text primary key,
  call_id text not null,
  micros bigint not null,
  seen_at timestamptz(3) not null,
  -- When it was added to its attempt; null: that is to come.
  booked_at timestamptz(3)
);
--> statement-breakpoint
create index charges_unbooked on charges (call_id) where booked_at is null;
--> statement-breakpoint
-- A call costs the sum of all of its entries, those that were booked included.
create index charges_call on charges (call_id);
--> statement-breakpoint
create index charges_seen on charges (seen_at);
--> statement-breakpoint
-- Numbers of ours, as far as campaigns with a policy for them have called from them.
create table caller_ids (
  number text primary key,
  first_used_at timestamptz(3) not null,
  -- A letter for each of its newest calls since it rested last: whether somebody answered (domain/campaigns/caller-ids.ts).
  newest_calls text not null,
  -- Nobody is called from it before.
  rests_until timestamptz(3)
);
--> statement-breakpoint
-- One intended dial of one contact: the unit that is never dialed twice (I1).
create table attempts (
  id bigint primary key generated always as identity,
  campaign_id uuid not null references campaigns,
  contact_id bigint not null references contacts,
  -- From 1. An attempt that was proven not to have been dialed gives its number back.
  attempt_no smallint not null,
  phone text not null,
  batch_id uuid not null references batches,
  policy_version integer not null,
  -- The version of the agent that was published when its batch began, as far as the platform had been asked; null: it
  -- does not say, or was not asked yet.
  agent_version integer,
  -- Another version that was seen published before the call was over, or may have been: the newest such.
  agent_changed_to integer,
  -- open: may be dialed or is being dialed; holds its number against every other attempt.
  -- provisional: the call is over, what it came to still depends on facts that are to come.
  -- ended: has its disposition, for good. returned: proven not to have been dialed; its number is free again.
  state text not null,
  item_id text,
  call_id text,
  item_status text,
  -- There was a sign of its dial, and the database takes nothing of that.
  sign_unkept boolean not null default false,
  error_text text,
  disposition text,
  -- What decided: the item's word, a SIP code, the call, an analysis rule, or a bound.
  disposition_reason text,
  planned_at timestamptz(3) not null,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  duration_seconds float8,
  -- What of its call somebody asks for later, such as a branch of a sequence: named answers of its analysis, bounded.
  kept jsonb,
  -- Of one that is over: what it cost, by what the platform told, or taken from its length until that tells.
  cost_micros bigint,
  cost_told boolean not null default false,
  -- When its call was asked for by itself last, since an outcome waits for its analysis; and since when nothing answers.
  call_asked_at timestamptz(3),
  call_silent_since timestamptz(3),
  settled_at timestamptz(3)
);
--> statement-breakpoint
-- One live attempt for a contact and an attempt number; one that was given back frees its number (I1).
create unique index attempts_contact_no on attempts (contact_id, attempt_no) where state <> 'returned';
--> statement-breakpoint
-- One open attempt for a number, over all campaigns: whoever conflicts is not leased (I1, I2).
create unique index attempts_one_open_per_phone on attempts (phone) where state = 'open';
--> statement-breakpoint
create index attempts_contact on attempts (contact_id);
--> statement-breakpoint
-- The last calls to a number, whoever made them: what keeps calls apart is read here (I2).
create index attempts_called on attempts (phone, coalesce(ended_at, settled_at, planned_at))
  where state in ('provisional', 'ended');
--> statement-breakpoint
create index attempts_batch on attempts (batch_id);
--> statement-breakpoint
-- Of which calls what was said goes next by its age.
create index attempts_said on attempts (planned_at, id) where kept is not null or error_text is not null;
--> statement-breakpoint
create index attempts_call on attempts (call_id) where call_id is not null;
--> statement-breakpoint
-- Few at a time, asked for by number: what a call came to is not known yet.
create index attempts_provisional on attempts (phone) where state = 'provisional';
--> statement-breakpoint
-- Numbers that must not be dialed, in a brand or everywhere (I2). Removing one keeps the row, for the record.
create table suppressions (
  id bigint primary key generated always as identity,
  phone text not null,
  -- Null: for every brand.
  brand text references brands,
  -- Whose word it is (domain/policy/suppression-word.ts: person, list, service). One takes no other's place.
  said_by text not null default 'person',
  source text not null,
  reason text not null,
  -- Who added it, and who removed it; null: that is not known.
  added_by text,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  removed_at timestamptz(3),
  removed_by text,
  removed_reason text
);
--> statement-breakpoint
-- One word of each source in force for a number and a brand; no brand is a value of its own here. What one source takes
-- back leaves what the others said. Asked by number at every
-- lease and every start (I2).
create unique index suppressions_once on suppressions (phone, brand, said_by, source) nulls not distinct where removed_at is null;
--> statement-breakpoint
-- All that was ever said of a number, for whoever asks later (I7).
create index suppressions_phone on suppressions (phone);
--> statement-breakpoint
-- Who was taken out of a campaign while it went on: no callback is placed to them, and no list brings them back (I2).
create table withdrawals (
  campaign_id uuid not null references campaigns,
  phone text not null,
  actor text not null,
  reason text not null,
  at timestamptz(3) not null,
  primary key (campaign_id, phone)
);
--> statement-breakpoint
-- Lists of numbers that somebody else keeps, or a list of one's own, each replaced as a whole: who is on the newest one
-- that was taken must not be dialed (I2), and where that is older than it may be, nobody is.
create table suppression_sources (
  id integer primary key generated always as identity,
  name text not null,
  -- domain/policy/suppression-source.ts: own, do_not_call, litigators, reassigned, scrub.
  type text not null,
  -- Null: for every brand.
  brand text references brands,
  -- How old its list may be; null: as old as it is.
  max_age_ms float8,
  -- The load whose list is in force; 0: none yet.
  generation integer not null default 0,
  -- On that list.
  numbers integer not null default 0,
  -- As of when that list is.
  renewed_at timestamptz(3),
  -- What people were told of its age: old, stale; null: nothing.
  told text,
  -- Of a service that is asked about single numbers: its address, the name of the secret that signs requests, how old an
  -- answer may be, and what holds while it is away (domain/policy/scrubbing.ts: wait, dial).
  scrub_url text,
  scrub_secret text,
  -- Since when it is asked at that address: nobody is dialed by what another one said.
  scrub_since timestamptz(3),
  cache_ms float8,
  when_away text,
  -- Its last try; requests that failed in a row, why the last one did, and since when it counts as away.
  tried_at timestamptz(3),
  failures integer not null default 0,
  -- Of these the last ones, as far as it was away each time.
  silent integer not null default 0,
  trouble text,
  away_since timestamptz(3),
  -- It is not asked before: somebody asks it now, or it is left alone.
  ask_after timestamptz(3),
  created_at timestamptz(3) not null,
  -- When its scope, its age or how it is asked was changed last: what they were before stands in the audit alone.
  changed_at timestamptz(3),
  removed_at timestamptz(3),
  removed_reason text,
  constraint suppression_sources_scrubs_whole check (num_nonnulls(scrub_url, scrub_secret, scrub_since, cache_ms, when_away) in (0, 5))
);
--> statement-breakpoint
-- Read at every planning and every start (I2).
create unique index suppression_sources_name on suppression_sources (name) where removed_at is null;
--> statement-breakpoint
-- Lists that were sent for a source, and what each changed.
-- suppression_loads_generation: none is numbered like another, whatever became of it.
create table suppression_loads (
  id bigint primary key generated always as identity,
  source_id integer not null references suppression_sources,
  generation integer not null,
  source_name text not null,
  -- SHA-256 of the file, hexadecimal.
  digest text not null,
  -- loading, taken (it is in force, or was), refused, abandoned (cut off, or another one began).
  state text not null,
  -- As of when the list is.
  as_of timestamptz(3) not null,
  -- Numbers of it that were on the list before, and that were not.
  kept integer not null default 0,
  added integer not null default 0,
  -- Of one that was taken: numbers that were on the list before, and are not any more.
  removed integer,
  -- What it left behind without being taken was cleared away.
  cleared boolean not null default false,
  actor text not null,
  began_at timestamptz(3) not null,
  ended_at timestamptz(3),
  constraint suppression_loads_generation unique (source_id, generation)
);
--> statement-breakpoint
-- One at a time of a source.
create unique index suppression_loads_open on suppression_loads (source_id) where state = 'loading';
--> statement-breakpoint
-- Who is on the list of a source: from the load that brought the number, through the last one that had it. On the list
-- in force are those whose span holds the source's generation, so that taking a load is one change of one row: nobody
-- is off a list for a moment (I2), and who was on it is kept (I7).
create table listed_numbers (
  phone text not null,
  source_id integer not null references suppression_sources,
  from_generation integer not null,
  through_generation integer not null,
  -- Asked at every lease and every start, by number (I2).
  primary key (phone, source_id, from_generation)
)
-- A renewal writes each row that stays anew: with room beside it that touches no index, and the next one finds room again.
with (fillfactor = 50);
--> statement-breakpoint
-- What a load that was not taken left behind.
create index listed_numbers_of_load on listed_numbers (source_id, from_generation);
--> statement-breakpoint
-- What services said of numbers, and when they were asked. Answers are kept for two years: while they hold, and a year beyond (I7).
create table scrub_answers (
  source_id integer not null references suppression_sources,
  phone text not null,
  asked_at timestamptz(3) not null,
  -- Null: it answered, and said nothing of this number; kept until it is asked again.
  listed boolean,
  -- Asked at every lease and every start, by number, the newest first (I2).
  primary key (source_id, phone, asked_at)
);
--> statement-breakpoint
-- Those that are kept no longer.
create index scrub_answers_asked on scrub_answers (asked_at);
--> statement-breakpoint
-- What was said about calls to a number: consents and their withdrawals, from whichever door they came. Rows are only
-- ever added (I7).
-- consents_once: the same list again adds nothing (I5); found by number at every lease and every start of a campaign
-- that asks for consent (I2).
create table consents (
  id bigint primary key generated always as identity,
  phone text not null,
  brand text not null references brands,
  -- domain/policy/consent.ts; null: all consent until then was withdrawn.
  basis text,
  -- When it was given, or withdrawn.
  at timestamptz(3) not null,
  -- Where it can be seen; of a withdrawal, why.
  proof text,
  expires_at timestamptz(3),
  -- Through which door it came: `list`, `api`, `trigger <name>`.
  source text not null,
  recorded_at timestamptz(3) not null,
  constraint consents_once unique nulls not distinct (phone, brand, at, basis, expires_at, proof)
);
--> statement-breakpoint
-- Local dates, wherever the contact is, on which nobody of a brand is called.
create table blackouts (
  id bigint primary key generated always as identity,
  -- Null: for every brand.
  brand text references brands,
  from_day date not null,
  last_day date not null,
  name text not null,
  created_at timestamptz(3) not null,
  -- Since when every batch that was under way keeps it. Null: somebody has to see to that.
  bound_at timestamptz(3),
  removed_at timestamptz(3),
  removed_reason text,
  constraint blackouts_forward check (from_day <= last_day)
);
--> statement-breakpoint
create unique index blackouts_once on blackouts (brand, from_day, last_day) nulls not distinct where removed_at is null;
--> statement-breakpoint
-- Read at every planning and every start (I2).
create index blackouts_in_force on blackouts (last_day) where removed_at is null;
--> statement-breakpoint
-- Looked for every few seconds.
create index blackouts_unbound on blackouts (id) where bound_at is null and removed_at is null;
--> statement-breakpoint
-- Why a single contact that was due was not dialed: one row a reason and policy version (I7).
create table refusals (
  contact_id bigint not null references contacts,
  reason text not null,
  policy_version integer not null,
  detail text not null,
  times integer not null default 1,
  first_at timestamptz(3) not null,
  last_at timestamptz(3) not null,
  -- Since when the contact is due again, where it was put off by this: it is again at once where the policy changes.
  until_at timestamptz(3),
  primary key (contact_id, reason, policy_version)
);
--> statement-breakpoint
-- Why a campaign, or its contacts of one set of zones, was not dialed for a stretch of time (I7).
create table holds (
  id bigint primary key generated always as identity,
  campaign_id uuid not null references campaigns,
  -- Null: the whole campaign.
  zone_set_id integer references zone_sets,
  reason text not null,
  detail text not null,
  policy_version integer not null,
  from_at timestamptz(3) not null,
  -- Null: still so.
  until_at timestamptz(3)
);
--> statement-breakpoint
-- A reason holds once at a time; the whole campaign stands as zone set 0 (I7).
create unique index holds_open on holds (campaign_id, coalesce(zone_set_id, 0), reason) where until_at is null;
--> statement-breakpoint
create index holds_campaign on holds (campaign_id, from_at);
--> statement-breakpoint
-- The ways of single people through sequences.

-- One person's way through one version of a sequence.
-- enrolments_request_key_unique: the same request is the same enrolment (I5).
create table enrolments (
  id uuid primary key,
  sequence_id uuid not null references sequences,
  version integer not null,
  import_id bigint references imports,
  line integer,
  phone text not null,
  region text,
  zone_set_id integer not null references zone_sets,
  -- Tells several enrolments of one person apart where the sequence allows them.
  key text not null default '',
  -- Where it came from: `api`, `cli`, `list`, `trigger <name>`, `follow-up`.
  source text not null,
  -- What makes it the same enrolment again: a delivery's id, a command's id, an action's id.
  request_key text,
  -- SHA-256 of that request, hexadecimal; null: nobody compares it.
  request_digest text,
  state text not null,
  -- A person paused it.
  paused boolean not null default false,
  -- It stopped because its sequence is paused, and has to be woken up when that goes on.
  parked boolean not null default false,
  -- domain/sequence: where it stands and what it knows. Variables are in it, but for those that are sensitive.
  position jsonb not null,
  -- Sensitive variables, each encrypted for itself (data-keys.ts), as in contacts; and the key that all of them are sealed
  -- with.
  sealed jsonb,
  sealed_with text,
  -- The step that it is at, for lists.
  step text,
  -- The placement of the call that it waits for, if it does.
  waits_call text,
  -- Raised by each turn.
  turn integer not null default 0,
  -- Rows of the inbox up to this one were taken in.
  inbox_seen bigint not null default 0,
  -- When it looks again by itself; null: it waits for something else.
  wake_at timestamptz(3),
  outcome text,
  reason text,
  created_at timestamptz(3) not null,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  -- By when it is looked at, and how often it was told since, in vain.
  look_by timestamptz(3),
  unmoved smallint not null default 0,
  -- The trace that enrolled it. Null of a list: its people are no one trace.
  trace_parent text,
  constraint enrolments_request_key_unique unique (request_key),
  constraint enrolments_sealed_with_one_key check (num_nonnulls(sealed, sealed_with) in (0, 2))
);
--> statement-breakpoint
-- What is overdue, first.
create index enrolments_look_by on enrolments (look_by) where look_by is not null;
--> statement-breakpoint
-- A person is in a sequence once for each key (I5).
create unique index enrolments_open on enrolments (sequence_id, phone, key) where state = 'active';
--> statement-breakpoint
create index enrolments_phone on enrolments (phone);
--> statement-breakpoint
-- What each key has sealed.
create index enrolments_sealed on enrolments (sealed_with, id) where sealed_with is not null;
--> statement-breakpoint
-- Who goes next by their age.
create index enrolments_to_strip on enrolments (ended_at, id) where ended_at is not null and phone like '+%';
--> statement-breakpoint
create index enrolments_listed on enrolments (sequence_id, state, created_at, id);
--> statement-breakpoint
-- Events and commands for an enrolment, in the order in which they were accepted.
create table enrolment_inbox (
  id bigint primary key generated always as identity,
  enrolment_id uuid not null references enrolments,
  kind text not null,
  -- Of an event.
  name text,
  data jsonb not null,
  -- The same again is taken in once.
  request_key text,
  actor text not null,
  at timestamptz(3) not null
);
--> statement-breakpoint
create index enrolment_inbox_order on enrolment_inbox (enrolment_id, id);
--> statement-breakpoint
-- The same event or command is taken in once (I5).
create unique index enrolment_inbox_once on enrolment_inbox (enrolment_id, request_key) where request_key is not null;
--> statement-breakpoint
-- What happened on an enrolment's way, entry by entry (I7).
create table journeys (
  enrolment_id uuid not null references enrolments,
  n integer not null,
  at timestamptz(3) not null,
  step text,
  what text not null,
  detail jsonb not null,
  primary key (enrolment_id, n)
);
--> statement-breakpoint
-- What is declared, and what runs by a clock.

-- What was declared with `outdial apply`: what may be pruned, and what the next apply is compared with.
-- declarations_pruned: what was pruned is remembered as such, and of its document nothing.
create table declarations (
  kind text not null,
  brand text not null,
  name text not null,
  document jsonb,
  digest text,
  actor text not null,
  applied_at timestamptz(3) not null,
  pruned_at timestamptz(3),
  primary key (kind, brand, name),
  constraint declarations_pruned check (num_nonnulls(document, digest) = case when pruned_at is null then 2 else 0 end)
);
--> statement-breakpoint
-- Automations of the platform, kept as declared.
-- automations_workflow_id_unique: no two are kept in one of the platform's.
create table automations (
  id uuid primary key,
  name text not null,
  definition jsonb not null,
  digest text not null,
  -- The platform's id, once it is there.
  workflow_id text,
  -- domain/automations/automation-state.ts: changing, ready, failed (a step needs a person), removing, removed.
  state text not null,
  -- The step that is under way or failed, and what each step so far did and found.
  step text,
  progress jsonb not null,
  error text,
  -- The digest that the platform has: behind `digest` while it is changing.
  deployed_digest text,
  actor text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- Through when what it ran was seen, and when its whole list was read last for what goes on.
  looked_at timestamptz(3),
  walked_at timestamptz(3),
  -- By when it is looked at, and how often it was told since, in vain.
  look_by timestamptz(3),
  unmoved smallint not null default 0,
  constraint automations_name_unique unique (name),
  constraint automations_workflow_id_unique unique (workflow_id)
);
--> statement-breakpoint
-- What is overdue, first.
create index automations_look_by on automations (look_by) where look_by is not null;
--> statement-breakpoint
-- Executions of automations, as far as they were seen.
create table automation_executions (
  execution_id text primary key,
  workflow_id text not null,
  status text not null,
  trigger_source text,
  error text,
  started_at timestamptz(3) not null,
  ended_at timestamptz(3),
  seen_at timestamptz(3) not null,
  -- Of a repeat: the execution that it repeats.
  repeats text
);
--> statement-breakpoint
create index automation_executions_listed on automation_executions (workflow_id, started_at, execution_id);
--> statement-breakpoint
-- Recurring runs of automations and campaigns.
create table schedules (
  id uuid primary key,
  name text not null,
  definition jsonb not null,
  digest text not null,
  -- active, paused, removed.
  state text not null,
  state_reason text,
  -- What the platform's scheduler keeps has this digest; another one has still to be brought there.
  installed_digest text,
  -- How the platform's schedule was found to differ.
  drift jsonb,
  looked_at timestamptz(3),
  -- When its workflow looks again, where its due times are decided here.
  next_look_at timestamptz(3),
  actor text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- By when it is looked at, and how often it was told since, in vain.
  look_by timestamptz(3),
  unmoved smallint not null default 0,
  constraint schedules_name_unique unique (name)
);
--> statement-breakpoint
-- What is overdue, first.
create index schedules_look_by on schedules (look_by) where look_by is not null;
--> statement-breakpoint
-- One due time of a schedule.
-- schedule_runs_once: the same due time, or the same command, makes one run (I5).
create table schedule_runs (
  id uuid primary key,
  schedule_id uuid not null references schedules,
  -- What makes it the same run: its due time, or the id of a command that asked for it.
  run_key text not null,
  due_at timestamptz(3) not null,
  -- schedule, now, backfill.
  cause text not null,
  -- domain/schedules/schedule-run.ts: waiting, running, done, failed, skipped, missed.
  state text not null,
  reason text,
  -- Of a recurring campaign: the run that it made.
  campaign_id uuid references campaigns,
  -- Of an automation: its execution on the platform.
  execution_id text,
  result jsonb,
  created_at timestamptz(3) not null,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  -- By when it is looked at, and how often it was told since, in vain.
  look_by timestamptz(3),
  unmoved smallint not null default 0,
  constraint schedule_runs_once unique (schedule_id, run_key)
);
--> statement-breakpoint
-- What is overdue, first.
create index schedule_runs_look_by on schedule_runs (look_by) where look_by is not null;
--> statement-breakpoint
create index schedule_runs_listed on schedule_runs (schedule_id, due_at, id);
--> statement-breakpoint
create index schedule_runs_open on schedule_runs (created_at) where ended_at is null;
--> statement-breakpoint
-- Rotations of the platform's key, and the step that each is at. No key stands here.
create table key_rotations (
  id uuid primary key,
  -- The platform's id of the key that is replaced.
  old_key_id text not null,
  new_key_id text,
  new_key_prefix text,
  -- domain/keys/key-rotation.ts: rotating, stored, switched, verified, done, failed.
  state text not null,
  -- How often the platform was asked to rotate: more than once only where a new key was lost before it was stored.
  tries integer not null default 0,
  grace_until timestamptz(3),
  -- How many hours the key that is replaced stays good.
  grace_hours integer not null,
  -- What the platform shows of the key that is replaced.
  old_key_prefix text not null,
  old_key_name text,
  -- The platform's ids of all keys there were before: one that came since, and that nobody has, was lost.
  known_key_ids jsonb not null,
  -- Since when it is in its state.
  state_since timestamptz(3) not null,
  error text,
  actor text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  ended_at timestamptz(3),
  -- By when it is looked at, and how often it was told since, in vain.
  look_by timestamptz(3),
  unmoved smallint not null default 0
);
--> statement-breakpoint
-- What is overdue, first.
create index key_rotations_look_by on key_rotations (look_by) where look_by is not null;
--> statement-breakpoint
-- One rotation at a time.
create unique index key_rotations_open on key_rotations ((ended_at is null)) where ended_at is null;
--> statement-breakpoint
-- What follows a call, and what comes in from outside.

-- What follows one call, written with the call's outcome.
-- follow_ups_attempt_id_unique: one for an attempt, however often that is settled (I5).
create table follow_ups (
  id uuid primary key,
  attempt_id bigint not null references attempts,
  campaign_id uuid not null references campaigns,
  contact_id bigint not null,
  phone text not null,
  call_id text,
  disposition text not null,
  -- The policy whose rules select and act.
  policy_version integer not null,
  -- waiting (for the call to be processed), acting, done, failed (an action failed for good).
  state text not null,
  -- How the waiting ended: processed, processing_failed, overdue, no_call, not_needed.
  processing text,
  -- Until when the call may take to be processed.
  wait_until timestamptz(3) not null,
  -- A webhook said that there is something to see; looks need not wait for their turn.
  hinted_at timestamptz(3),
  looks integer not null default 0,
  -- The rules that selected the call, and the labels that they gave it.
  rules jsonb,
  labels jsonb,
  created_at timestamptz(3) not null,
  ended_at timestamptz(3),
  -- By when it is looked at, and how often it was told since, in vain.
  look_by timestamptz(3),
  unmoved smallint not null default 0,
  constraint follow_ups_attempt_id_unique unique (attempt_id)
);
--> statement-breakpoint
-- What is overdue, first.
create index follow_ups_look_by on follow_ups (look_by) where look_by is not null;
--> statement-breakpoint
create index follow_ups_call on follow_ups (call_id) where call_id is not null;
--> statement-breakpoint
create index follow_ups_campaign on follow_ups (campaign_id, created_at);
--> statement-breakpoint
create index follow_ups_open on follow_ups (created_at) where ended_at is null;
--> statement-breakpoint
-- Of which calls the labels go next by their age.
create index follow_ups_said on follow_ups (created_at, id) where labels is not null;
--> statement-breakpoint
-- Something that is done outside of the ledger after a call, by a step of a sequence or by a schedule; each try is
-- recorded. Its id is its idempotency key in every try (I5).
-- actions_of_one: it is of one follow-up, one enrolment or one run of a schedule.
create table actions (
  id uuid primary key,
  follow_up_id uuid references follow_ups,
  enrolment_id uuid references enrolments,
  schedule_run_id uuid references schedule_runs,
  -- The rule or the step, and its place in it.
  owner text not null,
  n smallint not null,
  -- domain/follow-ups/actions.ts
  kind text not null,
  -- The action with its expressions filled in; secrets by name only.
  spec jsonb not null,
  -- domain/follow-ups/actions.ts: waiting, due, done, failed, unknown, skipped.
  state text not null,
  tries integer not null default 0,
  next_try_at timestamptz(3),
  -- A request was permitted and may have been sent; its answer is not known yet.
  sent_at timestamptz(3),
  -- What it started elsewhere: an execution, an enrolment, a placement.
  external_id text,
  request jsonb,
  answer jsonb,
  error text,
  -- When a person wanted it done last, whatever it had come to.
  insisted_at timestamptz(3),
  created_at timestamptz(3) not null,
  ended_at timestamptz(3),
  -- The trace that it was written in; its tries go on with that.
  trace_parent text,
  constraint actions_of_one check (num_nonnulls(follow_up_id, enrolment_id, schedule_run_id) = 1)
);
--> statement-breakpoint
create index actions_follow_up on actions (follow_up_id, owner, n);
--> statement-breakpoint
create index actions_enrolment on actions (enrolment_id);
--> statement-breakpoint
create index actions_schedule_run on actions (schedule_run_id) where schedule_run_id is not null;
--> statement-breakpoint
create index actions_listed on actions (state, created_at);
--> statement-breakpoint
-- Which recordings go next by their age, and of which actions of people what was sent.
create index actions_recordings on actions (created_at, id) where kind = 'recording' and external_id is not null;
--> statement-breakpoint
create index actions_said on actions (created_at, id)
  where schedule_run_id is null and not spec ? 'forgotten' and not (kind = 'recording' and external_id is not null);
--> statement-breakpoint
-- Words that rules gave to people.
create table tags (
  brand text not null references brands,
  phone text not null,
  tag text not null,
  source text not null,
  at timestamptz(3) not null,
  primary key (brand, phone, tag)
);
--> statement-breakpoint
-- Which go next by their age.
create index tags_age on tags (at);
--> statement-breakpoint
-- Doors through which other systems tell of something: how they sign, and what becomes of it.
create table triggers (
  id uuid primary key,
  name text not null,
  definition jsonb not null,
  version integer not null,
  enabled boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint triggers_name_unique unique (name)
);
--> statement-breakpoint
-- What came through a trigger, whole, before it was acknowledged. Its key is remembered longer than its body.
-- deliveries_once: the same delivery is one row, however often it comes (I5).
create table deliveries (
  id uuid primary key,
  trigger_id uuid not null references triggers,
  -- What makes it the same delivery again.
  key text not null,
  -- SHA-256 of the body, hexadecimal.
  digest text not null,
  -- Forgotten some time after it was worked off.
  body text,
  received_at timestamptz(3) not null,
  -- How often it came.
  times integer not null default 1,
  -- received, done, ignored (its trigger's condition says no), failed (waits for a person).
  state text not null,
  result jsonb,
  ended_at timestamptz(3),
  constraint deliveries_once unique (trigger_id, key)
);
--> statement-breakpoint
create index deliveries_listed on deliveries (trigger_id, received_at, id);
--> statement-breakpoint
create index deliveries_age on deliveries (received_at);
--> statement-breakpoint
-- Those that can still name somebody.
create index deliveries_with_body on deliveries (received_at, id) where body is not null;
--> statement-breakpoint
-- What was done for items of deliveries: once for a trigger and a key, whichever delivery it comes in (I5). Written in
-- the transaction that does it, and kept as long as keys of deliveries are.
create table trigger_items (
  trigger_id uuid not null references triggers,
  -- SHA-256 of what the trigger's field says, hexadecimal; else the delivery and which element of it.
  key text not null,
  -- enroll, event, exit.
  what text not null,
  -- Which item it was done for. The delivery may be forgotten before this is.
  delivery_id uuid not null,
  -- SHA-256 of what the item is made of, hexadecimal, and which of its equals in the delivery it is: its place may be
  -- another one when the trigger was mended.
  element text not null,
  -- Whom it is about.
  phone text not null,
  -- What came of it. Null only within the transaction that does it.
  result jsonb,
  at timestamptz(3) not null,
  primary key (trigger_id, key, what)
);
--> statement-breakpoint
create index trigger_items_age on trigger_items (at);
--> statement-breakpoint
create index trigger_items_phone on trigger_items (phone, at);
--> statement-breakpoint
-- Calls that webhooks of the platform named: that there is something to see, never what (I4). A hint is kept until its
-- call is known, or is nobody's.
create table call_hints (
  call_id text primary key,
  first_at timestamptz(3) not null,
  last_at timestamptz(3) not null,
  times integer not null default 1,
  -- open, ours, inbound, foreign.
  state text not null,
  looks integer not null default 0
);
--> statement-breakpoint
create index call_hints_age on call_hints (last_at);
--> statement-breakpoint
-- Calls from people to our numbers, as far as they concern somebody whom we call.
create table inbound_calls (
  call_id text primary key,
  phone text not null,
  to_number text,
  at timestamptz(3) not null,
  ended_at timestamptz(3),
  -- Its processing is over, or is not waited for any longer.
  settled_at timestamptz(3),
  opted_out boolean not null default false,
  created_at timestamptz(3) not null
);
--> statement-breakpoint
create index inbound_calls_phone on inbound_calls (phone, at);
--> statement-breakpoint
-- Whose number goes next by its age; and the order in which the platform is asked to remove its records.
create index inbound_calls_to_strip on inbound_calls (at, call_id) where phone like '+%';
--> statement-breakpoint
create index inbound_calls_created on inbound_calls (created_at, call_id);
--> statement-breakpoint
create index inbound_calls_open on inbound_calls (created_at) where settled_at is null;
--> statement-breakpoint
-- How far somebody who walks along a growing list has come.
create table watermarks (
  name text primary key,
  at timestamptz(3) not null
);
--> statement-breakpoint
-- What each pass of the sweeper found that had no end, and what became of it.
create table sweeps (
  id bigint primary key generated always as identity,
  at timestamptz(3) not null,
  found integer not null,
  settled integer not null,
  detail jsonb not null
);
--> statement-breakpoint
-- What happened, for whoever follows along (events/events.ts): each written by the statement that makes it so, read in
-- the order of this key, and forgotten after a while. Of calls and contacts it holds the keys alone: what became of them
-- stands in their rows, for good.
create table events (
  era integer not null,
  -- The transaction that wrote it. Those that are older than every one under way are told, and no others: so nothing
  -- comes behind a place that was read already, however late its transaction commits.
  tx bigint not null default (pg_current_xact_id()::text::bigint),
  -- In the order of writing, within a transaction.
  id bigint not null generated always as identity,
  at timestamptz(3) not null,
  -- domain/ground/event-types.ts
  type text not null,
  -- Null: that of its campaign; without one, of none or of all.
  brand text,
  campaign_id uuid,
  contact_id bigint,
  attempt_id bigint,
  -- Null: it is made of the contact or the attempt.
  data jsonb,
  primary key (era, tx, id)
);
--> statement-breakpoint
-- What is told of none of the calls and contacts: few among the many.
create index events_above_contacts on events (era, tx, id) where contact_id is null;
--> statement-breakpoint
-- Who is sent the feed (ledger/events/webhooks.ts).
create table event_webhooks (
  id integer primary key generated always as identity,
  name text not null,
  -- domain/events/webhook.ts
  definition jsonb not null,
  -- Everything up to here was taken, or is not sent.
  place_era integer not null,
  place_tx bigint not null,
  place_id bigint not null,
  -- Up to where it is being sent, or is sent again; null: nothing is.
  through_era integer,
  through_tx bigint,
  through_id bigint,
  -- From when on it may send; while it does, by when that has ended. Null: it is disabled, or removed.
  next_at timestamptz(3),
  delivered_at timestamptz(3),
  -- Requests that failed in a row, since when, and why the last one did.
  failures integer not null default 0,
  failing_since timestamptz(3),
  trouble text,
  disabled_at timestamptz(3),
  actor text not null,
  created_at timestamptz(3) not null,
  changed_at timestamptz(3) not null,
  removed_at timestamptz(3)
);
--> statement-breakpoint
create unique index event_webhooks_name on event_webhooks (name) where removed_at is null;
--> statement-breakpoint
create index event_webhooks_due on event_webhooks (next_at) where next_at is not null;
--> statement-breakpoint
-- People who asked to be forgotten. A request is durable, and is carried out step by step; what is left to do follows
-- from the rows that still have the number (ledger/people).
-- forgettings_end_without_number: whoever is forgotten stands in none of them in clear.
create table forgettings (
  id uuid primary key,
  -- What is kept instead of the number (ground/person-mark.ts), and its last two digits.
  person text not null,
  last_digits text not null,
  -- Until it is done.
  phone text,
  -- The suppression is kept as a digest, too.
  as_hash boolean not null,
  -- domain/people/forgetting.ts: settling, removing, waiting, done.
  state text not null,
  -- What has to come to its end before anything is removed, or why the last step could not be done.
  waits_for text,
  reason text not null,
  asked_by text not null,
  asked_at timestamptz(3) not null,
  -- The next step is not taken before.
  next_at timestamptz(3),
  tries integer not null default 0,
  -- How many rows, files and records of the platform went so far, by kind.
  removed jsonb not null default '{}',
  -- Who else was told of the person (domain/people/forgetting.ts), from before what says so went.
  told jsonb,
  -- The last attempt whose call was removed from the platform.
  call_cursor bigint not null default 0,
  certificate jsonb,
  done_at timestamptz(3),
  constraint forgettings_end_without_number check (num_nonnulls(phone, done_at) = 1
    and num_nonnulls(certificate, done_at) in (0, 2))
);
--> statement-breakpoint
-- A number is forgotten once at a time.
create unique index forgettings_open on forgettings (phone) where done_at is null;
--> statement-breakpoint
create index forgettings_due on forgettings (next_at) where done_at is null;
--> statement-breakpoint
create index forgettings_listed on forgettings (asked_at, id);
--> statement-breakpoint
create index forgettings_person on forgettings (person);
--> statement-breakpoint
-- How long what is held of people is kept, by kind (domain/ground/retention.ts), as far as somebody said so.
create table retention (
  kind text primary key,
  -- Null: for good.
  keep_ms float8,
  changed_by text not null,
  changed_at timestamptz(3) not null
);
--> statement-breakpoint
-- What went by its age.
create table retention_progress (
  kind text primary key,
  -- How much, and how much of it the audit has not been told of.
  removed bigint not null default 0,
  untold bigint not null default 0,
  last_at timestamptz(3),
  -- How far the platform was asked: an attempt, or a call to us by its moment and id.
  place text
);
--> statement-breakpoint
-- Calls whose record the platform did not remove when it was too old: they are asked for again, and keep no other from it.
create table unremoved_calls (
  call_id text primary key,
  -- How often it was asked for, and when it is again.
  tries int not null,
  next_at timestamptz(3) not null,
  -- What the platform said last, in words that name nobody.
  error text not null
);
--> statement-breakpoint
create index unremoved_calls_due on unremoved_calls (next_at, call_id);
--> statement-breakpoint
-- What could not be removed outside of the ledger when the rest of somebody went, and is asked for until it is gone.
create table removals_left (
  id bigint primary key generated always as identity,
  -- Whose certificate tells of it. Null: it went by its age.
  forgetting_id uuid references forgettings (id),
  -- recording: a file below the folder for recordings whose id is kept_in. platform_call: the platform's id of it.
  kind text not null,
  what text not null,
  kept_in text,
  -- Why, in words that name nobody.
  error text not null,
  tries int not null,
  since_at timestamptz(3) not null,
  next_at timestamptz(3) not null,
  unique nulls not distinct (forgetting_id, kind, what)
);
--> statement-breakpoint
create index removals_left_due on removals_left (kind, next_at, id);
--> statement-breakpoint
-- What was done by whom, and what waits to be.

-- Who did what, when: commands of people, and decisions of the engine above single contacts (I7).
create table audit (
  id bigint primary key generated always as identity,
  at timestamptz(3) not null,
  -- cli, api, engine, a name that the API was given, or token: and the name of a token, which nobody else can be.
  actor text not null,
  -- For whom a token said that it acts: its own word.
  on_behalf_of text,
  action text not null,
  campaign_id uuid,
  -- `phone` in it is no number: what stands for one (ground/person-mark.ts).
  detail jsonb not null
);
--> statement-breakpoint
create index audit_campaign on audit (campaign_id, id);
--> statement-breakpoint
-- By whom, and what, newest first; by time it is found through its ids, which grow with it.
create index audit_actor on audit (actor, id);
--> statement-breakpoint
create index audit_action on audit (action, id);
--> statement-breakpoint
create index audit_at on audit (at, id);
--> statement-breakpoint
create function refuse_change_of_audit() returns trigger language plpgsql as $$
begin
  -- What goes by its age is named as such in its transaction (people/aging.ts), and is a year old at least, whoever asks.
  if tg_op = 'DELETE' and current_setting('outdial.audit_by_age', true) = 'on' then
    if tg_level = 'STATEMENT' then return null; end if;
    if old.at < now() - interval '366 days' then return old; end if;
  end if;
  raise exception 'the audit is append-only: % is refused', lower(tg_op);
end
$$;
--> statement-breakpoint
-- Nobody takes back what was written down (I7), and no code of ours by mistake either.
create trigger audit_is_append_only before update or delete or truncate on audit
  for each statement execute function refuse_change_of_audit();
--> statement-breakpoint
create trigger audit_goes_by_age before delete on audit
  for each row execute function refuse_change_of_audit();
--> statement-breakpoint
-- What is about one person, by what stands for their number.
create index audit_person on audit ((detail ->> 'phone')) where (detail ->> 'phone') is not null;
--> statement-breakpoint
-- Commands that named themselves, by what they were given to: the same one again does nothing (I5).
create table given_commands (
  subject uuid not null,
  command_id text not null,
  -- What it asked for, as far as another one under its name could ask for something else.
  request text,
  at timestamptz(3) not null,
  primary key (subject, command_id)
);
--> statement-breakpoint
-- Numbers that a recovery could book on nobody: a person says what they were dialed for (I1). Found by number.
create table unbooked_dials (
  phone text not null,
  platform_batch_id text not null,
  -- Null: nobody knows for whom.
  brand text,
  dialed_until timestamptz(3) not null,
  noted_at timestamptz(3) not null,
  primary key (phone, platform_batch_id)
);
--> statement-breakpoint
-- The last time that the platform refused a request as one too many, whoever sent it. One row.
create table platform_refusal (
  one boolean primary key default true,
  began_at timestamptz(3) not null,
  held_until timestamptz(3) not null,
  constraint platform_refusal_one check (one)
);
--> statement-breakpoint
-- Work that one process does for all: whoever holds the lease does it.
create table leases (
  name text primary key,
  holder text not null,
  expires_at timestamptz(3) not null
);
--> statement-breakpoint
-- What is done now and then, by one process for all: when it was begun last.
create table passes (
  name text primary key,
  at timestamptz(3) not null
);
--> statement-breakpoint
-- Processes that send requests to the platform, and until when each is thought to be up.
create table senders (
  holder text primary key,
  expires_at timestamptz(3) not null
);
--> statement-breakpoint
-- What was accepted and has to be handed on, written in the transaction that accepted it (I5). A row stays until that
-- is done, however often a process dies on the way; kinds and how they are worked off: ground/outbox.ts.
-- outbox_once: what is written again while it waits becomes due again.
create table outbox (
  id bigint primary key generated always as identity,
  kind text not null,
  -- Which one of its kind: writing it again while it waits makes it due again, no second row.
  subject text not null,
  due_at timestamptz(3) not null,
  -- Raised by each writing and each claim; whoever worked it off deletes it only where this is unchanged.
  turn integer not null default 0,
  tries integer not null default 0,
  last_error text,
  created_at timestamptz(3) not null,
  -- Of a delivery: how many people it is about. Null: nobody has looked yet.
  people integer,
  -- The trace that it was last written in (W3C's traceparent); whoever works it off goes on with that.
  trace_parent text,
  constraint outbox_once unique (kind, subject)
);
--> statement-breakpoint
create index outbox_due on outbox (kind, due_at, id);
--> statement-breakpoint
-- Which delivery was accepted first.
create index outbox_in_order on outbox (id) where kind = 'delivery' and tries = 0;
--> statement-breakpoint
-- Which of them nobody has looked at.
create index outbox_unread on outbox (id) where kind = 'delivery' and tries = 0 and people is null;
--> statement-breakpoint
-- Deliveries that were taken up before: they stand aside, and keep nobody waiting.
create index outbox_deliveries_aside on outbox (due_at) where kind = 'delivery' and tries > 0;
--> statement-breakpoint
-- Whom the deliveries that wait are about: what is told of one person is done in the order of acceptance.
create table delivery_people (
  -- The delivery's row of the outbox, whose id is its place.
  place bigint not null,
  -- 48 bits of the SHA-256 of their number: two people who share them wait for each other, no more.
  person bigint not null,
  primary key (place, person)
);
--> statement-breakpoint
create index delivery_people_in_order on delivery_people (person, place);
--> statement-breakpoint
-- What waits for a person.
create table attention (
  id bigint primary key generated always as identity,
  -- domain/ground/attention.ts
  kind text not null,
  subject text not null,
  -- Of some of it the ledger says by itself when it is over: what it is about, its id, and what was done with it.
  about text,
  about_id text,
  verb text,
  brand text not null,
  summary text not null,
  remedy text not null,
  at timestamptz(3) not null,
  times integer not null default 1,
  -- Somebody looks after it; null until: for as long as it is there.
  acknowledged_at timestamptz(3),
  acknowledged_by text,
  acknowledged_until timestamptz(3),
  -- When routes look at it next; null: not before it changes. Whoever changes it writes that moment.
  notice_at timestamptz(3),
  resolved_at timestamptz(3),
  resolved_by text,
  resolution text
);
--> statement-breakpoint
-- Each thing once, until somebody has dealt with it.
create unique index attention_open on attention (kind, subject) where resolved_at is null;
--> statement-breakpoint
-- What routes are to look at, as it falls due.
create index attention_due on attention (notice_at) where notice_at is not null;
--> statement-breakpoint
-- Who is told of what waits for people. Whatever is decided and written of a route is so under its row's lock.
create table attention_routes (
  id integer primary key generated always as identity,
  name text not null,
  -- domain/notices/route.ts
  definition jsonb not null,
  -- When there is something to do for it; null: there is not. While a message is sent, by when that has ended.
  next_at timestamptz(3),
  -- Its last message that was answered.
  delivered_at timestamptz(3),
  -- Messages that failed in a row, and why the last one did.
  failures integer not null default 0,
  trouble text,
  actor text not null,
  created_at timestamptz(3) not null,
  changed_at timestamptz(3) not null,
  removed_at timestamptz(3)
);
--> statement-breakpoint
create unique index attention_routes_name on attention_routes (name) where removed_at is null;
--> statement-breakpoint
-- Messages of routes, each written down before it is sent first: no try says anything else.
create table notices (
  -- What receivers tell repetitions by.
  id uuid primary key,
  route_id integer not null references attention_routes,
  -- domain/notices/notice.ts
  notice jsonb not null,
  created_at timestamptz(3) not null,
  tries integer not null default 0,
  -- Why the last try failed.
  error text,
  -- delivered; or given_up: what it says is told by another one.
  outcome text,
  ended_at timestamptz(3)
);
--> statement-breakpoint
-- One at a time of a route: what comes meanwhile is gathered.
create unique index notices_open on notices (route_id) where ended_at is null;
--> statement-breakpoint
create index notices_of_route on notices (route_id, created_at);
--> statement-breakpoint
-- What routes have told, and are about to tell. A row of a kind and subject stays for a day behind its end, so that what
-- comes and goes is not told each time.
create table attention_told (
  route_id integer not null references attention_routes,
  kind text not null,
  subject text not null,
  -- The entry that the receiver takes to be open, and how it was when that was told last.
  entry_id bigint,
  told_at timestamptz(3),
  times integer not null default 0,
  tellings integer not null default 0,
  reminders integer not null default 0,
  acknowledged_at timestamptz(3),
  -- What is to be told next (domain/notices/turn.ts), and of which entry.
  word text,
  about bigint,
  -- The message that says so, and how the entry was then; null: it waits for one.
  notice_id uuid references notices,
  about_times integer,
  about_acknowledged_at timestamptz(3),
  primary key (kind, subject, route_id)
);
--> statement-breakpoint
create index attention_told_waiting on attention_told (route_id, kind) where word is not null and notice_id is null;
--> statement-breakpoint
create index attention_told_sent on attention_told (notice_id) where notice_id is not null;
--> statement-breakpoint
create index attention_told_over on attention_told (told_at) where entry_id is null and word is null;
--> statement-breakpoint
-- Requests that named themselves: the same key has the same answer, for some time (I5).
create table request_keys (
  -- Method and address, and the key itself.
  key text primary key,
  -- SHA-256 of what was asked, hexadecimal.
  digest text not null,
  at timestamptz(3) not null,
  -- Of the answer; null: it is under way.
  status integer,
  answer text
);
--> statement-breakpoint
create index request_keys_age on request_keys (at);
--> statement-breakpoint
-- Tokens of the API that people and programs show, by their names. What a token is stands nowhere.
create table api_tokens (
  -- The part of it that is no secret.
  id text primary key,
  name text not null,
  -- SHA-256 of the whole token, hexadecimal.
  digest text not null,
  -- domain/ground/access.ts: viewer, operator, admin.
  role text not null,
  -- Null: all of them. They need not be there yet.
  brands text[],
  created_at timestamptz(3) not null,
  created_by text not null,
  expires_at timestamptz(3),
  -- To the minute.
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  revoked_by text,
  revoked_reason text
);
--> statement-breakpoint
create unique index api_tokens_name on api_tokens (name) where revoked_at is null;
--> statement-breakpoint
create index api_tokens_revoked on api_tokens (revoked_at) where revoked_at is not null;
--> statement-breakpoint
-- Who is signed in, in browsers. What a session's cookie holds stands nowhere.
create table sessions (
  -- The part of the cookie that is no secret.
  id text primary key,
  -- SHA-256 of the whole cookie, hexadecimal.
  digest text not null,
  -- domain/ground/access.ts: by what somebody came: system, token, link, person.
  kind text not null,
  -- Of the token, the link or the person.
  name text not null,
  -- Of kind token, and of kind link where a token made the link: it ends with that token.
  token_id text references api_tokens (id),
  -- Of kind system, and of kind link where the system's own token made the link: digest of a digest of that token, so that
  -- the session ends with it.
  system_mark text,
  -- Of kind link: the session in which the link was made, with which it ends; null: it was made in none.
  made_in text,
  role text not null,
  -- Null: all of them.
  brands text[],
  created_at timestamptz(3) not null,
  -- To the minute.
  last_used_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  check (case kind when 'token' then token_id is not null when 'link' then true else token_id is null end),
  check (case kind when 'system' then system_mark is not null when 'link' then true else system_mark is null end)
);
--> statement-breakpoint
-- How many somebody has, and which was used the longest ago.
create index sessions_name on sessions (kind, name, last_used_at);
--> statement-breakpoint
-- What ends with a session.
create index sessions_made_in on sessions (made_in) where made_in is not null;
--> statement-breakpoint
-- Codes of sign-in links: each lets one browser in, once.
create table sign_in_codes (
  -- SHA-256 of the code, hexadecimal.
  digest text primary key,
  name text not null,
  role text not null,
  -- Null: all of them.
  brands text[],
  created_at timestamptz(3) not null,
  created_by text not null,
  -- By what token it was made, as sessions have it: rights that are handed on end with those of whoever did so.
  token_id text references api_tokens (id),
  system_mark text,
  -- The session in which it was made, with which it ends, and when that is at the latest; null: it was made in none.
  made_in text,
  session_ends_at timestamptz(3),
  expires_at timestamptz(3) not null
);
--> statement-breakpoint
-- What a build must know to work on this ledger: the migration (its moment, Unix milliseconds) that it needs to have in
-- its files. A migration which builds before it do not bear sets this to its own moment.
create table ledger_schema (
  one boolean primary key default true check (one),
  oldest_build bigint not null
);
--> statement-breakpoint
insert into ledger_schema (oldest_build) values (1795416689694);
--> statement-breakpoint
-- For roles that may not change tables: only a table's owner can have its statistics made anew.
create function analyze_contacts() returns void language plpgsql security definer set search_path from current as $$
begin
  analyze contacts;
end $$;
