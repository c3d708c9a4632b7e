import { z } from "zod";

import type { Db, Ledger } from "../../../ledger/ground/connection.ts";
import { findSchedule, UnknownScheduleError, type Schedule } from "../../../ledger/schedules/schedules.ts";
import { Problem } from "../../problem.ts";
import { unknownSchedule } from "../../unknown.ts";

export const scheduleParams = z.object({ name: z.string().min(1).max(200) });

export async function requireSchedule(db: Db, name: string): Promise<Schedule> {
  const schedule = await findSchedule(db, name);
  if (schedule) return schedule;
  throw unknownSchedule(name);
}

/** A transaction about a schedule, which answers 404 where there is none. */
export async function aboutSchedule<T>(ledger: Ledger, work: (tx: Db) => Promise<T>): Promise<T> {
  try {
    return await ledger.transaction(work);
  } catch (error) {
    if (error instanceof UnknownScheduleError)
      throw new Problem({ status: 404, code: "unknown_schedule", detail: error.message }, { cause: error });
    throw error;
  }
}
