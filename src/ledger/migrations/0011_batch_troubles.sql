ALTER TABLE "batches" ADD COLUMN "trouble" text;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "trouble_since" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "batches_unaccounted" ON "batches" USING btree ("planned_at") WHERE "batches"."create_no" > case when "batches"."platform_batch_id" is null then 0 else 1 end;