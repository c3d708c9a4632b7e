import { useQueryClient, type Query, type QueryClient } from "@tanstack/preact-query";
import { createContext } from "preact";
import { useEffect, useState } from "preact/hooks";

import { withBrand } from "./brand.ts";
import { FAMILIES, TYPES } from "./event-types.ts";

/*
 * The live feed: what happened, as server-sent events, makes what is shown asked for again.
 *
 * 1. Events say which answers are old, and are not shown themselves: what is on the page is what the API answers.
 * 2. They are gathered: however many come, each answer is asked for once in two seconds at most. A page that is not
 *    looked at asks for nothing: what is old is asked for when somebody looks again.
 * 3. Nothing is asked for before the feed listens, so that nothing that happens meanwhile is missed, and an opened page
 *    asks for each answer once.
 * 4. Where the feed is cut, the browser comes back by itself. Until then everything is asked for by the clock.
 */

const GATHER_MS = 2_000;
const BY_CLOCK_MS = 15_000;

/** Nobody waits longer for the feed before what they came for is asked for. */
const PATIENCE_MS = 1_500;

/** Whether the feed listens, for what is not to be asked for before. */
export const FeedContext = createContext<Feed>("connecting");

export type Feed = "connecting" | "live" | "cut";

interface Told {
  campaign_id?: string | null;
  campaign?: string | null;
  callbacks_of?: string | null;
}

let newest: string | undefined;

/** Up to which event this page was told: no answer that may be older is for it. Undefined: it was told of none. */
export function newestSeen(): string | undefined {
  return newest;
}

/** Listens as long as somebody is signed in. */
export function useLiveFeed(brand: string | undefined): Feed {
  const queries = useQueryClient();
  const [feed, setFeed] = useState<Feed>("connecting");
  useEffect(() => {
    const old = new OldAnswers((isOld) => void makeOld(queries, isOld));
    const source = new EventSource(withBrand("GET", "/v1/events/stream", brand));
    let isFirst = true;
    source.addEventListener("open", () => {
      setFeed("live");
      // What happened while nobody listened; the first time nothing was asked for before that.
      if (!isFirst) void makeOld(queries);
      isFirst = false;
    });
    const cut = () => {
      isFirst = false;
      setFeed("cut");
    };
    // The browser comes back by itself after a cut; after a refusal it does not, and the clock goes on.
    source.addEventListener("error", cut);
    const patience = setTimeout(() => isFirst && cut(), PATIENCE_MS);
    for (const type of TYPES)
      source.addEventListener(type, ({ data, lastEventId }: MessageEvent<string>) => {
        newest = lastEventId;
        old.add(type, JSON.parse(data) as Told);
      });
    return () => {
      clearTimeout(patience);
      source.close();
      old.stop();
    };
  }, [queries, brand]);
  useEffect(() => {
    if (feed !== "cut") return;
    // What is being asked for comes to its end, or it would never be seen to fail.
    const clock = setInterval(() => void makeOld(queries, () => true, { cancelRefetch: false }), BY_CLOCK_MS);
    return () => clearInterval(clock);
  }, [feed, queries]);
  return feed;
}

/** What a hidden page shows is asked for by its being looked at, which the library of queries does by itself. */
function makeOld(
  queries: QueryClient,
  predicate: (query: Query) => boolean = () => true,
  options: { cancelRefetch?: boolean } = {},
): Promise<void> {
  return queries.invalidateQueries({ predicate, refetchType: document.hidden ? "none" : "active" }, options);
}

/** Gathers what events say, and says it at most once in two seconds. */
class OldAnswers {
  #operations = new Set<string>();
  #campaigns = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #tell: (isOld: (query: Query) => boolean) => void;

  constructor(tell: (isOld: (query: Query) => boolean) => void) {
    this.#tell = tell;
  }

  add(type: string, { campaign_id: id, campaign, callbacks_of: parent }: Told): void {
    for (const operation of FAMILIES[type.split(".")[0] ?? ""] ?? []) this.#operations.add(operation);
    for (const ref of [id, campaign, parent]) if (ref) this.#campaigns.add(ref);
    this.#timer ??= setTimeout(() => this.#flush(), GATHER_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #flush(): void {
    const operations = this.#operations;
    const campaigns = this.#campaigns;
    this.#operations = new Set();
    this.#campaigns = new Set();
    this.#timer = undefined;
    this.#tell(({ queryKey: [operation, path] }) => {
      if (operations.has(String(operation))) return true;
      const ref: unknown = Reflect.get(Object(path), "ref");
      return operations.has("ofCampaign") && typeof ref === "string" && campaigns.has(ref);
    });
  }
}
