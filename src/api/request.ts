import type { OperationFacts } from "./generated.ts";
import type { ClientOptions, MatchOptions, RequestOptions } from "./options.ts";

type Values = Readonly<Record<string, unknown>>;

/** What any operation may take; which of it one does, its type says. */
export interface AnyInput extends RequestOptions, MatchOptions {
  path?: Values | undefined;
  query?: Values | undefined;
  body?: unknown;
}

/** Fields of `fetch` that browsers know, and types of some libraries do not. */
interface Init extends RequestInit {
  headers: Record<string, string>;
  duplex?: "half";
}

/** A request as `fetch` takes it. @throws TypeError where the address lacks something */
export async function requestOf(
  options: ClientOptions,
  facts: OperationFacts,
  input: AnyInput,
): Promise<{ url: string; init: Init }> {
  const { method } = facts;
  const token = typeof options.token === "function" ? await options.token() : options.token;
  const isJson = input.body !== undefined && facts.list === undefined;
  // A list is the same by its digest; with a key, that would have to be given.
  const key = input.idempotencyKey ?? (facts.keyed && !facts.list ? crypto.randomUUID() : undefined);
  const headers = {
    accept: "application/json, application/problem+json, */*",
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(options.actor !== undefined && method !== "GET" && { "x-outdial-actor": options.actor }),
    ...(isJson && { "content-type": "application/json" }),
    ...(facts.list && { "content-type": listType(input) }),
    ...(key !== undefined && { "idempotency-key": key }),
    ...(input.ifMatch !== undefined && { "if-match": input.ifMatch }),
  };
  const init: Init = { method, headers };
  if (input.signal) init.signal = input.signal;
  if (isJson) init.body = JSON.stringify(input.body);
  else if (isBody(input.body)) {
    init.body = input.body;
    if (input.body instanceof ReadableStream) init.duplex = "half";
  }
  return { url: addressOf(options, facts, input), init };
}

/** The format is named in the query, or the content type is what the list's own format is found by. */
function listType({ query, body }: AnyInput): string {
  if (query?.["format"] === "ndjson") return "application/x-ndjson";
  if (query?.["format"] === "csv") return "text/csv";
  return typeof Blob !== "undefined" && body instanceof Blob && /csv|ndjson/.test(body.type)
    ? body.type
    : "application/octet-stream";
}

function isBody(body: unknown): body is Exclude<RequestInit["body"], null | undefined> {
  return body !== undefined && body !== null;
}

function addressOf({ baseUrl }: ClientOptions, { path }: OperationFacts, input: AnyInput): string {
  const own: unknown = Reflect.get(globalThis, "location");
  const origin: unknown = typeof own === "object" && own !== null ? Reflect.get(own, "origin") : undefined;
  const base = baseUrl ?? (typeof origin === "string" ? origin : undefined);
  if (base === undefined)
    throw new TypeError("baseUrl is needed: where the API is, such as http://127.0.0.1:8480");
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = input.path?.[name];
    if (value === undefined || value === "") throw new TypeError(`path.${name} is needed for ${path}`);
    return encodeURIComponent(textOf(value));
  });
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {}))
    if (value !== undefined && value !== null) query.set(name, textOf(value));
  return `${base.replace(/\/+$/, "")}${filled}${query.size === 0 ? "" : `?${query.toString()}`}`;
}

/** Of text, a number or a truth value, which are all that addresses hold. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
