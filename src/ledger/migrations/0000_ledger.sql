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
	"error_text" text,
	"disposition" text,
	"disposition_reason" text,
	"planned_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"duration_seconds" double precision,
	"settled_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "audit" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone NOT NULL,
	"actor" text NOT NULL,
	"action" text NOT NULL,
	"campaign_id" uuid,
	"detail" jsonb NOT NULL
);
--> statement-breakpoint
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
	"start_seen_at" timestamp (3) with time zone,
	"stop_reason" text,
	"stop_requested_at" timestamp (3) with time zone,
	"terminal_seen_at" timestamp (3) with time zone,
	"first_read_at" timestamp (3) with time zone,
	"first_read" jsonb,
	"proven" jsonb,
	"settled_at" timestamp (3) with time zone,
	CONSTRAINT "batches_held_within_slots" CHECK ("batches"."held" >= 0 and "batches"."held" <= "batches"."slots")
);
--> statement-breakpoint
CREATE TABLE "brands" (
	"id" text PRIMARY KEY NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "campaigns" (
	"id" uuid PRIMARY KEY NOT NULL,
	"brand" text NOT NULL,
	"name" text NOT NULL,
	"run" integer NOT NULL,
	"state" text NOT NULL,
	"ending" text,
	"state_reason" text,
	"spec" jsonb NOT NULL,
	"policy_version" integer NOT NULL,
	"concurrency" integer NOT NULL,
	"seq" bigint DEFAULT 0 NOT NULL,
	"follow_fence" bigint DEFAULT 0 NOT NULL,
	"starved" boolean DEFAULT false NOT NULL,
	"next_look_at" timestamp (3) with time zone,
	"open_count" integer DEFAULT 0 NOT NULL,
	"leased_count" integer DEFAULT 0 NOT NULL,
	"done_count" integer DEFAULT 0 NOT NULL,
	"excluded_count" integer DEFAULT 0 NOT NULL,
	"attempt_count" integer DEFAULT 0 NOT NULL,
	"dispositions" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"hold_ms_sum" double precision DEFAULT 0 NOT NULL,
	"hold_count" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "campaigns_brand_name_run" UNIQUE("brand","name","run")
);
--> statement-breakpoint
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
	"returns" smallint DEFAULT 0 NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"last_disposition" text,
	"outcome" text,
	"reason" text,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "contacts_campaign_phone" UNIQUE("campaign_id","phone")
);
--> statement-breakpoint
CREATE TABLE "holds" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "holds_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"campaign_id" uuid NOT NULL,
	"zone_set_id" integer,
	"reason" text NOT NULL,
	"detail" text NOT NULL,
	"policy_version" integer NOT NULL,
	"from_at" timestamp (3) with time zone NOT NULL,
	"until_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "import_rejects" (
	"import_id" bigint NOT NULL,
	"line" integer NOT NULL,
	"code" text NOT NULL,
	"reason" text NOT NULL,
	"raw" text NOT NULL,
	CONSTRAINT "import_rejects_import_id_line_pk" PRIMARY KEY("import_id","line")
);
--> statement-breakpoint
CREATE TABLE "imports" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "imports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"campaign_id" uuid NOT NULL,
	"digest" text NOT NULL,
	"source_name" text NOT NULL,
	"settings" jsonb NOT NULL,
	"through_line" integer DEFAULT 0 NOT NULL,
	"rows_read" integer DEFAULT 0 NOT NULL,
	"rows_rejected" integer DEFAULT 0 NOT NULL,
	"rows_duplicate" integer DEFAULT 0 NOT NULL,
	"rows_accepted" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"completed_at" timestamp (3) with time zone,
	CONSTRAINT "imports_campaign_digest" UNIQUE("campaign_id","digest")
);
--> statement-breakpoint
CREATE TABLE "installation" (
	"one" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"installation_id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"stopped_at" timestamp (3) with time zone,
	"stopped_reason" text,
	"recovery_reason" text,
	"recovered_at" timestamp (3) with time zone,
	CONSTRAINT "installation_is_one_row" CHECK ("installation"."one")
);
--> statement-breakpoint
CREATE TABLE "lanes" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "lanes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"campaign_id" uuid NOT NULL,
	"zone_set_id" integer NOT NULL,
	"priority" smallint NOT NULL,
	CONSTRAINT "lanes_campaign_zones_priority" UNIQUE("campaign_id","zone_set_id","priority")
);
--> statement-breakpoint
CREATE TABLE "leases" (
	"name" text PRIMARY KEY NOT NULL,
	"holder" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "policy_versions" (
	"campaign_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"spec" jsonb NOT NULL,
	"actor" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "policy_versions_campaign_id_version_pk" PRIMARY KEY("campaign_id","version")
);
--> statement-breakpoint
CREATE TABLE "refusals" (
	"contact_id" bigint NOT NULL,
	"reason" text NOT NULL,
	"policy_version" integer NOT NULL,
	"detail" text NOT NULL,
	"times" integer DEFAULT 1 NOT NULL,
	"first_at" timestamp (3) with time zone NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "refusals_contact_id_reason_policy_version_pk" PRIMARY KEY("contact_id","reason","policy_version")
);
--> statement-breakpoint
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
);
--> statement-breakpoint
CREATE TABLE "zone_sets" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "zone_sets_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"key" text NOT NULL,
	"zones" text[] NOT NULL,
	CONSTRAINT "zone_sets_key_unique" UNIQUE("key")
);
--> statement-breakpoint
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batches" ADD CONSTRAINT "batches_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_brand_brands_id_fk" FOREIGN KEY ("brand") REFERENCES "public"."brands"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_lane_id_lanes_id_fk" FOREIGN KEY ("lane_id") REFERENCES "public"."lanes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holds" ADD CONSTRAINT "holds_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holds" ADD CONSTRAINT "holds_zone_set_id_zone_sets_id_fk" FOREIGN KEY ("zone_set_id") REFERENCES "public"."zone_sets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_rejects" ADD CONSTRAINT "import_rejects_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lanes" ADD CONSTRAINT "lanes_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lanes" ADD CONSTRAINT "lanes_zone_set_id_zone_sets_id_fk" FOREIGN KEY ("zone_set_id") REFERENCES "public"."zone_sets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "policy_versions" ADD CONSTRAINT "policy_versions_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refusals" ADD CONSTRAINT "refusals_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suppressions" ADD CONSTRAINT "suppressions_brand_brands_id_fk" FOREIGN KEY ("brand") REFERENCES "public"."brands"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "attempts_contact_no" ON "attempts" USING btree ("contact_id","attempt_no") WHERE "attempts"."state" <> 'returned';--> statement-breakpoint
CREATE UNIQUE INDEX "attempts_one_open_per_phone" ON "attempts" USING btree ("phone") WHERE "attempts"."state" = 'open';--> statement-breakpoint
CREATE INDEX "attempts_contact" ON "attempts" USING btree ("contact_id");--> statement-breakpoint
CREATE INDEX "attempts_batch" ON "attempts" USING btree ("batch_id");--> statement-breakpoint
CREATE INDEX "attempts_provisional" ON "attempts" USING btree ("campaign_id") WHERE "attempts"."state" = 'provisional';--> statement-breakpoint
CREATE INDEX "audit_campaign" ON "audit" USING btree ("campaign_id","id");--> statement-breakpoint
CREATE INDEX "batches_unsettled" ON "batches" USING btree ("campaign_id") WHERE "batches"."state" <> 'settled';--> statement-breakpoint
CREATE INDEX "batches_platform" ON "batches" USING btree ("platform_batch_id");--> statement-breakpoint
CREATE INDEX "campaigns_not_ended" ON "campaigns" USING btree ("state") WHERE "campaigns"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "contacts_due" ON "contacts" USING btree ("lane_id","due_at","id") WHERE "contacts"."state" = 'open';--> statement-breakpoint
CREATE INDEX "contacts_phone" ON "contacts" USING btree ("phone");--> statement-breakpoint
CREATE UNIQUE INDEX "holds_open" ON "holds" USING btree ("campaign_id",coalesce("zone_set_id", 0),"reason") WHERE "holds"."until_at" is null;--> statement-breakpoint
CREATE INDEX "holds_campaign" ON "holds" USING btree ("campaign_id","from_at");--> statement-breakpoint
CREATE INDEX "suppressions_in_force" ON "suppressions" USING btree ("phone") WHERE "suppressions"."removed_at" is null;