CREATE TABLE "actions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"follow_up_id" uuid,
	"enrolment_id" uuid,
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
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "actions_of_one" CHECK (num_nonnulls("actions"."follow_up_id", "actions"."enrolment_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "attention" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "attention_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"subject" text NOT NULL,
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
CREATE TABLE "call_hints" (
	"call_id" text PRIMARY KEY NOT NULL,
	"first_at" timestamp (3) with time zone NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	"times" integer DEFAULT 1 NOT NULL,
	"state" text NOT NULL,
	"looks" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
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
);
--> statement-breakpoint
CREATE TABLE "enrolment_inbox" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "enrolment_inbox_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"enrolment_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"name" text,
	"data" jsonb NOT NULL,
	"request_key" text,
	"actor" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
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
	"state" text NOT NULL,
	"paused" boolean DEFAULT false NOT NULL,
	"parked" boolean DEFAULT false NOT NULL,
	"position" jsonb NOT NULL,
	"step" text,
	"turn" integer DEFAULT 0 NOT NULL,
	"inbox_seen" bigint DEFAULT 0 NOT NULL,
	"wake_at" timestamp (3) with time zone,
	"outcome" text,
	"reason" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "enrolments_request_key_unique" UNIQUE("request_key")
);
--> statement-breakpoint
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
);
--> statement-breakpoint
CREATE TABLE "inbound_calls" (
	"call_id" text PRIMARY KEY NOT NULL,
	"phone" text NOT NULL,
	"to_number" text,
	"at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"settled_at" timestamp (3) with time zone,
	"opted_out" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "journeys" (
	"enrolment_id" uuid NOT NULL,
	"n" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"step" text,
	"what" text NOT NULL,
	"detail" jsonb NOT NULL,
	CONSTRAINT "journeys_enrolment_id_n_pk" PRIMARY KEY("enrolment_id","n")
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "outbox_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"turn" integer DEFAULT 0 NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "outbox_once" UNIQUE("kind","subject")
);
--> statement-breakpoint
CREATE TABLE "sequence_versions" (
	"sequence_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"definition" jsonb NOT NULL,
	"digest" text NOT NULL,
	"actor" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sequence_versions_sequence_id_version_pk" PRIMARY KEY("sequence_id","version")
);
--> statement-breakpoint
CREATE TABLE "sequences" (
	"id" uuid PRIMARY KEY NOT NULL,
	"brand" text NOT NULL,
	"name" text NOT NULL,
	"state" text NOT NULL,
	"state_reason" text,
	"version" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sequences_brand_name" UNIQUE("brand","name")
);
--> statement-breakpoint
CREATE TABLE "sweeps" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sweeps_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone NOT NULL,
	"found" integer NOT NULL,
	"settled" integer NOT NULL,
	"detail" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tags" (
	"brand" text NOT NULL,
	"phone" text NOT NULL,
	"tag" text NOT NULL,
	"source" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "tags_brand_phone_tag_pk" PRIMARY KEY("brand","phone","tag")
);
--> statement-breakpoint
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
CREATE TABLE "watermarks" (
	"name" text PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "campaigns" DROP CONSTRAINT "campaigns_brand_name_run";--> statement-breakpoint
ALTER TABLE "contacts" DROP CONSTRAINT "contacts_campaign_phone";--> statement-breakpoint
ALTER TABLE "imports" ALTER COLUMN "campaign_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "standing" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "standing_key" text;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "parent_id" uuid;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "placement" text;--> statement-breakpoint
ALTER TABLE "imports" ADD COLUMN "sequence_id" uuid;--> statement-breakpoint
ALTER TABLE "actions" ADD CONSTRAINT "actions_follow_up_id_follow_ups_id_fk" FOREIGN KEY ("follow_up_id") REFERENCES "public"."follow_ups"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "actions" ADD CONSTRAINT "actions_enrolment_id_enrolments_id_fk" FOREIGN KEY ("enrolment_id") REFERENCES "public"."enrolments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_trigger_id_triggers_id_fk" FOREIGN KEY ("trigger_id") REFERENCES "public"."triggers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "enrolment_inbox" ADD CONSTRAINT "enrolment_inbox_enrolment_id_enrolments_id_fk" FOREIGN KEY ("enrolment_id") REFERENCES "public"."enrolments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "enrolments" ADD CONSTRAINT "enrolments_sequence_id_sequences_id_fk" FOREIGN KEY ("sequence_id") REFERENCES "public"."sequences"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "enrolments" ADD CONSTRAINT "enrolments_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "enrolments" ADD CONSTRAINT "enrolments_zone_set_id_zone_sets_id_fk" FOREIGN KEY ("zone_set_id") REFERENCES "public"."zone_sets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "follow_ups" ADD CONSTRAINT "follow_ups_attempt_id_attempts_id_fk" FOREIGN KEY ("attempt_id") REFERENCES "public"."attempts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "follow_ups" ADD CONSTRAINT "follow_ups_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "journeys" ADD CONSTRAINT "journeys_enrolment_id_enrolments_id_fk" FOREIGN KEY ("enrolment_id") REFERENCES "public"."enrolments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sequence_versions" ADD CONSTRAINT "sequence_versions_sequence_id_sequences_id_fk" FOREIGN KEY ("sequence_id") REFERENCES "public"."sequences"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sequences" ADD CONSTRAINT "sequences_brand_brands_id_fk" FOREIGN KEY ("brand") REFERENCES "public"."brands"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tags" ADD CONSTRAINT "tags_brand_brands_id_fk" FOREIGN KEY ("brand") REFERENCES "public"."brands"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "actions_follow_up" ON "actions" USING btree ("follow_up_id","owner","n");--> statement-breakpoint
CREATE INDEX "actions_enrolment" ON "actions" USING btree ("enrolment_id");--> statement-breakpoint
CREATE INDEX "actions_listed" ON "actions" USING btree ("state","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "attention_open" ON "attention" USING btree ("kind","subject") WHERE "attention"."resolved_at" is null;--> statement-breakpoint
CREATE INDEX "call_hints_age" ON "call_hints" USING btree ("last_at");--> statement-breakpoint
CREATE INDEX "deliveries_listed" ON "deliveries" USING btree ("trigger_id","received_at");--> statement-breakpoint
CREATE INDEX "deliveries_age" ON "deliveries" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "enrolment_inbox_order" ON "enrolment_inbox" USING btree ("enrolment_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "enrolment_inbox_once" ON "enrolment_inbox" USING btree ("enrolment_id","request_key") WHERE "enrolment_inbox"."request_key" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "enrolments_open" ON "enrolments" USING btree ("sequence_id","phone","key") WHERE "enrolments"."state" = 'active';--> statement-breakpoint
CREATE INDEX "enrolments_phone" ON "enrolments" USING btree ("phone");--> statement-breakpoint
CREATE INDEX "enrolments_listed" ON "enrolments" USING btree ("sequence_id","state","created_at","id");--> statement-breakpoint
CREATE INDEX "follow_ups_call" ON "follow_ups" USING btree ("call_id") WHERE "follow_ups"."call_id" is not null;--> statement-breakpoint
CREATE INDEX "follow_ups_campaign" ON "follow_ups" USING btree ("campaign_id","created_at");--> statement-breakpoint
CREATE INDEX "follow_ups_open" ON "follow_ups" USING btree ("created_at") WHERE "follow_ups"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "inbound_calls_phone" ON "inbound_calls" USING btree ("phone","at");--> statement-breakpoint
CREATE INDEX "inbound_calls_open" ON "inbound_calls" USING btree ("created_at") WHERE "inbound_calls"."settled_at" is null;--> statement-breakpoint
CREATE INDEX "outbox_due" ON "outbox" USING btree ("due_at","id");--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_sequence_id_sequences_id_fk" FOREIGN KEY ("sequence_id") REFERENCES "public"."sequences"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "attempts_call" ON "attempts" USING btree ("call_id") WHERE "attempts"."call_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "campaigns_brand_name_run" ON "campaigns" USING btree ("brand","name","run") WHERE not "campaigns"."standing";--> statement-breakpoint
CREATE INDEX "campaigns_parent" ON "campaigns" USING btree ("parent_id") WHERE "campaigns"."parent_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "contacts_campaign_phone" ON "contacts" USING btree ("campaign_id","phone") WHERE "contacts"."placement" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "contacts_placement" ON "contacts" USING btree ("placement") WHERE "contacts"."placement" is not null;--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_standing_key_unique" UNIQUE("standing_key");--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_sequence_digest" UNIQUE("sequence_id","digest");--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_of_one" CHECK (num_nonnulls("imports"."campaign_id", "imports"."sequence_id") = 1);--> statement-breakpoint
-- A call that a sequence placed tells it when it is over, whichever way it came to its end (I3, I5).
CREATE FUNCTION "tell_enrolment"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "outbox" ("kind", "subject", "due_at", "created_at")
	VALUES ('enrolment', split_part(NEW."placement", ':', 2), coalesce(NEW."ended_at", now()), coalesce(NEW."ended_at", now()))
	ON CONFLICT ("kind", "subject") DO UPDATE
		SET "turn" = "outbox"."turn" + 1, "due_at" = least("outbox"."due_at", excluded."due_at");
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "contacts_tell_enrolment" AFTER UPDATE OF "state" ON "contacts" FOR EACH ROW
	WHEN (NEW."placement" LIKE 'enrolment:%' AND NEW."state" IN ('done', 'excluded') AND OLD."state" NOT IN ('done', 'excluded'))
	EXECUTE FUNCTION "tell_enrolment"();
