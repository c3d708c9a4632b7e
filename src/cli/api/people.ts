import { SLOW_ANSWER_MS, type Query, type Transport } from "./transport.ts";

/** What is known of single people, over the HTTP API. */
export function peopleOver(transport: Transport) {
  return {
    story: (phone: string, query: Query) => transport.ask("readStory", { path: { phone }, query }),
    export: (phone: string, query: Query) => transport.ask("exportPerson", { path: { phone }, query }),
    calls: (phone: string, query: Query) =>
      transport.ask("listCallsOfPerson", { path: { phone }, query }, { answerWithinMs: SLOW_ANSWER_MS }),
    /** To be read to its end. */
    recording: (phone: string, callId: string, query: Query) =>
      transport.open(
        "readRecordingOfPerson",
        { path: { phone, call_id: callId }, query },
        { answerWithinMs: SLOW_ANSWER_MS },
      ),
    forget: (
      phone: string,
      body: { reason: string; as_hash: boolean; dry_run: boolean; default_region: string | undefined },
    ) => transport.ask("forgetPerson", { path: { phone }, body }),
    forgettings: (query: Query) => transport.ask("listForgettings", { query }),
    dataKeys: () => transport.ask("listDataKeys"),
    retention: () => transport.ask("readRetention"),
    setRetention: (body: { keep: Record<string, string | null>; reason: string; dry_run: boolean }) =>
      transport.ask("setRetention", { body }),
    forgetting: (id: string) => transport.ask("readForgetting", { path: { id } }),
  };
}
