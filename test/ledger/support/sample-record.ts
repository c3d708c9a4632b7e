import {
  document,
  flag,
  from,
  moment,
  number,
  optional,
  record,
  text,
  texts,
  word,
} from "../../../src/ledger/ground/record.ts";

/** Of campaigns `p`, in every way that a field may be said. */
const SHARED = { brand: text, stateReason: optional(text) };

export const SAMPLE = record(
  {
    ...SHARED,
    state: word<"running" | "paused">(),
    attempts: from("p.attempt_count", number),
    standing: flag,
    zones: from("array[p.brand]", texts),
    dispositions: document((value) => Object.keys(value as object)),
    createdAtMs: moment,
    nextLookAtMs: optional(moment),
    overAtMs: from("p.ended_at", optional(moment)),
  },
  "p",
);
