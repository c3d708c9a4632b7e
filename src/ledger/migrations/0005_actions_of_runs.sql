CREATE INDEX "actions_schedule_run" ON "actions" USING btree ("schedule_run_id") WHERE "actions"."schedule_run_id" is not null;
