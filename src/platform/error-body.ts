import type { FieldError } from "./errors.ts";

/** What the platform said about a failure. */
export interface ErrorBody {
  readonly detail: string | undefined;
  readonly fieldErrors: readonly FieldError[];
}

/** A sentence or two; a stack trace that a server lets out is cut here. */
const DETAIL_MAX_CHARS = 500;

/** A body of 100 contacts can be wrong in each of them. */
const FIELD_ERRORS_MAX = 100;

/**
 * Reads an error body as far as it can be understood; its shape is not promised by the contract (7, rule 2).
 * Known: FastAPI's `{"detail": "text"}` and `{"detail": [{"loc": [...], "msg": "..."}]}`, and the `message` or
 * `error` of proxies. What was sent in (`input`) is not taken over. `mask` is applied to every text.
 */
export function readErrorBody(body: string | undefined, mask: (text: string) => string): ErrorBody {
  const clean = (text: string): string =>
    mask(text.slice(0, DETAIL_MAX_CHARS * 2)).slice(0, DETAIL_MAX_CHARS);
  const value = parse(body);
  if (typeof value === "string") return { detail: textOrNothing(value, clean), fieldErrors: [] };
  const detail = field(value, "detail");
  if (Array.isArray(detail)) return { detail: undefined, fieldErrors: fieldErrorsOf(detail, clean) };
  for (const candidate of [detail, field(value, "message"), field(value, "error")]) {
    const text =
      typeof candidate === "string" ? candidate : (field(candidate, "message") ?? field(candidate, "msg"));
    if (typeof text === "string") return { detail: textOrNothing(text, clean), fieldErrors: [] };
  }
  return { detail: undefined, fieldErrors: [] };
}

/** JSON, or the text itself; pages of HTML, which proxies send, tell nobody anything. */
function parse(body: string | undefined): unknown {
  if (body === undefined || body.trim() === "") return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return body.trimStart().startsWith("<") ? undefined : body;
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function textOrNothing(text: string, clean: (text: string) => string): string | undefined {
  const oneLine = clean(text.replaceAll(/\s+/g, " ").trim());
  return oneLine === "" ? undefined : oneLine;
}

function fieldErrorsOf(detail: readonly unknown[], clean: (text: string) => string): FieldError[] {
  return detail.slice(0, FIELD_ERRORS_MAX).map((entry) => {
    const loc = field(entry, "loc");
    const message = typeof entry === "string" ? entry : (field(entry, "msg") ?? field(entry, "message"));
    return {
      field: clean(Array.isArray(loc) ? loc.join(".") : typeof loc === "string" ? loc : "") || "?",
      message: clean(typeof message === "string" ? message : "invalid"),
    };
  });
}
