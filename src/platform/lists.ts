import type { Asking, Input, RowOf } from "./asking.ts";
import type { Page } from "./decoding.ts";
import { type EndpointName, endpoints } from "./endpoints.ts";
import { endlessList, unreadableRows } from "./failures.ts";
import { operationOf } from "./operations.ts";
import type { Answer } from "./operations/operation.ts";
import { walk, type Walk, type WalkOptions } from "./paging.ts";
import type { CallOptions, RequestInput } from "./request.ts";
import { Sending } from "./sent.ts";

/**
 * Walks a list page by page (paging.ts), with the page size and the errors of its operation. `query` may hold
 * filters, where to begin, and the page size to ask for.
 */
export function iterate<Name extends EndpointName>(
  caller: Asking,
  name: Name,
  input: Input<Name>,
  options: WalkOptions = {},
): AsyncGenerator<RowOf<Name>, void, undefined> {
  // The rows are what the operation's schema has decoded.
  return iterateAny(caller, name, input, options) as AsyncGenerator<RowOf<Name>, void, undefined>;
}

/** The same for whoever knows the operation from the table alone. Throws `TypeError` where it is no list. */
export async function* iterateAny(
  caller: Asking,
  name: EndpointName,
  input: RequestInput,
  options: WalkOptions = {},
): AsyncGenerator<unknown, void, undefined> {
  const { answer } = operationOf(name);
  if (answer.kind === "array") yield* await wholeList(caller, name, input, options);
  else if (answer.kind === "page") yield* walk(walkOf(caller, name, input, answer, options), options);
  else throw new TypeError(`${name} does not answer with a list`);
}

/** How a list is walked from what was asked on. */
export function walkOf(
  caller: Asking,
  name: EndpointName,
  input: RequestInput,
  { style, limit, rowId }: Extract<Answer, { kind: "page" }>,
  { signal, timeoutMs, atOnce, retry, headers }: WalkOptions,
): Walk<unknown> {
  const options = { signal, timeoutMs, atOnce, retry, headers };
  const query = typeof input.query === "object" ? input.query : {};
  const asked = (field: string): number | undefined => {
    const value: unknown = Reflect.get(query ?? {}, field);
    return typeof value === "number" ? value : undefined;
  };
  return {
    style,
    skip: asked(style === "offset" ? "offset" : "skip") ?? 0,
    page: asked("page") ?? 1,
    limit: asked(style === "page" ? "per_page" : "limit") ?? limit,
    fetchPage: async (position) =>
      pageIn(await caller.send(name, { ...input, query: { ...query, ...position } }, options)),
    idOf: (row) => String(fieldOf(row, rowId)),
    broken: (problem) => endlessList(endpoints[name], problem),
    unreadable: (rows) => unreadableRows(endpoints[name], rows),
  };
}

/** Pages of a list that the contract gives in one answer: whoever pages it all the same does so in few. */
const WHOLE_LIST_MAX_PAGES = 100;

/**
 * A list that the contract gives in one answer. Where an envelope comes instead that says itself that it is not
 * all, the rest is asked for: a part must not pass for the whole. Only of a list without ids the first answer is
 * all (operation.ts).
 */
export function rows<Name extends EndpointName>(
  caller: Asking,
  name: Name,
  input: Input<Name>,
  options?: CallOptions,
): Sending<readonly RowOf<Name>[]> {
  // The rows are what the operation's schema has decoded.
  return wholeList(caller, name, input, options) as Sending<readonly RowOf<Name>[]>;
}

/** The same for whoever knows the operation from the table alone. */
export function wholeList(
  caller: Asking,
  name: EndpointName,
  input: RequestInput,
  options: CallOptions = {},
): Sending<readonly unknown[]> {
  const asked = async () => {
    const answer = await caller.ask(name, input, options);
    return { ...answer, data: await restOf(caller, name, input, options, pageIn(answer.data)) };
  };
  return new Sending(asked());
}

async function restOf(
  caller: Asking,
  name: EndpointName,
  input: RequestInput,
  options: CallOptions,
  first: Page<unknown>,
): Promise<readonly unknown[]> {
  const { answer } = operationOf(name);
  const rowId = answer.kind === "array" ? answer.rowId : undefined;
  if (rowId === undefined || first.total === undefined || first.total <= first.items.length)
    return first.items;
  const broken = (problem: string) => endlessList(endpoints[name], problem);
  const idOf = (row: unknown): string => JSON.stringify(fieldOf(row, rowId) ?? row);
  const seen = new Set<string>();
  const all: unknown[] = [];
  const rest = walk(
    {
      style: "skip",
      skip: 0,
      limit: Math.max(1, first.items.length),
      fetchPage: async (window) => {
        const page =
          window["skip"] === 0 ? first : pageIn(await caller.send(name, { ...input, window }, options));
        const before = seen.size;
        for (const row of page.items) seen.add(idOf(row));
        // Where to go on is not in the contract here, so that it may well be ignored.
        if (page.items.length > 0 && seen.size === before)
          throw broken("the list repeats a page: where to start is being ignored");
        return page;
      },
      idOf,
      broken,
      unreadable: (count) => unreadableRows(endpoints[name], count),
    },
    { maxPages: WHOLE_LIST_MAX_PAGES },
  );
  for await (const row of rest) all.push(row);
  return all;
}

/** What the decoder of a list made. */
export function pageIn(value: unknown): Page<unknown> {
  const items = fieldOf(value, "items");
  const total = fieldOf(value, "total");
  const unreadable = fieldOf(value, "unreadable");
  if (!Array.isArray(items)) throw new TypeError("not a decoded page");
  return {
    items,
    total: typeof total === "number" ? total : undefined,
    ...(typeof unreadable === "number" && { unreadable }),
  };
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
