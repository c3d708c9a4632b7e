import { useMutation, useQuery, useQueryClient } from "@tanstack/preact-query";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import {
  ApiProblem,
  createClient,
  type AnswerOf,
  type Client,
  type InputOf,
  type Operations,
} from "outdial/api";

import { words } from "../words.ts";
import { askAgain } from "./ask-again.ts";
import { withBrand } from "./brand.ts";
import { FeedContext, newestSeen } from "./live.ts";
import { sessionEndIn } from "./session-end.ts";
import type { Session } from "./session.ts";

type Name = keyof Operations;

/** So old may be what the server answers several pages with. */
const SHARED_FOR_MS = 2_000;

/** When something was done here last, whichever brand was looked at. */
let actedAtMs = Number.NEGATIVE_INFINITY;

/** Nothing is asked for with a session that is over: the page asks for signing in instead. */
class SessionOver extends Error {
  override readonly name = "SessionOver";
  override readonly message = words.signIn.over;
}

interface SessionEnds {
  /** The session is over. */
  over: () => void;
  /** The browser has another session now. */
  other: () => void;
}

/**
 * Asks as whoever is signed in.
 *
 * @param brand which of theirs they look at; undefined: there is none to choose
 */
export function clientOf(session: Session, brand: string | undefined, ends: SessionEnds): Client {
  let isOver = false;
  let isOther = false;
  return createClient({
    async fetch(input, init) {
      if (isOver) throw new SessionOver();
      const headers = new Headers(init?.headers);
      const isRead = init?.method === "GET";
      if (!isRead) headers.set("x-csrf-token", session.csrf_token);
      const seen = newestSeen();
      if (seen !== undefined) headers.set("x-outdial-seen", seen);
      // What was done here is to be seen here: no answer that others were given before.
      if (performance.now() - actedAtMs < SHARED_FOR_MS) headers.set("cache-control", "no-cache");
      const { pathname, search } = new URL(input instanceof Request ? input.url : input, location.href);
      const path = withBrand(init?.method ?? "GET", pathname + search, brand);
      const answer = await fetch(path, { ...init, headers }).finally(() => {
        if (!isRead) actedAtMs = performance.now();
      });
      const end = await sessionEndIn(answer);
      if (end === "over") {
        isOver = true;
        ends.over();
      }
      // Nothing was done, and whoever wanted it is told so.
      if (end === "other" && !isOther) {
        isOther = true;
        ends.other();
      }
      return answer;
    },
  });
}

export const ClientContext = createContext<Client | undefined>(undefined);

/** @throws Error outside of what is shown to somebody who is signed in */
export function useClient(): Client {
  const client = useContext(ClientContext);
  if (!client) throw new Error("nobody is signed in here");
  return client;
}

export interface Watching {
  /** Asked for again after so many milliseconds, beside what the live feed says. */
  everyMs?: number;
  enabled?: boolean;
}

/** What an operation that reads answers, kept current: by the live feed, and by the clock where the feed can't tell. */
export function useRead<Key extends Name>(
  name: Key,
  input: Pick<InputOf<Key>, "path" | "query">,
  { everyMs, enabled = true }: Watching = {},
) {
  const client = useClient();
  const isListening = useContext(FeedContext) !== "connecting";
  return useQuery<AnswerOf<Key>>({
    queryKey: [name, input.path ?? {}, input.query ?? {}],
    queryFn: async ({ signal }) => {
      // The input is that of the operation; that it may have a signal beside it does not come through the tuple's type.
      const whole = [{ ...input, signal }] as unknown as Parameters<Client[Key]>;
      const ask = client[name] as (...of: Parameters<Client[Key]>) => Promise<AnswerOf<Key>>;
      return ask(...whole);
    },
    enabled: enabled && isListening,
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
  });
}

/** Does something, and has everything that is shown asked for again. */
export function useAct<Input, Answer>(act: (client: Client, input: Input) => Promise<Answer>) {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation<Answer, Error, Input>({
    mutationFn: async (input) => act(client, input),
    onSettled: async () => askAgain(queries),
  });
}

/** What people are told of a failure: the server's own words, which name the remedy. */
export function wordsOf(error: unknown): {
  title: string;
  lines: readonly string[];
  requestId?: string | undefined;
} {
  if (error instanceof ApiProblem) {
    const lines = error.errors.map(({ field, message }) => `${field}: ${message}`);
    const title = error.code === "csrf_token" ? words.signIn.changed : error.detail;
    return { title, lines, requestId: error.requestId };
  }
  return { title: error instanceof Error ? error.message : String(error), lines: [] };
}
