import type { FastifyInstance, FastifyRequest } from "fastify";

import type { Faults, FaultOf } from "./faults.ts";

/** Every time in an answer: the sandbox's clock writes all of them like this. */
const TIMES = /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})Z"/g;

/** Lets the faults of answers happen to the answers of `app`: what was done is done, and is told wrongly. */
export function installAnswerFaults(
  app: FastifyInstance,
  faults: Faults,
  nameOf: (request: FastifyRequest) => string,
): void {
  app.addHook("onSend", async (request, _reply, payload) => {
    if (typeof payload !== "string") {
      return payload;
    }
    const garbles = faults.takeGarbles(nameOf(request), ({ phone, id }) =>
      [phone, id].every((wanted) => wanted === undefined || payload.includes(`"${wanted}"`)),
    );
    const garbled = garbles.length === 0 ? payload : garble(payload, garbles);
    const shape = faults.peek("time_shape")?.shape;
    return shape === undefined
      ? garbled
      : garbled.replaceAll(TIMES, (_, time: string) => written(time, shape));
  });
}

function garble(payload: string, faults: readonly FaultOf<"garble">[]): string {
  const answer: unknown = JSON.parse(payload);
  return JSON.stringify(faults.reduce(garbleAnswer, answer));
}

function garbleAnswer(answer: unknown, fault: FaultOf<"garble">): unknown {
  const each = (rows: readonly unknown[]) => rows.map((row) => garbleRecord(row, fault));
  if (Array.isArray(answer)) {
    return each(answer);
  }
  const rows: unknown = isObject(answer) ? Reflect.get(answer, "items") : undefined;
  return isObject(answer) && Array.isArray(rows)
    ? { ...answer, items: each(rows) }
    : garbleRecord(answer, fault);
}

const NUMBERS = ["phone_number", "to_number", "from_number"];
const IDS = ["batch_call_id", "item_id", "call_id"];

function garbleRecord(record: unknown, { fields, row, phone, id }: FaultOf<"garble">): unknown {
  if (!isObject(record)) {
    return record;
  }
  const shows = (names: readonly string[], wanted: string | undefined) =>
    wanted === undefined || names.some((name) => Reflect.get(record, name) === wanted);
  if (!shows(NUMBERS, phone) || !shows(IDS, id)) {
    return record;
  }
  return row === undefined ? { ...record, ...fields } : row;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A time in UTC, without its zone, in JSON. */
function written(time: string, shape: FaultOf<"time_shape">["shape"]): string {
  const epochMs = Date.parse(`${time}Z`);
  switch (shape) {
    case "naive":
      return `"${time.slice(0, 19)}"`;
    case "spaced":
      return `"${time.replace("T", " ")}"`;
    case "microseconds":
      return `"${time}000"`;
    case "offset":
      // Somewhere that is never UTC: read as local time of the machine, or without its offset, it is hours off.
      return `"${new Date(epochMs + OFFSET_MS).toISOString().slice(0, 19)}+05:30"`;
    case "epoch_seconds":
      return String(epochMs / 1_000);
    case "epoch_milliseconds":
      return String(epochMs);
  }
}

const OFFSET_MS = 5.5 * 60 * 60_000;
