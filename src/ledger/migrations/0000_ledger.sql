-- The ledger, whole: the baseline of 0.1.0. Words and the invariants I1 to I7 are those of docs/architecture.md; what
-- a column means stands beside it in src/ledger/schema, which has the same tables in the same groups.
--
-- What is said here beyond names and types: which rule is held by the database itself, whatever code writes. A
-- constraint or an index without a remark keeps rows together (foreign keys) or makes a query cheap.

-- The installation, and what is called under which policy.

-- What this ledger is, and the two switches above all campaigns: the stop of everything, and recovery (I2, I1).
-- installation_is_one_row: there is one answer to whether dialing is held.
CREATE TABLE "installation" (
	"one" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"installation_id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"stopped_at" timestamp (3) with time zone,
	"stopped_reason" text,
	"recovery_reason" text,
	"simulated" boolean,
	"went_on_at" timestamp (3) with time zone,
	"recovered_at" timestamp (3) with time zone,
	CONSTRAINT "installation_is_one_row" CHECK ("installation"."one")
);
--> statement-breakpoint
-- Legal entities that call. They scope suppressions and names.
CREATE TABLE "brands" (
	"id" text PRIMARY KEY NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
-- Sets of time zones that a number may be in, each once: lanes and enrolments name them.
CREATE TABLE "zone_sets" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "zone_sets_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"key" text NOT NULL,
	"zones" text[] NOT NULL,
	CONSTRAINT "zone_sets_key_unique" UNIQUE("key")
);
--> statement-breakpoint
-- One run of a campaign, or a standing one. Its row lock is what keeps its tallies exact:
-- accepted = open + leased + done + excluded (I3).
-- campaigns_paused_by: what is paused was so by itself, or with its campaign or its sequence (parent, sequence), whose
-- resume it goes on with. paused_sequence is the name of the sequence that it is of, while that is paused, and stands
-- on what is over, too: callbacks that begin in it begin paused.
-- campaigns_stand_for_one: a standing one is for a call step of a sequence (versions with the same call settings, whose
-- digest that is, share one), or for the callbacks of a campaign; any other for neither.
CREATE TABLE "campaigns" (
	"id" uuid PRIMARY KEY NOT NULL,
	"brand" text NOT NULL,
	"name" text NOT NULL,
	"run" integer NOT NULL,
	"state" text NOT NULL,
	"ending" text,
	"state_reason" text,
	"paused_by" text,
	"paused_sequence" text,
	"spec" jsonb NOT NULL,
	"policy_version" integer NOT NULL,
	"concurrency" integer NOT NULL,
	"seq" bigint DEFAULT 0 NOT NULL,
	"follow_fence" bigint DEFAULT 0 NOT NULL,
	"starved" boolean DEFAULT false NOT NULL,
	"stalled" boolean DEFAULT false NOT NULL,
	"next_look_at" timestamp (3) with time zone,
	"waiting" integer DEFAULT 0 NOT NULL,
	"share" integer,
	"served_at" timestamp (3) with time zone,
	"offered_at" timestamp (3) with time zone,
	"open_count" integer DEFAULT 0 NOT NULL,
	"leased_count" integer DEFAULT 0 NOT NULL,
	"done_count" integer DEFAULT 0 NOT NULL,
	"excluded_count" integer DEFAULT 0 NOT NULL,
	"attempt_count" integer DEFAULT 0 NOT NULL,
	"dispositions" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"hold_ms_sum" double precision DEFAULT 0 NOT NULL,
	"hold_count" integer DEFAULT 0 NOT NULL,
	"standing" boolean DEFAULT false NOT NULL,
	"sequence_id" uuid,
	"step" text,
	"digest" text,
	"parent_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"running_since" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "campaigns_paused_by" CHECK (("campaigns"."state" = 'paused') = ("campaigns"."paused_by" is not null)),
	CONSTRAINT "campaigns_stand_for_one" CHECK (num_nonnulls("campaigns"."sequence_id", "campaigns"."parent_id") = "campaigns"."standing"::int and num_nonnulls("campaigns"."step", "campaigns"."digest") = 2 * num_nonnulls("campaigns"."sequence_id"))
);--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_brand_brands_id_fk" FOREIGN KEY ("brand") REFERENCES "public"."brands"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
-- A run of a name is there once. Standing campaigns have no name of their own.
CREATE UNIQUE INDEX "campaigns_brand_name_run" ON "campaigns" USING btree ("brand","name","run") WHERE not "campaigns"."standing";--> statement-breakpoint
-- One standing campaign for a call step, or for a campaign's callbacks (I5). One that has completed makes room for
-- another; one that was cancelled does not.
CREATE UNIQUE INDEX "campaigns_of_step" ON "campaigns" USING btree ("sequence_id","step","digest") WHERE "campaigns"."sequence_id" is not null and "campaigns"."state" <> 'completed';--> statement-breakpoint
CREATE UNIQUE INDEX "campaigns_of_callbacks" ON "campaigns" USING btree ("parent_id") WHERE "campaigns"."parent_id" is not null and "campaigns"."state" <> 'completed';--> statement-breakpoint
CREATE INDEX "campaigns_of_sequence" ON "campaigns" USING btree ("sequence_id") WHERE "campaigns"."sequence_id" is not null;--> statement-breakpoint
CREATE INDEX "campaigns_parent" ON "campaigns" USING btree ("parent_id") WHERE "campaigns"."parent_id" is not null;--> statement-breakpoint
CREATE INDEX "campaigns_not_ended" ON "campaigns" USING btree ("state") WHERE "campaigns"."ended_at" is null;
--> statement-breakpoint
-- Every policy that a campaign ever had; what was decided names its version (I7). None is written over.
CREATE TABLE "policy_versions" (
	"campaign_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"spec" jsonb NOT NULL,
	"actor" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "policy_versions_campaign_id_version_pk" PRIMARY KEY("campaign_id","version")
);--> statement-breakpoint
ALTER TABLE "policy_versions" ADD CONSTRAINT "policy_versions_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
-- Contacts of a campaign that share zones and priority. Planning probes each, retries and first calls apart.
CREATE TABLE "lanes" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "lanes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"campaign_id" uuid NOT NULL,
	"zone_set_id" integer NOT NULL,
	"priority" smallint NOT NULL,
	CONSTRAINT "lanes_campaign_zones_priority" UNIQUE("campaign_id","zone_set_id","priority")
);--> statement-breakpoint
ALTER TABLE "lanes" ADD CONSTRAINT "lanes_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lanes" ADD CONSTRAINT "lanes_zone_set_id_zone_sets_id_fk" FOREIGN KEY ("zone_set_id") REFERENCES "public"."zone_sets"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
-- Sequences, in all their versions.

