import type { Transport } from "./transport.ts";

const wire = () => import("../../http/wire/tags.ts");

/** Words that follow-ups gave to people, over the HTTP API. */
export function tagsOver(transport: Transport) {
  return {
    list: (query: {
      brand: string;
      phone?: string | undefined;
      tag?: string | undefined;
      after?: string | undefined;
      limit: number;
    }) => transport.ask(async () => (await wire()).tagPageSchema, { path: "/v1/tags", query }),
    remove: (body: { brand: string; phone: string; tag: string; reason?: string | undefined }) =>
      transport.ask(async () => (await wire()).tagRemovedSchema, {
        method: "DELETE",
        path: "/v1/tags",
        body,
      }),
  };
}
