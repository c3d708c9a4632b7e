CREATE TABLE "delivery_people" (
	"place" bigint NOT NULL,
	"person" bigint NOT NULL,
	CONSTRAINT "delivery_people_place_person_pk" PRIMARY KEY("place","person")
);
--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "people" integer;--> statement-breakpoint
CREATE INDEX "delivery_people_in_order" ON "delivery_people" USING btree ("person","place");--> statement-breakpoint
CREATE INDEX "outbox_unread" ON "outbox" USING btree ("id") WHERE "outbox"."kind" = 'delivery' and "outbox"."tries" = 0 and "outbox"."people" is null;--> statement-breakpoint
CREATE INDEX "outbox_deliveries_aside" ON "outbox" USING btree ("due_at") WHERE "outbox"."kind" = 'delivery' and "outbox"."tries" > 0;