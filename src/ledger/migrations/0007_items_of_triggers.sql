CREATE TABLE "trigger_items" (
	"trigger_id" uuid NOT NULL,
	"key" text NOT NULL,
	"what" text NOT NULL,
	"delivery_id" uuid NOT NULL,
	"n" integer NOT NULL,
	"result" jsonb,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "trigger_items_trigger_id_key_what_pk" PRIMARY KEY("trigger_id","key","what")
);
--> statement-breakpoint
ALTER TABLE "trigger_items" ADD CONSTRAINT "trigger_items_trigger_id_triggers_id_fk" FOREIGN KEY ("trigger_id") REFERENCES "public"."triggers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "trigger_items_age" ON "trigger_items" USING btree ("at");