import type { Readable } from "node:stream";

import { SLOW_ANSWER_MS, type Query, type Transport } from "./transport.ts";

export interface EnrollBody {
  phone: string;
  region?: string | undefined;
  time_zone?: string | undefined;
  country?: string | undefined;
  state?: string | undefined;
  postal_code?: string | undefined;
  consent?:
    | { basis: string; at: string; proof?: string | undefined; expires_at?: string | undefined }
    | undefined;
  variables: Readonly<Record<string, string>>;
  key?: string | undefined;
  request_key?: string | undefined;
}

/** A list of people on its way. */
export interface EnrollList {
  readable: Readable;
  digest: string;
  sourceName: string;
  map: Readonly<Record<string, string>>;
  defaultRegion: string | undefined;
  keyColumn: string | undefined;
}

export interface ToldInput {
  reason?: string | undefined;
  outcome?: string | undefined;
}

export interface ToldEvent {
  name: string;
  data: Readonly<Record<string, string>>;
  request_key?: string | undefined;
}

/** What is told to everybody in a sequence, and to one of them. */
const OF_ALL = {
  pause: "pauseSequence",
  resume: "resumeSequence",
  close: "closeSequence",
  exit: "exitSequence",
  skip: "skipStep",
} as const;
const OF_ONE = {
  pause: "pauseEnrolment",
  resume: "resumeEnrolment",
  exit: "exitEnrolment",
  skip: "skipEnrolment",
} as const;

type SequenceWord = keyof typeof OF_ALL;
type EnrolmentWord = keyof typeof OF_ONE;

/** Sequences, and who is in them. `ref` is a sequence's id or name. */
export function sequencesOver(transport: Transport) {
  return {
    put: (definition: unknown, ifVersion?: number) =>
      transport.ask("putSequence", { body: { definition, if_version: ifVersion } }),
    list: (query: Query) => transport.ask("listSequences", { query }),
    get: (ref: string, brand: string) => transport.ask("readSequence", { path: { ref }, query: { brand } }),
    tell: (ref: string, word: SequenceWord, brand: string, reason: string | undefined) =>
      transport.ask(
        OF_ALL[word],
        { path: { ref }, query: { brand }, body: { reason } },
        // Everybody in it is told, or its batches are stopped, before it is answered.
        { answerWithinMs: SLOW_ANSWER_MS },
      ),
    enroll: (ref: string, brand: string, body: EnrollBody) =>
      transport.ask("enroll", { path: { ref }, query: { brand }, body }),
    /** The rows of its lists that were not taken, as CSV; to be read to its end. */
    rejects: (ref: string, brand: string) =>
      transport.open(
        "downloadSequenceRejects",
        { path: { ref }, query: { brand } },
        { answerWithinMs: SLOW_ANSWER_MS },
      ),
    enrollList: (ref: string, brand: string, list: EnrollList) =>
      // The answer comes when the last row is in.
      transport.ask(
        "enrollList",
        {
          path: { ref },
          query: {
            brand,
            source_name: list.sourceName,
            map: JSON.stringify(list.map),
            default_region: list.defaultRegion,
            key_column: list.keyColumn,
            digest: list.digest,
          },
          body: list.readable,
        },
        { answerWithinMs: 0 },
      ),
    enrolments: (ref: string, query: Query) => transport.ask("listEnrolments", { path: { ref }, query }),
    enrolment: (id: string) => transport.ask("readEnrolment", { path: { id } }),
    event: (ref: string, brand: string, event: ToldEvent & { phone: string }) =>
      transport.ask("tellSequence", { path: { ref }, query: { brand }, body: event }),
    eventOfOne: (id: string, event: ToldEvent) =>
      transport.ask("tellEnrolment", { path: { id }, body: event }),
    move: (id: string, version: number, reason: string | undefined) =>
      transport.ask("moveEnrolment", { path: { id }, body: { version, reason } }),
    tellOne: (id: string, word: EnrolmentWord, input: ToldInput) =>
      transport.ask(OF_ONE[word], { path: { id }, body: input }),
  };
}
