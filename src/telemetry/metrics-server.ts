import http from "node:http";
import type { AddressInfo } from "node:net";

import { reasonWords } from "../domain/ground/reason-words.ts";
import { CONTENT_TYPE } from "./instruments.ts";

/** The address that metrics are to be served at can't be listened on. */
class MetricsAddressError extends Error {
  override readonly name = "MetricsAddressError";
}

export interface MetricsServer {
  /** Where they are. */
  readonly url: string;
  close(): Promise<void>;
}

/** Prometheus and its spare have one each; whoever holds more open keeps nobody else out of anything but this port. */
const MOST_CONNECTIONS = 32;

/** A request is a line and some headers. */
const REQUEST_WITHIN_MS = 5_000;

/**
 * Serves `GET /metrics`, and nothing else. Nobody is asked who they are: there are no people and no secrets in it.
 *
 * @param text a text for everybody who asks while it is being made
 * @throws MetricsAddressError where the address can't be listened on.
 */
export async function serveMetrics(
  { host, port }: { host: string; port: number },
  text: () => Promise<string>,
): Promise<MetricsServer> {
  let underWay: Promise<string> | undefined;
  const once = (): Promise<string> =>
    (underWay ??= text().finally(() => {
      underWay = undefined;
    }));
  const server = http.createServer(
    { headersTimeout: REQUEST_WITHIN_MS, requestTimeout: REQUEST_WITHIN_MS },
    (request, response) => {
      const path = request.url?.split("?", 1)[0];
      if (path !== "/metrics") return end(response, 404, "metrics are at /metrics\n");
      if (request.method !== "GET" && request.method !== "HEAD")
        return end(response, 405, "metrics are read with GET\n");
      once().then(
        (body) => response.writeHead(200, { "content-type": CONTENT_TYPE }).end(body),
        (error: unknown) => end(response, 500, `metrics can't be told: ${reasonWords(error)}\n`),
      );
    },
  );
  server.maxConnections = MOST_CONNECTIONS;
  await listen(server, host, port);
  // Of one connection, such as too many open files: whoever asks again is served again.
  server.on("error", () => {});
  const shown = host.includes(":") ? `[${host}]` : host;
  return {
    url: `http://${shown}:${portOf(server.address())}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function end(response: http.ServerResponse, status: number, words: string): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(words);
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("a server of metrics has no port");
  return address.port;
}

function listen(server: http.Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const why = error.code === "EADDRINUSE" ? "another process has that port" : reasonWords(error);
      reject(
        new MetricsAddressError(
          `OUTDIAL_METRICS_LISTEN is ${host}:${port}, where nothing can be served (${why}): give each process of this machine a port of its own, or unset it`,
          { cause: error },
        ),
      );
    });
    server.listen({ host, port }, resolve);
  });
}
