CREATE TABLE "request_keys" (
	"key" text PRIMARY KEY NOT NULL,
	"digest" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"status" integer,
	"answer" text
);
--> statement-breakpoint
ALTER TABLE "enrolments" ADD COLUMN "request_digest" text;--> statement-breakpoint
CREATE INDEX "request_keys_age" ON "request_keys" USING btree ("at");