-- Sequences by name.
-- sequences_resume_to: one that is paused knows what it was before, and is that again when it goes on.
CREATE TABLE "sequences" (
	"id" uuid PRIMARY KEY NOT NULL,
	"brand" text NOT NULL,
	"name" text NOT NULL,
	"state" text NOT NULL,
	"state_reason" text,
	"resumes_to" text,
	"version" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sequences_brand_name" UNIQUE("brand","name"),
	CONSTRAINT "sequences_resume_to" CHECK (("sequences"."state" = 'paused') = ("sequences"."resumes_to" is not null))
);--> statement-breakpoint
ALTER TABLE "sequences" ADD CONSTRAINT "sequences_brand_brands_id_fk" FOREIGN KEY ("brand") REFERENCES "public"."brands"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
-- Every definition that a sequence ever had. An enrolment stays on the one that it began with.
CREATE TABLE "sequence_versions" (
	"sequence_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"definition" jsonb NOT NULL,
	"digest" text NOT NULL,
	"actor" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sequence_versions_sequence_id_version_pk" PRIMARY KEY("sequence_id","version")
);--> statement-breakpoint
ALTER TABLE "sequence_versions" ADD CONSTRAINT "sequence_versions_sequence_id_sequences_id_fk" FOREIGN KEY ("sequence_id") REFERENCES "public"."sequences"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
-- Lists of people, and whom they made contacts.

