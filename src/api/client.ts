import { ApiConnectionError, ApiProblem, problemIn } from "./errors.ts";
import { OPERATIONS, type MatchedName, type OperationFacts, type Operations } from "./generated.ts";
import { requestOf, type AnyInput } from "./request.ts";
import type { ClientOptions, MatchOptions, RequestOptions } from "./options.ts";
import { isWorthRepeating, retryWaitMs, waitFor } from "./retries.ts";

/*
 * A client of Outdial's API, typed by the API's own description. It needs `fetch` and nothing else, and so works in a
 * browser, too.
 */

type Name = keyof Operations;

type Needed<Key extends string, Value> = [Value] extends [undefined]
  ? { [K in Key]?: undefined }
  : undefined extends Value
    ? { [K in Key]?: Value }
    : Record<string, never> extends Value
      ? { [K in Key]?: Value | undefined }
      : { [K in Key]: Value };

/** What an operation takes. */
export type InputOf<Key extends Name> = Needed<"path", Operations[Key]["path"]> &
  Needed<"query", Operations[Key]["query"]> &
  Needed<"body", Operations[Key]["body"]> &
  (Key extends MatchedName ? MatchOptions : unknown) &
  RequestOptions;

export type AnswerOf<Key extends Name> = Operations[Key]["answer"];

type Arguments<Key extends Name> =
  Record<string, never> extends InputOf<Key> ? [input?: InputOf<Key>] : [input: InputOf<Key>];

/** Operations that answer page by page. */
export type PagedName = {
  [Key in Name]: AnswerOf<Key> extends { items: readonly unknown[]; next_after: string | null } ? Key : never;
}[Name];

type ItemOf<Key extends PagedName> = AnswerOf<Key> extends { items: readonly (infer Item)[] } ? Item : never;

/** An answer with what stands beside it. */
export interface Sent<Answer> {
  data: Answer;
  status: number;
  /** It is the answer that the same request had before. */
  replayed: boolean;
  /** Of what somebody may replace: `ifMatch` of whoever does. */
  etag: string | undefined;
}

export type Client = { readonly [Key in Name]: (...input: Arguments<Key>) => Promise<AnswerOf<Key>> } & {
  /** As the method of that name, with the answer's status. */
  send<Key extends Name>(name: Key, ...input: Arguments<Key>): Promise<Sent<AnswerOf<Key>>>;
  /**
   * Every item of a list, page after page, the next of which is asked for when it is needed. Of events: those that there
   * are by then.
   */
  pages<Key extends PagedName>(
    name: Key,
    ...input: Arguments<Key>
  ): AsyncGenerator<ItemOf<Key>, void, undefined>;
};

/** @throws TypeError where there is no `fetch`, or no address */
export function createClient(options: ClientOptions = {}): Client {
  const send = (name: Name, input: AnyInput = {}) => sendOne(options, OPERATIONS[name], input);
  const methods = Object.fromEntries(
    Object.keys(OPERATIONS).map((name) => [
      name,
      async (input?: AnyInput) => (await sendOne(options, factsOf(name), input ?? {})).data,
    ]),
  );
  // Its methods are those of the table that its type is made of.
  return Object.assign(methods, {
    send,
    pages: (name: Name, input?: AnyInput) => pagesOf(options, OPERATIONS[name], input ?? {}),
  }) as unknown as Client;
}

function factsOf(name: string): OperationFacts {
  const facts = Object.entries(OPERATIONS).find(([one]) => one === name)?.[1];
  if (!facts) throw new TypeError(`the API has no operation ${name}`);
  return facts;
}

async function* pagesOf(options: ClientOptions, facts: OperationFacts, input: AnyInput) {
  let after: string | undefined;
  do {
    const query = { ...input.query, ...(after !== undefined && { after }) };
    const { data } = await sendOne(options, facts, { ...input, query });
    const { items, next_after: next, more } = pageIn(data);
    yield* items;
    // A feed that grows has a place behind each of its pages, and says by itself whether there is one yet.
    after = more === false ? undefined : (next ?? undefined);
  } while (after !== undefined);
}

function pageIn(data: unknown): { items: unknown[]; next_after: string | null; more: boolean | undefined } {
  const {
    items,
    next_after: next = null,
    more,
  } = Object(data) as { items?: unknown; next_after?: string | null; more?: boolean };
  if (!Array.isArray(items)) throw new TypeError("the answer is no page: this operation is none of a list");
  return { items, next_after: next, more };
}

/** One request, and the same again as long as that is worth while. */
async function sendOne(
  options: ClientOptions,
  facts: OperationFacts,
  input: AnyInput,
): Promise<Sent<unknown>> {
  const ask = options.fetch ?? globalThis.fetch;
  const { url, init } = await requestOf(options, facts, input);
  const signal = input.signal;
  for (let tried = 1; ; tried += 1) {
    const answer = await ask(url, init).catch((error: unknown) => error);
    const isLast = !isWorthRepeating(options, facts, init, tried);
    if (answer instanceof Response) {
      if (answer.ok) return sentOf(facts, answer, url);
      const waitMs = isLast ? undefined : retryWaitMs(options, answer, tried);
      if (waitMs === undefined) throw await problemIn(answer, url);
      await answer.body?.cancel();
      await waitFor(waitMs, signal);
    } else {
      signal?.throwIfAborted();
      if (isLast) throw new ApiConnectionError(url, answer);
      await waitFor(retryWaitMs(options, undefined, tried) ?? 0, signal);
    }
  }
}

async function sentOf(facts: OperationFacts, answer: Response, url: string): Promise<Sent<unknown>> {
  const { status, headers } = answer;
  const beside = {
    status,
    replayed: headers.get("idempotency-replayed") === "true",
    etag: headers.get("etag") ?? undefined,
  };
  if (facts.raw) return { data: answer, ...beside };
  const text = await answer.text();
  try {
    return { data: JSON.parse(text), ...beside };
  } catch (error) {
    const detail = `what answers at ${new URL(url).origin} is no Outdial of this version (status ${status})`;
    throw new ApiProblem({ title: "Unreadable", status, code: "unreadable", detail }, { cause: error });
  }
}
