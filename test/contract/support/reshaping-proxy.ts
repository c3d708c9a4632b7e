/**
 * A platform of another dialect: a proxy in front of the sandbox that rewrites requests' paths and answers in one of
 * the ways that published clients of the platform show. Streams (WebSocket) pass through as they are.
 */
import { createServer, request as send, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";

export interface Reshaping {
  /** Answers with a JSON body: another body for it. `path` is without prefix and query. */
  readonly body?: (value: unknown, request: { readonly method: string; readonly path: string }) => unknown;
  /** Every path stands under this. */
  readonly prefix?: string;
  /** Creating and listing workflows is only served with a slash at the end; without it the client is redirected. */
  readonly slashes?: boolean;
  /** Paths that are not served. */
  readonly hidden?: readonly string[];
  /** Deletes and actions on nothing in particular are answered with 204 and no body. */
  readonly silent?: boolean;
  /** Fields that are withheld: nobody may look for them. */
  readonly withheld?: readonly string[];
}

/** Where the list of workflows is, with and without what is asked of it. */
const SLASHED = /^\/v1\/workflows$/;

export interface Proxy {
  readonly baseUrl: string;
  close(): Promise<void>;
}

export async function openReshapingProxy(targetPort: number, how: Reshaping): Promise<Proxy> {
  const server = createServer((request, response) => {
    relay(request, response, targetPort, how);
  });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    relayUpgrade(request, socket, head, targetPort, how.prefix ?? "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server on a port has an address object.
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}${how.prefix ?? ""}`,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function relay(request: IncomingMessage, response: ServerResponse, targetPort: number, how: Reshaping): void {
  const { method = "GET", url = "/", headers } = request;
  const prefix = how.prefix ?? "";
  const refuse = (status: number, extra: Record<string, string> = {}) => {
    request.resume();
    response.writeHead(status, { "content-type": "application/json", ...extra });
    response.end(JSON.stringify({ detail: "Not Found" }));
  };
  if (!url.startsWith(`${prefix}/`)) return refuse(404);
  const target = url.slice(prefix.length);
  const [path = "", query] = target.split("?", 2);
  if (how.hidden?.includes(path) === true) return refuse(404);
  if (how.slashes === true && SLASHED.test(path))
    return refuse(307, { location: `${prefix}${path}/${query === undefined ? "" : `?${query}`}` });
  const forwarded = send({ port: targetPort, host: "127.0.0.1", method, path: target, headers }, (answer) => {
    const type = String(answer.headers["content-type"]);
    const status = answer.statusCode ?? 500;
    if (!type.startsWith("application/json")) {
      response.writeHead(status, answer.headers);
      answer.pipe(response);
      return;
    }
    const chunks: Buffer[] = [];
    answer.on("data", (chunk: Buffer) => chunks.push(chunk));
    answer.on("end", () => {
      const { "content-length": _length, ...rest } = answer.headers;
      const isAction = method === "DELETE" || /\/(start|pause|resume|cancel|end|close)$/.test(path);
      if (how.silent === true && isAction && status < 300) {
        const { "content-type": _type, "transfer-encoding": _coding, ...bare } = rest;
        response.writeHead(204, bare);
        response.end();
        return;
      }
      const value: unknown = JSON.parse(Buffer.concat(chunks).toString() || "null");
      const reshaped = how.body === undefined || status >= 300 ? value : how.body(value, { method, path });
      response.writeHead(status, rest);
      response.end(JSON.stringify(reshaped));
    });
  });
  forwarded.on("error", () => response.destroy());
  request.pipe(forwarded);
}

function relayUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  targetPort: number,
  prefix: string,
): void {
  const path = (request.url ?? "/").slice(prefix.length);
  const forwarded = send({ port: targetPort, host: "127.0.0.1", path, headers: request.headers });
  const giveUp = () => {
    socket.destroy();
    forwarded.destroy();
  };
  forwarded.on("error", giveUp);
  socket.on("error", giveUp);
  forwarded.on("response", (answer) => {
    socket.end(`HTTP/1.1 ${answer.statusCode ?? 500} Refused\r\nConnection: close\r\n\r\n`);
    answer.resume();
  });
  forwarded.on("upgrade", (answer, upstream, first) => {
    const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${String(value)}`);
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join("\r\n")}\r\n\r\n`);
    upstream.on("error", giveUp);
    upstream.write(head);
    socket.write(first);
    upstream.pipe(socket);
    socket.pipe(upstream);
  });
  forwarded.end();
}
