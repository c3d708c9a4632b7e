import type { Transport } from "./transport.ts";

const wire = () => import("../../http/wire/follow-ups.ts");

/** What follows calls, over the HTTP API. */
export function followUpsOver(transport: Transport) {
  const command = (actionId: string, name: string, body: object) =>
    transport.ask(async () => (await wire()).actionSchema, {
      method: "POST",
      path: `/v1/actions/${encodeURIComponent(actionId)}/${name}`,
      body,
    });
  return {
    list: (query: {
      state?: string | undefined;
      failed?: boolean | undefined;
      campaign?: string | undefined;
      brand?: string | undefined;
      phone?: string | undefined;
      after?: string | undefined;
      limit: number;
    }) => transport.ask(async () => (await wire()).followUpPageSchema, { path: "/v1/follow-ups", query }),
    get: (id: string) =>
      transport.ask(async () => (await wire()).followUpDetailSchema, {
        path: `/v1/follow-ups/${encodeURIComponent(id)}`,
      }),
    retry: (actionId: string, reason: string | undefined, at: string | undefined) =>
      command(actionId, "retry", { reason, at }),
    skip: (actionId: string, reason: string | undefined) => command(actionId, "skip", { reason }),
    replay: (actionId: string, reason: string | undefined, asNew: boolean) =>
      command(actionId, "replay", { reason, as_new: asNew }),
  };
}
