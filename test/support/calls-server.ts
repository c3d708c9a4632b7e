import http from "node:http";
import type { AddressInfo } from "node:net";

import { createPlatform, type Platform } from "../../src/platform/index.ts";

/** A platform that has calls and nothing else: a test says which, and reads what was asked for. */
export interface CallsServer {
  platform: Platform;
  calls: Map<string, Record<string, unknown>>;
  /** Ids that were asked for, and `list`. */
  asked: string[];
  /** Answers everything with this status. */
  failing: number | undefined;
  /** Passes `to_date` over, as a platform may. */
  ignoresEnd: boolean;
  close(): Promise<void>;
}

export async function openCallsServer(): Promise<CallsServer> {
  const calls = new Map<string, Record<string, unknown>>();
  const asked: string[] = [];
  const server = http.createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    const id = /^\/v1\/calls\/([^/]+)$/.exec(pathname)?.[1];
    asked.push(id ?? "list");
    if (self.failing !== undefined) return answer(self.failing, { detail: "failing" });
    if (id !== undefined) {
      const call = calls.get(decodeURIComponent(id));
      return call ? answer(200, call) : answer(404, { detail: "no such call" });
    }
    const skip = Number(searchParams.get("skip") ?? 0);
    const limit = Number(searchParams.get("limit") ?? 50);
    const from = Date.parse(searchParams.get("from_date") ?? "1970-01-01T00:00:00Z");
    const until = self.ignoresEnd ? null : searchParams.get("to_date");
    const untilMs = until === null ? Number.POSITIVE_INFINITY : Date.parse(until);
    // Hundreds of requests go through thousands of calls: each moment is read once for each of them.
    const items = [...calls.values()]
      .filter((call) => call["call_type"] === searchParams.get("call_type"))
      .map((call) => ({ call, createdMs: Date.parse(String(call["created_at"])) }))
      .filter(({ createdMs }) => createdMs >= from && createdMs <= untilMs)
      .toSorted((one, other) => other.createdMs - one.createdMs)
      .map(({ call }) => call);
    return answer(200, { items: items.slice(skip, skip + limit), total: items.length, skip, limit });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const platform = createPlatform({ baseUrl: `http://127.0.0.1:${port}`, apiKey: "key" });
  const self: CallsServer = {
    platform,
    calls,
    asked,
    failing: undefined,
    ignoresEnd: false,
    async close() {
      await platform.close();
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
  return self;
}
