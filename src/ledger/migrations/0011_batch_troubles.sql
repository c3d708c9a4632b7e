ALTER TABLE "batches" ADD COLUMN "trouble" text;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "trouble_since" timestamp (3) with time zone;