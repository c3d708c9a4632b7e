import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";

import { createBreather } from "../../ledger/ground/breather.ts";
import { maskPhone, maskText } from "../../platform/index.ts";
import { hidesNumbers } from "../caller.ts";
import { isShared } from "./page-answers.ts";

/**
 * What was said of a person by a list, another system or a call, under names that nobody knows beforehand: viewers are
 * not shown it, whatever it holds.
 */
const HIDDEN: ReadonlySet<string> = new Set(["variables", "transcript", "data", "raw", "request", "answer"]);

/** The same for everybody, or about the caller alone. */
const OF_NOBODY_ELSE: ReadonlySet<string | undefined> = new Set(["/openapi.json", "/v1/session"]);

/** Where that stands for what the program says of an event, by its type. */
const OF_EVENTS = "/v1/events";

/** What is an id, or a place in a list, has digits that are no number of a person, and is needed as it is. */
const KEPT = /(?:^|_)id$|^next_|^digest$|^version$|^instance$/;
/** What is one there all the same: the platform's ids are of its own making. */
const WITH_PLUS = /\+\d{6,}/g;

/**
 * Takes phone numbers out of whatever a viewer is answered, as they are taken out of logs (`maskText`): in every text of
 * every answer, wherever a number stands in it. Done to what leaves, so that no route can forget it.
 */
export function maskForViewers(app: FastifyInstance): void {
  app.addHook("onSend", async (request, reply, payload) => {
    if (isShared(request) || !hidesNumbers(request) || OF_NOBODY_ELSE.has(request.routeOptions.url))
      return payload;
    if (payload instanceof Readable) return Readable.from(maskedLines(payload));
    if (typeof payload !== "string" && !Buffer.isBuffer(payload)) return payload;
    reply.removeHeader("content-length");
    const text = payload.toString();
    const isJson = /\bjson\b/.test(String(reply.getHeader("content-type") ?? ""));
    if (!isJson) return maskText(text);
    const hiddenNames = request.routeOptions.url === OF_EVENTS ? NONE : HIDDEN;
    return JSON.stringify(await masked(JSON.parse(text), createBreather(), hiddenNames));
  });
}

const NONE: ReadonlySet<string> = new Set();

/** The same for what is told of one event, which has a few fields of texts and numbers, of those in lists or beneath names. */
export function maskedEvent(value: unknown, name = ""): unknown {
  if (typeof value === "string")
    return KEPT.test(name) ? value.replaceAll(WITH_PLUS, maskPhone) : maskText(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => maskedEvent(item, name));
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => [field, maskedEvent(inner, field)]),
  );
}

/** A long list is masked in steps, between which others are served. */
async function masked(
  value: unknown,
  breathe: () => Promise<void>,
  hiddenNames: ReadonlySet<string>,
): Promise<unknown> {
  if (typeof value === "string") return maskText(value);
  if (typeof value !== "object" || value === null) return value;
  await breathe();
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) items.push(await masked(item, breathe, hiddenNames));
    return items;
  }
  const fields: [string, unknown][] = [];
  for (const [name, inner] of Object.entries(value)) {
    // Facts of a story have a variable as var_ and its name.
    if (hiddenNames.has(name) || name.startsWith("var_")) fields.push([name, hidden(inner)]);
    else if (KEPT.test(name) && typeof inner === "string")
      fields.push([name, inner.replaceAll(WITH_PLUS, maskPhone)]);
    // Names of what people made up hold numbers as texts do.
    else fields.push([maskText(name), await masked(inner, breathe, hiddenNames)]);
  }
  return Object.fromEntries(fields);
}

/** In its own kind, so that whoever reads the answer by its description still can. */
function hidden(value: unknown): unknown {
  if (typeof value === "string") return "***";
  if (Array.isArray(value)) return [];
  return typeof value === "object" && value !== null ? {} : null;
}

/** A number does not reach over the end of a line. */
async function* maskedLines(stream: Readable): AsyncGenerator<string> {
  const breathe = createBreather();
  let rest = "";
  for await (const chunk of stream) {
    const text = rest + String(chunk);
    const end = text.lastIndexOf("\n") + 1;
    rest = text.slice(end);
    let shown = "";
    for (const line of text.slice(0, end).split(/(?<=\n)/)) {
      shown += maskText(line);
      await breathe();
    }
    if (shown !== "") yield shown;
  }
  if (rest !== "") yield maskText(rest);
}
