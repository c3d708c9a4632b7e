import http from "node:http";

import { reasonWords } from "./domain/ground/reason-words.ts";

/*
 * Servers beside a process's work, which a machine asks how it goes: few and short requests, each on a port of its own.
 */

/** The address that a setting names can't be listened on. */
class ListenError extends Error {
  override readonly name = "ListenError";
}

export interface SideServer {
  /** Without a path. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** One or two ask; whoever holds more open keeps nobody else out of anything but this port. */
const MOST_CONNECTIONS = 32;

/** A request is a line and some headers. */
const REQUEST_WITHIN_MS = 5_000;

/**
 * Answers GET and HEAD, and nothing else. Nobody is asked who they are: there are no people and no secrets in it.
 *
 * @param input.setting that names the address, for who has to change it
 * @param input.paths what is there, in words for who asks for something else
 * @param input.answer of a path; undefined: there is none
 * @throws ListenError where the address can't be listened on.
 */
export async function serveBeside(input: {
  setting: string;
  address: { host: string; port: number };
  paths: string;
  answer: (path: string) => ((response: http.ServerResponse) => void) | undefined;
}): Promise<SideServer> {
  const { host, port } = input.address;
  const server = http.createServer(
    { headersTimeout: REQUEST_WITHIN_MS, requestTimeout: REQUEST_WITHIN_MS },
    (request, response) => {
      const answer = input.answer(request.url?.split("?", 1)[0] ?? "");
      if (!answer) return endWith(response, 404, input.paths);
      if (request.method !== "GET" && request.method !== "HEAD")
        return endWith(response, 405, "only GET is answered here");
      answer(response);
    },
  );
  server.maxConnections = MOST_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const why = error.code === "EADDRINUSE" ? "another process has that port" : reasonWords(error);
      reject(
        new ListenError(
          `${input.setting} is ${host}:${port}, where nothing can be served (${why}): give each process of this machine a port of its own, or unset it`,
          { cause: error },
        ),
      );
    });
    server.listen({ host, port }, resolve);
  });
  // Of one connection, such as too many open files: whoever asks again is answered again.
  server.on("error", () => {});
  const listening = server.address();
  const chosen = listening !== null && typeof listening === "object" ? listening.port : port;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${chosen}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Some words, which no cache keeps. */
export function endWith(response: http.ServerResponse, status: number, words: string): void {
  response
    .writeHead(status, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" })
    .end(`${words}\n`);
}