-- Lists that were read, and how far: going on begins after through_line.
-- imports_campaign_digest, imports_sequence_digest: the same list again is the same import (I5).
-- imports_of_one: a list is of a campaign or of a sequence.
CREATE TABLE "imports" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "imports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"campaign_id" uuid,
	"sequence_id" uuid,
	"digest" text NOT NULL,
	"source_name" text NOT NULL,
	"settings" jsonb NOT NULL,
	"through_line" integer DEFAULT 0 NOT NULL,
	"rows_read" integer DEFAULT 0 NOT NULL,
	"rows_rejected" integer DEFAULT 0 NOT NULL,
	"rows_duplicate" integer DEFAULT 0 NOT NULL,
	"rows_accepted" integer DEFAULT 0 NOT NULL,
	"never_dialed" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"completed_at" timestamp (3) with time zone,
	CONSTRAINT "imports_campaign_digest" UNIQUE("campaign_id","digest"),
	CONSTRAINT "imports_sequence_digest" UNIQUE("sequence_id","digest"),
	CONSTRAINT "imports_of_one" CHECK (num_nonnulls("imports"."campaign_id", "imports"."sequence_id") = 1)
);--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_sequence_id_sequences_id_fk" FOREIGN KEY ("sequence_id") REFERENCES "public"."sequences"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
-- Rows that made no contact, each with its reason (I3, I7).
CREATE TABLE "import_rejects" (
	"import_id" bigint NOT NULL,
	"line" integer NOT NULL,
	"code" text NOT NULL,
	"reason" text NOT NULL,
	"raw" text NOT NULL,
	CONSTRAINT "import_rejects_import_id_line_pk" PRIMARY KEY("import_id","line")
);--> statement-breakpoint
ALTER TABLE "import_rejects" ADD CONSTRAINT "import_rejects_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
-- One person's number inside one campaign, or a single call that was placed into a standing one.
-- Each ends as done or excluded, with an outcome or a reason (I3).
-- contacts_held_placements: only a call that was placed is held, and only until it is over; nobody plans for it (I2).
-- contacts_placed_for: a call that was placed is one call of an enrolment, which is told of its end, or was asked for
-- by an action; whoever was on a list is neither. The key says the same to nobody: these columns are what is read.
CREATE TABLE "contacts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "contacts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"campaign_id" uuid NOT NULL,
	"import_id" bigint,
	"line" integer,
	"phone" text NOT NULL,
	"region" text,
	"lane_id" integer NOT NULL,
	"variables" jsonb NOT NULL,
	"state" text NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"held" boolean DEFAULT false NOT NULL,
	"returns" smallint DEFAULT 0 NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"last_disposition" text,
	"outcome" text,
	"reason" text,
	"ended_at" timestamp (3) with time zone,
	"placement" text,
	"enrolment_id" uuid,
	"call_no" integer,
	"action_id" uuid,
	"asked_at" timestamp (3) with time zone,
	CONSTRAINT "contacts_held_placements" CHECK (not "contacts"."held" or ("contacts"."placement" is not null and "contacts"."state" in ('open', 'leased'))),
	CONSTRAINT "contacts_placed_for" CHECK (num_nonnulls("contacts"."enrolment_id", "contacts"."action_id") = num_nonnulls("contacts"."placement") and num_nonnulls("contacts"."enrolment_id") = num_nonnulls("contacts"."call_no") and num_nonnulls("contacts"."action_id") = num_nonnulls("contacts"."asked_at"))
);--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_lane_id_lanes_id_fk" FOREIGN KEY ("lane_id") REFERENCES "public"."lanes"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
-- A number is in a campaign once (I5); calls that were placed may name it again.
CREATE UNIQUE INDEX "contacts_campaign_phone" ON "contacts" USING btree ("campaign_id","phone") WHERE "contacts"."placement" is null;
--> statement-breakpoint
-- The same placement is the same call, whoever asks for it again (I1, I5).
CREATE UNIQUE INDEX "contacts_placement" ON "contacts" USING btree ("placement") WHERE "contacts"."placement" is not null;
--> statement-breakpoint
-- The planner's probe: the earliest due of a lane, retries and first calls apart, the held behind all others.
CREATE INDEX "contacts_due" ON "contacts" USING btree ("lane_id",("attempts" = 0),"held","due_at","id") WHERE "contacts"."state" = 'open';--> statement-breakpoint
CREATE INDEX "contacts_phone" ON "contacts" USING btree ("phone");
--> statement-breakpoint
-- What dials and what must not be dialed.

