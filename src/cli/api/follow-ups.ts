import { actionSchema, followUpDetailSchema, followUpPageSchema } from "../../http/wire/follow-up.ts";
import type { Transport } from "./transport.ts";

/** What follows calls, over the HTTP API. */
export function followUpsOver(transport: Transport) {
  const command = (actionId: string, name: string, body: object) =>
    transport.ask(actionSchema, {
      method: "POST",
      path: `/v1/actions/${encodeURIComponent(actionId)}/${name}`,
      body,
    });
  return {
    list: (query: {
      state?: string | undefined;
      campaign?: string | undefined;
      brand?: string | undefined;
      phone?: string | undefined;
      after?: string | undefined;
      limit: number;
    }) => transport.ask(followUpPageSchema, { path: "/v1/follow-ups", query }),
    get: (id: string) =>
      transport.ask(followUpDetailSchema, { path: `/v1/follow-ups/${encodeURIComponent(id)}` }),
    retry: (actionId: string, reason: string | undefined) => command(actionId, "retry", { reason }),
    skip: (actionId: string, reason: string | undefined) => command(actionId, "skip", { reason }),
    replay: (actionId: string, reason: string | undefined, asNew: boolean) =>
      command(actionId, "replay", { reason, as_new: asNew }),
  };
}
