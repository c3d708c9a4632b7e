import { useQueryClient, type Query, type QueryClient } from "@tanstack/preact-query";
import { createContext } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { askAgain } from "./ask-again.ts";
import { withBrand } from "./brand.ts";
import { TYPES } from "./event-types.ts";
import { listen, type Feed } from "./listening.ts";
import { OldAnswers, type Told } from "./old-answers.ts";

export type { Feed };

/*
 * The live feed: what happened, as server-sent events, makes what is shown asked for again.
 *
 * 1. Events say which answers are old, and are not shown themselves: what is on the page is what the API answers.
 * 2. They are gathered: however many come, each answer is asked for once in two seconds at most. A page that is not
 *    looked at asks for nothing: what is old is asked for when somebody looks again.
 * 3. Nothing is asked for before the feed listens, so that nothing that happens meanwhile is missed, and an opened page
 *    asks for each answer once.
 * 4. Where the feed is cut, it is opened anew by itself. Until then everything is asked for by the clock.
 * 5. A page that is not looked at leaves the feed after a while, and begins as an opened one when somebody looks again.
 */

const BY_CLOCK_MS = 15_000;

/** Whether the feed listens, for what is not to be asked for before. */
export const FeedContext = createContext<Feed>("connecting");

let newest: string | undefined;

/** Up to which event this page was told: no answer that may be older is for it. Undefined: it never listened. */
export function newestSeen(): string | undefined {
  return newest;
}

/**
 * Listens as long as somebody is signed in.
 *
 * @param isOver the session is over: the feed would be refused, again and again
 */
export function useLiveFeed(brand: string | undefined, isOver: boolean): Feed {
  const queries = useQueryClient();
  const [feed, setFeed] = useState<Feed>("connecting");
  const began = useRef(false);
  useEffect(() => {
    if (isOver) return setFeed("cut");
    const old = new OldAnswers(
      (isOld) => void makeOld(queries, ({ queryKey: [operation, path] }) => isOld(operation, path)),
    );
    const leave = listen({
      open: () => new EventSource(withBrand("GET", "/v1/events/stream", brand)),
      page: document,
      types: TYPES,
      told: (type, data, id) => {
        newest = id;
        old.add(type, JSON.parse(data) as Told);
      },
      from: (id) => {
        newest = id;
      },
      changed: setFeed,
      missed: () => void makeOld(queries),
      isLate: began.current,
    });
    began.current = true;
    return () => {
      leave();
      old.stop();
    };
  }, [queries, brand, isOver]);
  useEffect(() => {
    if (feed !== "cut" || isOver) return;
    const clock = setInterval(() => void makeOld(queries), BY_CLOCK_MS);
    return () => clearInterval(clock);
  }, [feed, queries, isOver]);
  return feed;
}

function makeOld(queries: QueryClient, isOld?: (query: Query) => boolean): Promise<void> {
  return askAgain(queries, isOld, () => !document.hidden);
}
