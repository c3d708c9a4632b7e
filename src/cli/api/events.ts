import type { Readable } from "node:stream";

import type { EventWire } from "../../http/wire/events.ts";
import type { Query, Transport } from "./transport.ts";

const wire = () => import("../../http/wire/events.ts");

/** Three times what the server takes to say that it is there (src/http/live-events.ts). */
const SILENT_FOR_MS = 45_000;

const SILENT = `the stream of events was silent for ${SILENT_FOR_MS / 1_000} seconds, which it never is while it works`;

/** What happened, in order. */
export function eventsOver(transport: Transport) {
  return {
    page: (query: Query) => transport.ask("listEvents", { query }),
    /**
     * As it happens, behind a place; from now on without one. Ends when the stream does.
     *
     * @param input.onPlace told of each place up to which all that is wanted was given
     */
    async *stream(
      query: Query,
      { signal, onPlace }: { signal: AbortSignal; onPlace: (after: string) => void },
    ): AsyncGenerator<EventWire> {
      const { eventSchema, STREAM_WORDS } = await wire();
      const ofItself = new Set<string>(STREAM_WORDS);
      const body = await transport.open("followEvents", { query, signal });
      const silence = setTimeout(() => body.destroy(new Error(SILENT)), SILENT_FOR_MS);
      body.once("close", () => clearTimeout(silence));
      for await (const { id, event, data } of messagesIn(body)) {
        silence.refresh();
        if (event !== undefined && data !== undefined && !ofItself.has(event))
          yield eventSchema.parse(JSON.parse(data));
        if (id !== undefined) onPlace(id);
      }
    },
  };
}

/** Who is sent what happens. */
export function eventWebhooksOver(transport: Transport) {
  return {
    list: () => transport.ask("listEventWebhooks"),
    show: (name: string) => transport.ask("readEventWebhook", { path: { name } }),
    put: (definition: unknown) => transport.ask("putEventWebhook", { body: { definition } }),
    remove: (name: string) => transport.ask("removeEventWebhook", { path: { name } }),
    enable: (name: string) => transport.ask("enableEventWebhook", { path: { name } }),
    test: (name: string) => transport.ask("testEventWebhook", { path: { name } }),
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
