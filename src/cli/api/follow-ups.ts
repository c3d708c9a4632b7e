import type { Transport } from "./transport.ts";

/** What follows calls, over the HTTP API. */
export function followUpsOver(transport: Transport) {
  const command = (actionId: string, name: "retry" | "skip" | "replay", body: object) =>
    transport.ask(`${name}Action`, { path: { id: actionId }, body });
  return {
    list: (query: {
      state?: string | undefined;
      failed?: boolean | undefined;
      campaign?: string | undefined;
      brand?: string | undefined;
      phone?: string | undefined;
      after?: string | undefined;
      limit: number;
    }) => transport.ask("listFollowUps", { query }),
    get: (id: string) => transport.ask("readFollowUp", { path: { id } }),
    retry: (actionId: string, reason: string | undefined, at: string | undefined) =>
      command(actionId, "retry", { reason, at }),
    skip: (actionId: string, reason: string | undefined) => command(actionId, "skip", { reason }),
    replay: (actionId: string, reason: string | undefined, asNew: boolean) =>
      command(actionId, "replay", { reason, as_new: asNew }),
  };
}