-- A platform batch call and its way through its states, by compare-and-set.
-- batches_held_within_slots: what is given back was held before, so that no slot is counted twice (I2).
CREATE TABLE "batches" (
	"id" uuid PRIMARY KEY NOT NULL,
	"campaign_id" uuid NOT NULL,
	"state" text NOT NULL,
	"agent_id" text NOT NULL,
	"from_number" text NOT NULL,
	"policy_version" integer NOT NULL,
	"size" smallint NOT NULL,
	"slots" smallint NOT NULL,
	"held" smallint NOT NULL,
	"dial_by" timestamp (3) with time zone,
	"create_no" smallint DEFAULT 0 NOT NULL,
	"platform_batch_id" text,
	"planned_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone,
	"start_sent_at" timestamp (3) with time zone,
	"start_no" smallint DEFAULT 0 NOT NULL,
	"start_refusal" text,
	"start_seen_at" timestamp (3) with time zone,
	"stop_reason" text,
	"stop_requested_at" timestamp (3) with time zone,
	"terminal_seen_at" timestamp (3) with time zone,
	"vanished_at" timestamp (3) with time zone,
	"first_read_at" timestamp (3) with time zone,
	"first_read" jsonb,
	"proven" jsonb,
	"trouble" text,
	"trouble_since" timestamp (3) with time zone,
	"settled_at" timestamp (3) with time zone,
	CONSTRAINT "batches_held_within_slots" CHECK ("batches"."held" >= 0 and "batches"."held" <= "batches"."slots")
);--> statement-breakpoint
ALTER TABLE "batches" ADD CONSTRAINT "batches_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
-- What holds slots (I2).
CREATE INDEX "batches_unsettled" ON "batches" USING btree ("campaign_id") WHERE "batches"."state" <> 'settled';--> statement-breakpoint
CREATE INDEX "batches_platform" ON "batches" USING btree ("platform_batch_id");
--> statement-breakpoint
-- Creates whose answer is missing. Few: nearly all are answered.
CREATE INDEX "batches_unaccounted" ON "batches" USING btree ("planned_at") WHERE "batches"."create_no" > case when "batches"."platform_batch_id" is null then 0 else 1 end;--> statement-breakpoint
-- What began a moment ago: the rate of calls is counted by it.
CREATE INDEX "batches_begun" ON "batches" USING btree ("start_sent_at") WHERE "batches"."start_sent_at" is not null;
--> statement-breakpoint
-- One intended dial of one contact: the unit that is never dialed twice (I1). sign_unkept: there was a sign of its dial,
-- and the database takes nothing of that.
CREATE TABLE "attempts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "attempts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"campaign_id" uuid NOT NULL,
	"contact_id" bigint NOT NULL,
	"attempt_no" smallint NOT NULL,
	"phone" text NOT NULL,
	"batch_id" uuid NOT NULL,
	"policy_version" integer NOT NULL,
	"state" text NOT NULL,
	"item_id" text,
	"call_id" text,
	"item_status" text,
	"sign_unkept" boolean DEFAULT false NOT NULL,
	"error_text" text,
	"disposition" text,
	"disposition_reason" text,
	"planned_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"duration_seconds" double precision,
	"settled_at" timestamp (3) with time zone
);--> statement-breakpoint
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
-- One live attempt for a contact and an attempt number; one that was given back frees its number (I1).
CREATE UNIQUE INDEX "attempts_contact_no" ON "attempts" USING btree ("contact_id","attempt_no") WHERE "attempts"."state" <> 'returned';
--> statement-breakpoint
-- One open attempt for a number, over all campaigns: whoever conflicts is not leased (I1, I2).
CREATE UNIQUE INDEX "attempts_one_open_per_phone" ON "attempts" USING btree ("phone") WHERE "attempts"."state" = 'open';--> statement-breakpoint
CREATE INDEX "attempts_contact" ON "attempts" USING btree ("contact_id");
--> statement-breakpoint
-- The last calls to a number, whoever made them: what keeps calls apart is read here (I2).
CREATE INDEX "attempts_called" ON "attempts" USING btree ("phone",coalesce("ended_at", "settled_at", "planned_at")) WHERE "attempts"."state" in ('provisional', 'ended');--> statement-breakpoint
CREATE INDEX "attempts_batch" ON "attempts" USING btree ("batch_id");--> statement-breakpoint
CREATE INDEX "attempts_call" ON "attempts" USING btree ("call_id") WHERE "attempts"."call_id" is not null;--> statement-breakpoint
CREATE INDEX "attempts_provisional" ON "attempts" USING btree ("campaign_id") WHERE "attempts"."state" = 'provisional';
--> statement-breakpoint
-- Numbers that must not be dialed, in a brand or everywhere (I2). Removing one keeps the row, for the record.
-- suppressions_once: one in force for a number and a brand; no brand is a value of its own here.
CREATE TABLE "suppressions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "suppressions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"phone" text NOT NULL,
	"brand" text,
	"source" text NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"removed_at" timestamp (3) with time zone,
	"removed_reason" text,
	CONSTRAINT "suppressions_once" UNIQUE NULLS NOT DISTINCT("phone","brand","removed_at")
);--> statement-breakpoint
ALTER TABLE "suppressions" ADD CONSTRAINT "suppressions_brand_brands_id_fk" FOREIGN KEY ("brand") REFERENCES "public"."brands"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
-- Asked at every lease and every start (I2).
CREATE INDEX "suppressions_in_force" ON "suppressions" USING btree ("phone") WHERE "suppressions"."removed_at" is null;
--> statement-breakpoint
-- Why a single contact that was due was not dialed: one row a reason and policy version (I7).
CREATE TABLE "refusals" (
	"contact_id" bigint NOT NULL,
	"reason" text NOT NULL,
	"policy_version" integer NOT NULL,
	"detail" text NOT NULL,
	"times" integer DEFAULT 1 NOT NULL,
	"first_at" timestamp (3) with time zone NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "refusals_contact_id_reason_policy_version_pk" PRIMARY KEY("contact_id","reason","policy_version")
);--> statement-breakpoint
ALTER TABLE "refusals" ADD CONSTRAINT "refusals_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
-- Why a campaign, or its contacts of one set of zones, was not dialed for a stretch of time (I7).
CREATE TABLE "holds" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "holds_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"campaign_id" uuid NOT NULL,
	"zone_set_id" integer,
	"reason" text NOT NULL,
	"detail" text NOT NULL,
	"policy_version" integer NOT NULL,
	"from_at" timestamp (3) with time zone NOT NULL,
	"until_at" timestamp (3) with time zone
);--> statement-breakpoint
ALTER TABLE "holds" ADD CONSTRAINT "holds_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holds" ADD CONSTRAINT "holds_zone_set_id_zone_sets_id_fk" FOREIGN KEY ("zone_set_id") REFERENCES "public"."zone_sets"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
-- A reason holds once at a time; the whole campaign stands as zone set 0 (I7).
CREATE UNIQUE INDEX "holds_open" ON "holds" USING btree ("campaign_id",coalesce("zone_set_id", 0),"reason") WHERE "holds"."until_at" is null;--> statement-breakpoint
CREATE INDEX "holds_campaign" ON "holds" USING btree ("campaign_id","from_at");
--> statement-breakpoint
-- The ways of single people through sequences.

