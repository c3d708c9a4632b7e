import type { Query, Transport } from "./transport.ts";

const wire = () => import("../../http/wire/people.ts");

/** What is known of single people, over the HTTP API. */
export function peopleOver(transport: Transport) {
  return {
    story: (phone: string, query: Query) =>
      transport.ask(async () => (await wire()).storySchema, {
        path: `/v1/people/${encodeURIComponent(phone)}/story`,
        query,
      }),
  };
}
