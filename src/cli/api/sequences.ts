import type { Readable } from "node:stream";

import { SLOW_ANSWER_MS, type Query, type Transport } from "./transport.ts";

const wire = () => import("../../http/wire/sequences.ts");

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

/** Sequences, and who is in them. `ref` is a sequence's id or name. */
export function sequencesOver(transport: Transport) {
  const pathOf = (ref: string, rest = "") => `/v1/sequences/${encodeURIComponent(ref)}${rest}`;
  const enrolmentPath = (id: string, rest = "") => `/v1/enrolments/${encodeURIComponent(id)}${rest}`;
  return {
    put: (definition: unknown, ifVersion?: number) =>
      transport.ask(async () => (await wire()).sequencePutSchema, {
        method: "PUT",
        path: "/v1/sequences",
        body: { definition, if_version: ifVersion },
      }),
    list: (query: Query) =>
      transport.ask(async () => (await wire()).sequencePageSchema, { path: "/v1/sequences", query }),
    get: (ref: string, brand: string) =>
      transport.ask(async () => (await wire()).sequenceSchema, { path: pathOf(ref), query: { brand } }),
    tell: (ref: string, command: string, brand: string, reason: string | undefined) =>
      transport.ask(async () => (await wire()).sequenceCommandSchema, {
        method: "POST",
        path: pathOf(ref, `/${command}`),
        query: { brand },
        body: { reason },
        // Everybody in it is told, or its batches are stopped, before it is answered.
        answerWithinMs: SLOW_ANSWER_MS,
      }),
    enroll: (ref: string, brand: string, body: EnrollBody) =>
      transport.ask(async () => (await wire()).enrolledSchema, {
        method: "POST",
        path: pathOf(ref, "/enrolments"),
        query: { brand },
        body,
      }),
    /** The rows of its lists that were not taken, as CSV; to be read to its end. */
    rejects: (ref: string, brand: string) =>
      transport.open({ path: pathOf(ref, "/rejects.csv"), query: { brand }, answerWithinMs: SLOW_ANSWER_MS }),
    enrollList: (ref: string, brand: string, list: EnrollList) =>
      transport.ask(async () => (await wire()).enrolmentListSchema, {
        method: "POST",
        path: pathOf(ref, "/enrolments/list"),
        query: {
          brand,
          source_name: list.sourceName,
          map: JSON.stringify(list.map),
          default_region: list.defaultRegion,
          key_column: list.keyColumn,
          digest: list.digest,
        },
        stream: { contentType: "application/octet-stream", readable: list.readable },
        // The answer comes when the last row is in.
        answerWithinMs: 0,
      }),
    enrolments: (ref: string, query: Query) =>
      transport.ask(async () => (await wire()).enrolmentPageSchema, {
        path: pathOf(ref, "/enrolments"),
        query,
      }),
    enrolment: (id: string) =>
      transport.ask(async () => (await wire()).enrolmentSchema, { path: enrolmentPath(id) }),
    event: (ref: string, brand: string, event: ToldEvent & { phone: string }) =>
      transport.ask(async () => (await wire()).sequenceEventSchema, {
        method: "POST",
        path: pathOf(ref, "/event"),
        query: { brand },
        body: event,
      }),
    eventOfOne: (id: string, event: ToldEvent) =>
      transport.ask(async () => (await wire()).enrolmentCommandSchema, {
        method: "POST",
        path: enrolmentPath(id, "/event"),
        body: event,
      }),
    tellOne: (id: string, command: string, input: ToldInput) =>
      transport.ask(async () => (await wire()).enrolmentCommandSchema, {
        method: "POST",
        path: enrolmentPath(id, `/${command}`),
        body: input,
      }),
  };
}