-- One person's way through one version of a sequence.
-- enrolments_request_key_unique: the same request is the same enrolment (I5).
CREATE TABLE "enrolments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"sequence_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"import_id" bigint,
	"line" integer,
	"phone" text NOT NULL,
	"region" text,
	"zone_set_id" integer NOT NULL,
	"key" text DEFAULT '' NOT NULL,
	"source" text NOT NULL,
	"request_key" text,
	"request_digest" text,
	"state" text NOT NULL,
	"paused" boolean DEFAULT false NOT NULL,
	"parked" boolean DEFAULT false NOT NULL,
	"position" jsonb NOT NULL,
	"step" text,
	"waits_call" text,
	"waits_action" uuid,
	"turn" integer DEFAULT 0 NOT NULL,
	"inbox_seen" bigint DEFAULT 0 NOT NULL,
	"wake_at" timestamp (3) with time zone,
	"outcome" text,
	"reason" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "enrolments_request_key_unique" UNIQUE("request_key")
);--> statement-breakpoint
ALTER TABLE "enrolments" ADD CONSTRAINT "enrolments_sequence_id_sequences_id_fk" FOREIGN KEY ("sequence_id") REFERENCES "public"."sequences"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "enrolments" ADD CONSTRAINT "enrolments_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "enrolments" ADD CONSTRAINT "enrolments_zone_set_id_zone_sets_id_fk" FOREIGN KEY ("zone_set_id") REFERENCES "public"."zone_sets"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
-- A person is in a sequence once for each key (I5).
CREATE UNIQUE INDEX "enrolments_open" ON "enrolments" USING btree ("sequence_id","phone","key") WHERE "enrolments"."state" = 'active';--> statement-breakpoint
CREATE INDEX "enrolments_phone" ON "enrolments" USING btree ("phone");--> statement-breakpoint
CREATE INDEX "enrolments_listed" ON "enrolments" USING btree ("sequence_id","state","created_at","id");
--> statement-breakpoint
-- Events and commands for an enrolment, in the order in which they were accepted.
CREATE TABLE "enrolment_inbox" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "enrolment_inbox_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"enrolment_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"name" text,
	"data" jsonb NOT NULL,
	"request_key" text,
	"actor" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);--> statement-breakpoint
ALTER TABLE "enrolment_inbox" ADD CONSTRAINT "enrolment_inbox_enrolment_id_enrolments_id_fk" FOREIGN KEY ("enrolment_id") REFERENCES "public"."enrolments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "enrolment_inbox_order" ON "enrolment_inbox" USING btree ("enrolment_id","id");
--> statement-breakpoint
-- The same event or command is taken in once (I5).
CREATE UNIQUE INDEX "enrolment_inbox_once" ON "enrolment_inbox" USING btree ("enrolment_id","request_key") WHERE "enrolment_inbox"."request_key" is not null;
--> statement-breakpoint
-- What happened on an enrolment's way, entry by entry (I7).
CREATE TABLE "journeys" (
	"enrolment_id" uuid NOT NULL,
	"n" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"step" text,
	"what" text NOT NULL,
	"detail" jsonb NOT NULL,
	CONSTRAINT "journeys_enrolment_id_n_pk" PRIMARY KEY("enrolment_id","n")
);--> statement-breakpoint
ALTER TABLE "journeys" ADD CONSTRAINT "journeys_enrolment_id_enrolments_id_fk" FOREIGN KEY ("enrolment_id") REFERENCES "public"."enrolments"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
-- What is declared, and what runs by a clock.

