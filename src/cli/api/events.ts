import type { Readable } from "node:stream";

import type { EventWire } from "../../http/wire/events.ts";
import type { Query, Transport } from "./transport.ts";

const wire = () => import("../../http/wire/events.ts");
const webhookWire = () => import("../../http/wire/event-webhooks.ts");

/** What happened, in order. */
export function eventsOver(transport: Transport) {
  const path = "/v1/events";
  return {
    page: (query: Query) => transport.ask(async () => (await wire()).eventPageSchema, { path, query }),
    /**
     * As it happens, behind a place; from now on without one. Ends when the stream does.
     *
     * @param input.onPlace told of each place up to which all that is wanted was given
     */
    async *stream(
      query: Query,
      { signal, onPlace }: { signal: AbortSignal; onPlace: (after: string) => void },
    ): AsyncGenerator<EventWire> {
      const { eventSchema } = await wire();
      const body = await transport.open({ path: `${path}/stream`, query, signal });
      for await (const { id, event, data } of messagesIn(body)) {
        if (event !== undefined && data !== undefined && id !== undefined)
          yield eventSchema.parse(JSON.parse(data));
        if (id !== undefined) onPlace(id);
      }
    },
  };
}

/** Who is sent what happens. */
export function eventWebhooksOver(transport: Transport) {
  const path = "/v1/events/webhooks";
  const pathOf = (name: string) => `${path}/${encodeURIComponent(name)}`;
  return {
    list: () => transport.ask(async () => (await webhookWire()).eventWebhookListSchema, { path }),
    show: (name: string) =>
      transport.ask(async () => (await webhookWire()).eventWebhookShownSchema, { path: pathOf(name) }),
    put: (definition: unknown) =>
      transport.ask(async () => (await webhookWire()).eventWebhookPutSchema, {
        method: "PUT",
        path,
        body: { definition },
      }),
    remove: (name: string) =>
      transport.ask(async () => (await webhookWire()).eventWebhookRemovedSchema, {
        method: "DELETE",
        path: pathOf(name),
      }),
    enable: (name: string) =>
      transport.ask(async () => (await webhookWire()).eventWebhookEnabledSchema, {
        method: "POST",
        path: `${pathOf(name)}/enable`,
      }),
    test: (name: string) =>
      transport.ask(async () => (await webhookWire()).eventWebhookTestedSchema, {
        method: "POST",
        path: `${pathOf(name)}/test`,
      }),
  };
}

interface Message {
  id?: string;
  event?: string;
  data?: string;
}

/** Longer than any message: what has no end in it is no stream of events. */
const LONGEST_MESSAGE = 1024 * 1024;

/** Blocks of server-sent events, each of which ends with an empty line. */
export async function* messagesIn(stream: Readable): AsyncGenerator<Message> {
  stream.setEncoding("utf8");
  let rest = "";
  for await (const chunk of stream) {
    rest += String(chunk);
    const blocks = rest.split("\n\n");
    rest = blocks.pop() ?? "";
    if (rest.length > LONGEST_MESSAGE) throw new Error("the stream of events has a message without an end");
    for (const block of blocks) yield messageOf(block);
  }
}

function messageOf(block: string): Message {
  const message: Message = {};
  for (const line of block.split("\n")) {
    const [, name, value] = /^(id|event|data): ?(.*)$/.exec(line) ?? [];
    if (name === "id") message.id = value ?? "";
    else if (name === "event") message.event = value ?? "";
    else if (name === "data") message.data = value ?? "";
  }
  return message;
}
