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
);
--> statement-breakpoint
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
);
--> statement-breakpoint
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
ALTER TABLE "actions" DROP CONSTRAINT "actions_of_one";--> statement-breakpoint
ALTER TABLE "actions" ADD COLUMN "schedule_run_id" uuid;--> statement-breakpoint
ALTER TABLE "schedule_runs" ADD CONSTRAINT "schedule_runs_schedule_id_schedules_id_fk" FOREIGN KEY ("schedule_id") REFERENCES "public"."schedules"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedule_runs" ADD CONSTRAINT "schedule_runs_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "automation_executions_listed" ON "automation_executions" USING btree ("workflow_id","started_at");--> statement-breakpoint
CREATE UNIQUE INDEX "key_rotations_open" ON "key_rotations" USING btree (("key_rotations"."ended_at" is null)) WHERE "key_rotations"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "schedule_runs_listed" ON "schedule_runs" USING btree ("schedule_id","due_at");--> statement-breakpoint
CREATE INDEX "schedule_runs_open" ON "schedule_runs" USING btree ("created_at") WHERE "schedule_runs"."ended_at" is null;--> statement-breakpoint
ALTER TABLE "actions" ADD CONSTRAINT "actions_schedule_run_id_schedule_runs_id_fk" FOREIGN KEY ("schedule_run_id") REFERENCES "public"."schedule_runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "actions" ADD CONSTRAINT "actions_of_one" CHECK (num_nonnulls("actions"."follow_up_id", "actions"."enrolment_id", "actions"."schedule_run_id") = 1);