-- What was declared with `outdial apply`: what may be pruned, and what the next apply is compared with.
CREATE TABLE "declarations" (
	"kind" text NOT NULL,
	"brand" text NOT NULL,
	"name" text NOT NULL,
	"document" jsonb NOT NULL,
	"digest" text NOT NULL,
	"actor" text NOT NULL,
	"applied_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "declarations_kind_brand_name_pk" PRIMARY KEY("kind","brand","name")
);
--> statement-breakpoint
-- Automations of the platform, kept as declared.
-- automations_workflow_id_unique: no two are kept in one of the platform's.
CREATE TABLE "automations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"definition" jsonb NOT NULL,
	"digest" text NOT NULL,
	"workflow_id" text,
	"state" text NOT NULL,
	"step" text,
	"progress" jsonb NOT NULL,
	"error" text,
	"deployed_digest" text,
	"actor" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "automations_name_unique" UNIQUE("name"),
	CONSTRAINT "automations_workflow_id_unique" UNIQUE("workflow_id")
);
--> statement-breakpoint
-- Executions of automations, as far as they were seen.
CREATE TABLE "automation_executions" (
	"execution_id" text PRIMARY KEY NOT NULL,
	"workflow_id" text NOT NULL,
	"status" text NOT NULL,
	"trigger_source" text,
	"error" text,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"repeats" text
);--> statement-breakpoint
CREATE INDEX "automation_executions_listed" ON "automation_executions" USING btree ("workflow_id","started_at");
--> statement-breakpoint
-- Recurring runs of automations and campaigns.
CREATE TABLE "schedules" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"definition" jsonb NOT NULL,
	"digest" text NOT NULL,
	"state" text NOT NULL,
	"state_reason" text,
	"installed_digest" text,
	"drift" jsonb,
	"looked_at" timestamp (3) with time zone,
	"actor" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "schedules_name_unique" UNIQUE("name")
);
--> statement-breakpoint
-- One due time of a schedule.
-- schedule_runs_once: the same due time, or the same command, makes one run (I5).
CREATE TABLE "schedule_runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"schedule_id" uuid NOT NULL,
	"run_key" text NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"cause" text NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"campaign_id" uuid,
	"execution_id" text,
	"result" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "schedule_runs_once" UNIQUE("schedule_id","run_key")
);--> statement-breakpoint
ALTER TABLE "schedule_runs" ADD CONSTRAINT "schedule_runs_schedule_id_schedules_id_fk" FOREIGN KEY ("schedule_id") REFERENCES "public"."schedules"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedule_runs" ADD CONSTRAINT "schedule_runs_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "schedule_runs_listed" ON "schedule_runs" USING btree ("schedule_id","due_at");--> statement-breakpoint
CREATE INDEX "schedule_runs_open" ON "schedule_runs" USING btree ("created_at") WHERE "schedule_runs"."ended_at" is null;
--> statement-breakpoint
-- Rotations of the platform's key, and the step that each is at. No key stands here.
CREATE TABLE "key_rotations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"old_key_id" text NOT NULL,
	"new_key_id" text,
	"new_key_prefix" text,
	"state" text NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"grace_until" timestamp (3) with time zone,
	"grace_hours" integer NOT NULL,
	"old_key_prefix" text NOT NULL,
	"old_key_name" text,
	"known_key_ids" jsonb NOT NULL,
	"state_since" timestamp (3) with time zone NOT NULL,
	"error" text,
	"actor" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
-- One rotation at a time.
CREATE UNIQUE INDEX "key_rotations_open" ON "key_rotations" USING btree (("ended_at" is null)) WHERE "key_rotations"."ended_at" is null;
--> statement-breakpoint
-- What follows a call, and what comes in from outside.

