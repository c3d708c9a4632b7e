/** Makes what is sent out of what was asked, checked against the table of operations. */
import type { Readable } from "node:stream";
import { check, invalidRequest } from "./checks.ts";
import { isTimerMs, type Settings } from "./options.ts";
import type { OperationEntry } from "./operations.ts";
import type { Limits, Wire } from "./transport.ts";
import { prepareUpload, type Upload, type UploadSource } from "./upload.ts";
import { expandRoute, queryString, type QueryValue } from "./url.ts";
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
  const upload = await uploadOf(entry, input.file);
  return {
    limits: limitsOf(entry, settings, options),
    repeatable: upload?.repeatable ?? true,
    wire: ({ method, route }) => ({
      method,
      path: `${settings.base.prefix}${expandRoute(route, params)}${queryString(query)}`,
      headers: {
        authorization: `Bearer ${settings.apiKey()}`,
        accept: entry.answer.kind === "bytes" ? "*/*" : "application/json",
        // Compressed answers would need a bound of their own on what they unpack to.
        "accept-encoding": "identity",
        "user-agent": "outdial",
        ...(json === undefined ? {} : { "content-type": "application/json" }),
        ...(upload === undefined ? {} : uploadHeaders(upload)),
      },
      body: json ?? openForm(upload),
    }),
  };
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

function limitsOf(entry: OperationEntry, settings: Settings, options: CallOptions): Limits {
  const { signal, timeoutMs } = options;
  const atOnce = options.atOnce === true || entry.endpoint.atOnce === true;
  const { wholeMs, headersMs, transferMs } = settings.timeouts;
  const transfer = entry.body === "multipart" || entry.answer.kind === "bytes";
  if (timeoutMs !== undefined && !isTimerMs(timeoutMs)) {
    const message = "must be a number of milliseconds from 1";
    throw invalidRequest(entry.name, [{ field: "timeoutMs", message }]);
  }
  if (transfer) {
    const silentMs = Math.min(headersMs, timeoutMs ?? headersMs);
    return { wholeMs: timeoutMs ?? transferMs, headersMs: silentMs, idleMs: silentMs, signal, atOnce };
  }
  const { mayTakeMs = 0 } = entry;
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
