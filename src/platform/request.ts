/** Makes what is sent out of what was asked, checked against the table of operations. */
import type { Readable } from "node:stream";
import { check, invalidRequest } from "./checks.ts";
import { checkedHeaders, isTimerMs, type RetryPolicy, settleRetry, type Settings } from "./options.ts";
import type { OperationEntry } from "./operations.ts";
import type { Limits, Wire } from "./transport.ts";
import { prepareUpload, type Upload, type UploadSource } from "./upload.ts";
import { expandRoute, invalidOption, isPathSegment, queryString, type QueryValue } from "./url.ts";
import type { Endpoint } from "./endpoint.ts";

/** What every method takes. */
export interface CallOptions {
  /** Gives the request up. What it then may have done is said by the error's `effect`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * For one try as a whole, in milliseconds; stands for the client's `wholeMs` and `headersMs`, and for
   * `transferMs` where a file is sent or received.
   */
  readonly timeoutMs?: number | undefined;
  /**
   * The limiter does not hold it back, as it never does what stops calls: for what is right now and may not be in half
   * a minute.
   */
  readonly atOnce?: boolean | undefined;
  /** Stands for the client's `retry`. What may have happened is not repeated by it either. */
  readonly retry?: "none" | RetryPolicy | undefined;
  /** Sent beside the client's own; of the same name, these. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** What an operation is asked with. What it may hold is said by the operation's entry in the table. */
export interface RequestInput {
  /** By the names in the route. */
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: unknown;
  readonly body?: unknown;
  /** Of a multipart operation. */
  readonly file?: UploadSource | undefined;
}

/** A request that is in no table (`Platform.request`). */
export interface RawRequest {
  readonly method: Endpoint["method"];
  /**
   * From the base URL on, such as `/v1/rooms/{room_id}`. It is named in errors, hooks and metrics as it stands here:
   * what differs from request to request belongs into `params`.
   */
  readonly path: string;
  /** By the names in the path. */
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Whether it changes anything on the platform: only a read is sent again when it is not known whether it was acted on. Default: a GET is a read. */
  readonly access?: Endpoint["access"] | undefined;
}

/** What the client itself asks for beside that. */
export interface Asked extends RequestInput {
  /** Where to go on in a list that the contract gives in one answer, so that its query has no such fields. */
  readonly window?: Readonly<Record<string, number>>;
}

/** A request that keeps the rules; sent as often as the retry policy allows. */
export interface Prepared {
  readonly limits: Limits;
  /** False where it carries what can be read only once. */
  readonly repeatable: boolean;
  wire(endpoint: Endpoint): Wire;
}

/** Checks a request. Throws `InvalidRequestError`, which names each field that breaks a rule. */
export async function prepare(
  settings: Settings,
  entry: OperationEntry,
  input: Asked,
  options: CallOptions,
): Promise<Prepared> {
  const { name } = entry;
  const params = textsOf(check(name, entry.params, input.params ?? {}));
  const query = { ...queryOf(entry, input.query), ...input.window };
  const json = bodyOf(entry, input.body);
  const headers = headersOf(settings, options);
  const upload = await uploadOf(entry, input.file);
  return {
    limits: limitsOf(entry, settings, options),
    repeatable: upload?.repeatable ?? true,
    wire: ({ method, route }) => ({
      method,
      path: `${settings.base.prefix}${expandRoute(route, params)}${queryString(query)}`,
      headers: {
        ...headers(),
        accept: entry.answer.kind === "bytes" ? "*/*" : "application/json",
        ...(json === undefined ? {} : { "content-type": "application/json" }),
        ...(upload === undefined ? {} : uploadHeaders(upload)),
      },
      body: json ?? openForm(upload),
    }),
  };
}

/** Checks a request that is in no table. Throws `InvalidRequestError`. */
export function prepareRaw(
  settings: Settings,
  { method, path, params = {}, query = {}, body, access = method === "GET" ? "read" : "write" }: RawRequest,
  options: CallOptions,
): { endpoint: Endpoint; prepared: Prepared } {
  const asked = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => name);
  if (!RAW_PATH.test(path) || path.split("/").some((part) => part === "." || part === ".."))
    throw invalidOption("path", "must be a path such as /v1/rooms/{room_id}, without a query");
  for (const name of asked) {
    if (!isPathSegment(params[name] ?? ""))
      throw invalidOption(`params.${name}`, "must be an id of 1 to 255 characters");
  }
  for (const name of Object.keys(params)) {
    if (!asked.includes(name)) throw invalidOption(`params.${name}`, `is not in the path ${path}`);
  }
  const json = body === undefined ? undefined : JSON.stringify(body);
  const headers = headersOf(settings, options);
  const prepared: Prepared = {
    limits: limitsOf(undefined, settings, options),
    repeatable: true,
    wire: ({ route }) => ({
      method,
      path: `${settings.base.prefix}${expandRoute(route, params)}${queryString(query)}`,
      headers: {
        ...headers(),
        accept: "application/json",
        ...(json === undefined ? {} : { "content-type": "application/json" }),
      },
      body: json,
    }),
  };
  return { endpoint: { method, route: path, access }, prepared };
}