-- What follows one call, written with the call's outcome.
-- follow_ups_attempt_id_unique: one for an attempt, however often that is settled (I5).
CREATE TABLE "follow_ups" (
	"id" uuid PRIMARY KEY NOT NULL,
	"attempt_id" bigint NOT NULL,
	"campaign_id" uuid NOT NULL,
	"contact_id" bigint NOT NULL,
	"phone" text NOT NULL,
	"call_id" text,
	"disposition" text NOT NULL,
	"policy_version" integer NOT NULL,
	"state" text NOT NULL,
	"processing" text,
	"wait_until" timestamp (3) with time zone NOT NULL,
	"hinted_at" timestamp (3) with time zone,
	"looks" integer DEFAULT 0 NOT NULL,
	"rules" jsonb,
	"labels" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "follow_ups_attempt_id_unique" UNIQUE("attempt_id")
);--> statement-breakpoint
ALTER TABLE "follow_ups" ADD CONSTRAINT "follow_ups_attempt_id_attempts_id_fk" FOREIGN KEY ("attempt_id") REFERENCES "public"."attempts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "follow_ups" ADD CONSTRAINT "follow_ups_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "follow_ups_call" ON "follow_ups" USING btree ("call_id") WHERE "follow_ups"."call_id" is not null;--> statement-breakpoint
CREATE INDEX "follow_ups_campaign" ON "follow_ups" USING btree ("campaign_id","created_at");--> statement-breakpoint
CREATE INDEX "follow_ups_open" ON "follow_ups" USING btree ("created_at") WHERE "follow_ups"."ended_at" is null;
--> statement-breakpoint
-- Something that is done outside of the ledger; its id is its idempotency key in every try (I5).
-- actions_of_one: it is of one follow-up, one enrolment or one run of a schedule.
CREATE TABLE "actions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"follow_up_id" uuid,
	"enrolment_id" uuid,
	"schedule_run_id" uuid,
	"owner" text NOT NULL,
	"n" smallint NOT NULL,
	"kind" text NOT NULL,
	"spec" jsonb NOT NULL,
	"state" text NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"next_try_at" timestamp (3) with time zone,
	"sent_at" timestamp (3) with time zone,
	"external_id" text,
	"request" jsonb,
	"answer" jsonb,
	"error" text,
	"insisted_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "actions_of_one" CHECK (num_nonnulls("actions"."follow_up_id", "actions"."enrolment_id", "actions"."schedule_run_id") = 1)
);--> statement-breakpoint
ALTER TABLE "actions" ADD CONSTRAINT "actions_follow_up_id_follow_ups_id_fk" FOREIGN KEY ("follow_up_id") REFERENCES "public"."follow_ups"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "actions" ADD CONSTRAINT "actions_enrolment_id_enrolments_id_fk" FOREIGN KEY ("enrolment_id") REFERENCES "public"."enrolments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "actions" ADD CONSTRAINT "actions_schedule_run_id_schedule_runs_id_fk" FOREIGN KEY ("schedule_run_id") REFERENCES "public"."schedule_runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "actions_follow_up" ON "actions" USING btree ("follow_up_id","owner","n");--> statement-breakpoint
CREATE INDEX "actions_enrolment" ON "actions" USING btree ("enrolment_id");--> statement-breakpoint
CREATE INDEX "actions_schedule_run" ON "actions" USING btree ("schedule_run_id") WHERE "actions"."schedule_run_id" is not null;--> statement-breakpoint
CREATE INDEX "actions_listed" ON "actions" USING btree ("state","created_at");
--> statement-breakpoint
-- Words that rules gave to people.
CREATE TABLE "tags" (
	"brand" text NOT NULL,
	"phone" text NOT NULL,
	"tag" text NOT NULL,
	"source" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "tags_brand_phone_tag_pk" PRIMARY KEY("brand","phone","tag")
);--> statement-breakpoint
ALTER TABLE "tags" ADD CONSTRAINT "tags_brand_brands_id_fk" FOREIGN KEY ("brand") REFERENCES "public"."brands"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
-- Doors through which other systems tell of something.
CREATE TABLE "triggers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"definition" jsonb NOT NULL,
	"version" integer NOT NULL,
	"enabled" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "triggers_name_unique" UNIQUE("name")
);
--> statement-breakpoint
-- What came through a trigger, whole, before it was acknowledged.
-- deliveries_once: the same delivery is one row, however often it comes (I5).
CREATE TABLE "deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"trigger_id" uuid NOT NULL,
	"key" text NOT NULL,
	"digest" text NOT NULL,
	"body" text,
	"received_at" timestamp (3) with time zone NOT NULL,
	"times" integer DEFAULT 1 NOT NULL,
	"state" text NOT NULL,
	"result" jsonb,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "deliveries_once" UNIQUE("trigger_id","key")
);--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_trigger_id_triggers_id_fk" FOREIGN KEY ("trigger_id") REFERENCES "public"."triggers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deliveries_listed" ON "deliveries" USING btree ("trigger_id","received_at");--> statement-breakpoint
CREATE INDEX "deliveries_age" ON "deliveries" USING btree ("received_at");
--> statement-breakpoint
-- What was done for items of deliveries: once for a trigger and a key, whichever delivery it comes in (I5).
CREATE TABLE "trigger_items" (
	"trigger_id" uuid NOT NULL,
	"key" text NOT NULL,
	"what" text NOT NULL,
	"delivery_id" uuid NOT NULL,
	"n" integer NOT NULL,
	"result" jsonb,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "trigger_items_trigger_id_key_what_pk" PRIMARY KEY("trigger_id","key","what")
);--> statement-breakpoint
ALTER TABLE "trigger_items" ADD CONSTRAINT "trigger_items_trigger_id_triggers_id_fk" FOREIGN KEY ("trigger_id") REFERENCES "public"."triggers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "trigger_items_age" ON "trigger_items" USING btree ("at");
--> statement-breakpoint
-- Calls that webhooks of the platform named: that there is something to see, never what (I4).
CREATE TABLE "call_hints" (
	"call_id" text PRIMARY KEY NOT NULL,
	"first_at" timestamp (3) with time zone NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	"times" integer DEFAULT 1 NOT NULL,
	"state" text NOT NULL,
	"looks" integer DEFAULT 0 NOT NULL
);--> statement-breakpoint
CREATE INDEX "call_hints_age" ON "call_hints" USING btree ("last_at");
--> statement-breakpoint
-- Calls from people to our numbers, as far as they concern somebody whom we call.
CREATE TABLE "inbound_calls" (
	"call_id" text PRIMARY KEY NOT NULL,
	"phone" text NOT NULL,
	"to_number" text,
	"at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"settled_at" timestamp (3) with time zone,
	"opted_out" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);--> statement-breakpoint
