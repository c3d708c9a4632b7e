import { SLOW_ANSWER_MS, type Query, type Transport } from "./transport.ts";

const wire = () => import("../../http/wire/people.ts");
const forgettings = () => import("../../http/wire/people/forgettings.ts");
const retentions = () => import("../../http/wire/people/retention.ts");

/** What is known of single people, over the HTTP API. */
export function peopleOver(transport: Transport) {
  return {
    story: (phone: string, query: Query) =>
      transport.ask(async () => (await wire()).storySchema, {
        path: `/v1/people/${encodeURIComponent(phone)}/story`,
        query,
      }),
    export: (phone: string, query: Query) =>
      transport.ask(async () => (await forgettings()).exportPageSchema, {
        path: `/v1/people/${encodeURIComponent(phone)}/export`,
        query,
      }),
    calls: (phone: string, query: Query) =>
      transport.ask(async () => (await import("../../http/wire/people/calls.ts")).personCallPageSchema, {
        path: `/v1/people/${encodeURIComponent(phone)}/calls`,
        query,
        answerWithinMs: SLOW_ANSWER_MS,
      }),
    /** To be read to its end. */
    recording: (phone: string, callId: string, query: Query) =>
      transport.open({
        path: `/v1/people/${encodeURIComponent(phone)}/calls/${encodeURIComponent(callId)}/recording`,
        query,
        answerWithinMs: SLOW_ANSWER_MS,
      }),
    forget: (
      phone: string,
      body: { reason: string; as_hash: boolean; dry_run: boolean; default_region: string | undefined },
    ) =>
      transport.ask(async () => (await forgettings()).forgetAnswerSchema, {
        method: "POST",
        path: `/v1/people/${encodeURIComponent(phone)}/forget`,
        body,
      }),
    forgettings: (query: Query) =>
      transport.ask(async () => (await forgettings()).forgettingPageSchema, {
        path: "/v1/forgettings",
        query,
      }),
    dataKeys: () =>
      transport.ask(async () => (await import("../../http/wire/data-keys.ts")).dataKeysSchema, {
        path: "/v1/data-keys",
      }),
    retention: () =>
      transport.ask(async () => (await retentions()).retentionSchema, { path: "/v1/retention" }),
    setRetention: (body: { keep: Record<string, string | null>; reason: string; dry_run: boolean }) =>
      transport.ask(async () => (await retentions()).retentionAnswerSchema, {
        method: "PUT",
        path: "/v1/retention",
        body,
      }),
    forgetting: (id: string) =>
      transport.ask(async () => (await forgettings()).forgettingSchema, { path: `/v1/forgettings/${id}` }),
  };
}
