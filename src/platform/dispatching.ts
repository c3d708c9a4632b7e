/** Where requests go out: a pool of the client's own, a proxy, a dispatcher of undici's or a `fetch` of the user's. */
import { type Dispatcher, Pool, ProxyAgent } from "undici";
import { fetchDispatcher } from "./fetch-dispatcher.ts";
import type { Settings } from "./options.ts";

/** What a request is handed to. `close` resolves when the requests that it has have ended. */
export interface Outlet {
  readonly dispatcher: Pick<Dispatcher, "dispatch">;
  close(): Promise<void>;
}

/**
 * An idle connection is dropped by us before the usual server drops it (uvicorn: 5 s), since a request
 * written into a connection that is just being closed is one of unknown effect.
 */
const KEEP_ALIVE_MS = 4_000;

export function openOutlet(settings: Settings): Outlet {
  const { base, maxConnections, timeouts, sender } = settings;
  const options = {
    connections: maxConnections,
    pipelining: 1, // A request behind another's slow answer would use up its own time.
    connect: { timeout: timeouts.connectMs },
    keepAliveTimeout: KEEP_ALIVE_MS,
  };
  switch (sender.kind) {
    case "pool":
      return ours(new Pool(base.origin, options));
    case "proxy":
      return ours(new ProxyAgent({ ...options, uri: sender.url.href, proxyTls: options.connect }));
    case "dispatcher":
      return theirs(sender.dispatcher);
    case "fetch":
      return theirs(fetchDispatcher(sender.fetch));
  }
}

function ours(dispatcher: Dispatcher): Outlet {
  return { dispatcher, close: () => dispatcher.close() };
}

/** Whoever made it closes it. */
function theirs(dispatcher: Outlet["dispatcher"]): Outlet {
  return { dispatcher, close: async () => {} };
}