/** Segments of plain characters and of names in braces. */
const RAW_PATH = /^(?:\/(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|\{\w+\})*)+$/;

/** The retries of a request: its own, or the client's; none of what can be sent only once. */
export function retryOf(
  settings: Settings,
  { repeatable }: Prepared,
  { retry }: CallOptions,
): Settings["retry"] {
  const policy = retry === undefined ? settings.retry : settleRetry(retry);
  return repeatable ? policy : { ...policy, attempts: 1 };
}

/** What every request carries, with the key that is in use when it is sent. */
function headersOf(settings: Settings, { headers }: CallOptions): () => Record<string, string> {
  const own = checkedHeaders(headers);
  return () => ({
    "user-agent": "outdial",
    ...settings.headers,
    ...own,
    authorization: `Bearer ${settings.apiKey()}`,
    // Compressed answers would need a bound of their own on what they unpack to.
    "accept-encoding": "identity",
  });
}

function queryOf(entry: OperationEntry, query: unknown): Record<string, QueryValue> {
  if (entry.query !== undefined) {
    const values = valuesOf(check(entry.name, entry.query, query ?? {}));
    for (const [name, other] of Object.entries(entry.alsoAs ?? {})) values[other] ??= values[name];
    return values;
  }
  if (query === undefined) return {};
  throw invalidRequest(entry.name, [{ field: "query", message: "is not taken by this operation" }]);
}

/** A body that may be left out is sent as an empty object. */
function bodyOf(entry: OperationEntry, body: unknown): string | undefined {
  if (entry.body !== undefined && entry.body !== "multipart") {
    return JSON.stringify(check(entry.name, entry.body, body ?? {}));
  }
  if (body === undefined) return undefined;
  throw invalidRequest(entry.name, [{ field: "body", message: "is not taken by this operation" }]);
}

async function uploadOf(entry: OperationEntry, file: UploadSource | undefined): Promise<Upload | undefined> {
  if (entry.body === "multipart") {
    if (file === undefined) throw invalidRequest(entry.name, [{ field: "file", message: "is needed" }]);
    return prepareUpload(entry.name, file);
  }
  if (file === undefined) return undefined;
  throw invalidRequest(entry.name, [{ field: "file", message: "is not taken by this operation" }]);
}

function uploadHeaders({ contentType, contentLength }: Upload): Record<string, string> {
  const length = contentLength === undefined ? {} : { "content-length": String(contentLength) };
  return { "content-type": contentType, ...length };
}

function openForm(upload: Upload | undefined): Readable | undefined {
  return upload?.open();
}

function limitsOf(entry: OperationEntry | undefined, settings: Settings, options: CallOptions): Limits {
  const { signal, timeoutMs } = options;
  const atOnce = options.atOnce === true || entry?.endpoint.atOnce === true;
  const { wholeMs, headersMs, transferMs } = settings.timeouts;
  const transfer = entry?.body === "multipart" || entry?.answer.kind === "bytes";
  if (timeoutMs !== undefined && !isTimerMs(timeoutMs)) {
    const message = "must be a number of milliseconds from 1";
    if (entry === undefined) throw invalidOption("timeoutMs", message);
    throw invalidRequest(entry.name, [{ field: "timeoutMs", message }]);
  }
  if (transfer) {
    const silentMs = Math.min(headersMs, timeoutMs ?? headersMs);
    return { wholeMs: timeoutMs ?? transferMs, headersMs: silentMs, idleMs: silentMs, signal, atOnce };
  }
  const mayTakeMs = entry?.mayTakeMs ?? 0;
  const oneMs = timeoutMs ?? wholeMs + mayTakeMs;
  return { wholeMs: oneMs, headersMs: timeoutMs ?? headersMs + mayTakeMs, idleMs: oneMs, signal, atOnce };
}

function textsOf(record: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, String(value)]));
}

/** The rules let through nothing else. */
function valuesOf(record: Readonly<Record<string, unknown>>): Record<string, QueryValue> {
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) =>
      typeof value === "string" || typeof value === "number" || typeof value === "boolean"
        ? [[name, value]]
        : [],
    ),
  );
}
