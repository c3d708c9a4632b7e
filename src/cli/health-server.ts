import http from "node:http";

import { reasonWords } from "../domain/ground/reason-words.ts";

/** How a worker or server stands, for whoever supervises it. */
type Standing =
  | { phase: "starting" }
  | { phase: "running"; atMs: number; problem: string | undefined }
  | { phase: "draining" };

/** The address that probes are to be answered at can't be listened on. */
class HealthAddressError extends Error {
  override readonly name = "HealthAddressError";
}

export interface HealthServer {
  readonly url: string;
  readonly tell: (standing: Standing) => void;
  close(): Promise<void>;
}

/** Three beats of the pulse: one may be late on a busy machine. */
const OLD_AFTER_MS = 30_000;

/** A probe is a line and some headers, and comes from one or two supervisors. */
const REQUEST_WITHIN_MS = 5_000;
const MOST_CONNECTIONS = 32;

/**
 * Answers probes over HTTP, and nothing else. Nobody is asked who they are: there are no people and no secrets in it.
 *
 * - `/healthz`: the process lives, and whoever gets no answer may end it. It says so while it starts and drains, too, and
 *   while the ledger or Temporal is away: ending it would mend neither.
 * - `/readyz`: it has what it needs. 503 while it starts, drains, or lacks something, with what.
 *
 * @throws HealthAddressError where the address can't be listened on.
 */
export async function serveHealth(
  { host, port }: { host: string; port: number },
  now: () => number,
): Promise<HealthServer> {
  let standing: Standing = { phase: "starting" };
  const server = http.createServer(
    { headersTimeout: REQUEST_WITHIN_MS, requestTimeout: REQUEST_WITHIN_MS },
    (request, response) => {
      const path = request.url?.split("?", 1)[0];
      if (path !== "/healthz" && path !== "/readyz")
        return end(response, 404, "probes are answered at /healthz and /readyz");
      if (request.method !== "GET" && request.method !== "HEAD")
        return end(response, 405, "probes are made with GET");
      if (path === "/healthz") return end(response, 200, "lives");
      const lacking = whyNotReady(standing, now());
      return end(response, lacking === undefined ? 200 : 503, lacking ?? "ready");
    },
  );
  server.maxConnections = MOST_CONNECTIONS;
  await listen(server, host, port);
  // Of one connection, such as too many open files: whoever asks again is answered again.
  server.on("error", () => {});
  const address = server.address();
  const chosen = address !== null && typeof address === "object" ? address.port : port;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${chosen}`,
    tell(next) {
      // What drains never comes back.
      if (standing.phase !== "draining") standing = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Undefined: it is ready. */
function whyNotReady(standing: Standing, nowMs: number): string | undefined {
  switch (standing.phase) {
    case "starting":
      return "it starts";
    case "draining":
      return "it drains";
    case "running":
      if (nowMs - standing.atMs > OLD_AFTER_MS) return "it has not looked at what it needs for half a minute";
      return standing.problem;
  }
}

function end(response: http.ServerResponse, status: number, words: string): void {
  response
    .writeHead(status, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" })
    .end(`${words}\n`);
}

function listen(server: http.Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const why = error.code === "EADDRINUSE" ? "another process has that port" : reasonWords(error);
      reject(
        new HealthAddressError(
          `OUTDIAL_HEALTH_LISTEN is ${host}:${port}, where nothing can be served (${why}): give each process of this machine a port of its own, or unset it`,
          { cause: error },
        ),
      );
    });
    server.listen({ host, port }, resolve);
  });
}
