import type { Readable } from "node:stream";

import type { EventWire } from "../../http/wire/events.ts";
import type { Query, Transport } from "./transport.ts";

const wire = () => import("../../http/wire/events.ts");

interface Listening {
  signal: AbortSignal;
  onPlace: (after: string, isFurther: boolean) => void;
  silentForMs?: number | undefined;
}

/** What came is no stream of events, or not one that is known here: asked again, it would be the same. */
export class StreamFormError extends Error {
  override readonly name = "StreamFormError";
}

/** What happened, in order. */
export function eventsOver(transport: Transport) {
  return {
    page: (query: Query) => transport.ask("listEvents", { query }),
    /**
     * As it happens, behind a place; from now on without one. Ends when the stream does.
     *
     * @param input.onPlace told of each place up to which all that is wanted was given, and whether that is further than
     *   where it began
     * @param input.silentForMs a stream by which nothing comes for so long is taken for cut
     */
    async *stream(query: Query, { signal, onPlace, silentForMs }: Listening): AsyncGenerator<EventWire> {
      const { eventSchema, BEAT_EVERY_MS } = await wire();
      const mostMs = silentForMs ?? 3 * BEAT_EVERY_MS;
      const body = await transport.open("followEvents", { query, signal }, { answerWithinMs: mostMs });
      for await (const { id, event, data } of messagesIn(body)) {
        // Types have a dot. What the stream says of itself has none, and what a later one says is passed over, too.
        if (event?.includes(".") && data !== undefined) yield readEvent(eventSchema, data);
        if (id !== undefined) onPlace(id, event !== "listening");
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

function readEvent(schema: { parse(value: unknown): EventWire }, data: string): EventWire {
  try {
    return schema.parse(JSON.parse(data));
  } catch (error) {
    throw new StreamFormError("the stream of events told something that this version can't read", {
      cause: error,
    });
  }
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
    if (rest.length > LONGEST_MESSAGE)
      throw new StreamFormError("the stream of events has a message without an end");
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
