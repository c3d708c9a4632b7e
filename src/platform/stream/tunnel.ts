import http from "node:http";
import https from "node:https";
import type { Duplex } from "node:stream";
import tls from "node:tls";

/** As an agent's connections are asked for; of a request to a TLS address, `host` is who must be there. */
interface Wanted {
  readonly host?: string | null | undefined;
  readonly port?: number | string | null | undefined;
}

type Done = (error: Error | null, socket?: Duplex) => void;

/** Connections of a stream through a proxy, by CONNECT (RFC 9110, 9.3.6), which is answered `withinMs`. */
export function tunnelAgent(
  proxy: URL,
  { isSecure, withinMs }: { readonly isSecure: boolean; readonly withinMs: number },
): http.Agent {
  const agent = isSecure ? new https.Agent() : new http.Agent();
  const connect = (wanted: Wanted, done: Done): undefined => {
    const target = `${wanted.host ?? ""}:${wanted.port ?? (isSecure ? 443 : 80)}`;
    const request = (proxy.protocol === "https:" ? https : http).request({
      host: proxy.hostname,
      port: proxy.port,
      method: "CONNECT",
      path: target,
      headers: { host: target, ...authorizationOf(proxy) },
      agent: false,
    });
    // Whoever waits for the stream gives it up and knows nothing of this one: a proxy that says nothing would keep it.
    const timer = setTimeout(
      () => request.destroy(new ProxyError("SILENT", "the proxy does not answer")),
      withinMs,
    );
    request.once("close", () => clearTimeout(timer));
    request.once("connect", ({ statusCode }, socket) => {
      clearTimeout(timer);
      if (statusCode !== 200) {
        socket.destroy();
        done(new ProxyError(statusCode));
      } else if (isSecure) {
        const host = wanted.host ?? "";
        done(null, tls.connect({ socket, host, servername: host }));
      } else done(null, socket);
    });
    request.once("response", (response) => {
      response.destroy();
      done(new ProxyError(response.statusCode));
    });
    request.once("error", (error) => done(error));
    request.end();
  };
  return Object.assign(agent, { createConnection: connect });
}

/** The proxy does not make the connection. */
class ProxyError extends Error {
  readonly code: string;

  constructor(what: number | string = "REFUSED", message = "the proxy refuses the connection") {
    super(message);
    this.name = "ProxyError";
    this.code = `PROXY_${what}`;
  }
}

function authorizationOf({ username, password }: URL): Record<string, string> {
  if (username === "") return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(credentials).toString("base64")}` };
}
