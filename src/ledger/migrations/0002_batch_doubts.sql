ALTER TABLE "batches" ADD COLUMN "start_no" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "start_refusal" text;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "vanished_at" timestamp (3) with time zone;