CREATE INDEX "inbound_calls_phone" ON "inbound_calls" USING btree ("phone","at");--> statement-breakpoint
CREATE INDEX "inbound_calls_open" ON "inbound_calls" USING btree ("created_at") WHERE "inbound_calls"."settled_at" is null;
--> statement-breakpoint
-- How far somebody who walks along a growing list has come.
CREATE TABLE "watermarks" (
	"name" text PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
-- What each pass of the sweeper found that had no end.
CREATE TABLE "sweeps" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sweeps_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone NOT NULL,
	"found" integer NOT NULL,
	"settled" integer NOT NULL,
	"detail" jsonb NOT NULL
);
--> statement-breakpoint
-- What was done by whom, and what waits to be.

-- Who did what, when: commands of people, and decisions of the engine above single contacts (I7).
CREATE TABLE "audit" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone NOT NULL,
	"actor" text NOT NULL,
	"action" text NOT NULL,
	"campaign_id" uuid,
	"detail" jsonb NOT NULL
);--> statement-breakpoint
CREATE INDEX "audit_campaign" ON "audit" USING btree ("campaign_id","id");
--> statement-breakpoint
-- Commands that named themselves, by what they were given to: the same one again does nothing (I5).
CREATE TABLE "given_commands" (
	"subject" uuid NOT NULL,
	"command_id" text NOT NULL,
	"request" text,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "given_commands_subject_command_id_pk" PRIMARY KEY("subject","command_id")
);
--> statement-breakpoint
-- Numbers that a recovery could book on nobody: a person says what they were dialed for (I1). No brand: nobody knows
-- for whom. Found by number.
CREATE TABLE "unbooked_dials" (
	"phone" text NOT NULL,
	"platform_batch_id" text NOT NULL,
	"brand" text,
	"dialed_until" timestamp (3) with time zone NOT NULL,
	"noted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "unbooked_dials_phone_platform_batch_id_pk" PRIMARY KEY("phone","platform_batch_id")
);
--> statement-breakpoint
-- The last time that the platform refused a request as one too many, whoever sent it. One row.
CREATE TABLE "platform_refusal" (
	"one" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"began_at" timestamp (3) with time zone NOT NULL,
	"held_until" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "platform_refusal_one" CHECK ("platform_refusal"."one")
);
--> statement-breakpoint
-- Work that one process does for all: whoever holds the lease does it.
CREATE TABLE "leases" (
	"name" text PRIMARY KEY NOT NULL,
	"holder" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
-- What was accepted and has to be handed on, written in the transaction that accepted it (I5).
-- outbox_once: what is written again while it waits becomes due again.
CREATE TABLE "outbox" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "outbox_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"turn" integer DEFAULT 0 NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"people" integer,
	CONSTRAINT "outbox_once" UNIQUE("kind","subject")
);--> statement-breakpoint
CREATE INDEX "outbox_due" ON "outbox" USING btree ("due_at","id");
--> statement-breakpoint
-- Which delivery was accepted first.
CREATE INDEX "outbox_in_order" ON "outbox" USING btree ("id") WHERE "outbox"."kind" = 'delivery' and "outbox"."tries" = 0;
--> statement-breakpoint
-- Which of them nobody has looked at.
CREATE INDEX "outbox_unread" ON "outbox" USING btree ("id") WHERE "outbox"."kind" = 'delivery' and "outbox"."tries" = 0 and "outbox"."people" is null;
--> statement-breakpoint
-- Deliveries that were taken up before: they stand aside, and keep nobody waiting.
CREATE INDEX "outbox_deliveries_aside" ON "outbox" USING btree ("due_at") WHERE "outbox"."kind" = 'delivery' and "outbox"."tries" > 0;
--> statement-breakpoint
-- Whom the deliveries that wait are about: what is told of one person is done in the order of acceptance.
CREATE TABLE "delivery_people" (
	"place" bigint NOT NULL,
	"person" bigint NOT NULL,
	CONSTRAINT "delivery_people_place_person_pk" PRIMARY KEY("place","person")
);--> statement-breakpoint
CREATE INDEX "delivery_people_in_order" ON "delivery_people" USING btree ("person","place");
--> statement-breakpoint
-- What waits for a person. Of some of it the ledger says by itself when it is over: what it is about, its id, and what
-- was done with it.
CREATE TABLE "attention" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "attention_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"about" text,
	"about_id" text,
	"verb" text,
	"brand" text NOT NULL,
	"summary" text NOT NULL,
	"remedy" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"times" integer DEFAULT 1 NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	"resolved_by" text,
	"resolution" text
);
--> statement-breakpoint
-- Each thing once, until somebody has dealt with it.
CREATE UNIQUE INDEX "attention_open" ON "attention" USING btree ("kind","subject") WHERE "attention"."resolved_at" is null;
--> statement-breakpoint
-- Requests that named themselves: the same key has the same answer, for some time (I5).
CREATE TABLE "request_keys" (
	"key" text PRIMARY KEY NOT NULL,
	"digest" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"status" integer,
	"answer" text
);--> statement-breakpoint
CREATE INDEX "request_keys_age" ON "request_keys" USING btree ("at");
