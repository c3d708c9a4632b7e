import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";

import { isLoopback } from "../loopback.ts";
import { Problem } from "../problem.ts";
import { VERSION, VERSION_HEADER } from "../version.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * The route makes sure itself who asks, by a signature or a token of its own. Its callers are other systems,
     * which know nothing of the API's token and come through a tunnel or a proxy, under whatever name that has.
     */
    authenticatesItself?: true;
  }
}

/** Probes of a container know no token; they are told nothing but yes or no. */
const OPEN_ROUTES: ReadonlySet<string | undefined> = new Set(["/healthz", "/readyz"]);

/**
 * Who may ask. With a token: whoever shows it. Without one the API only listens on loopback, so that what is
 * left to refuse is a web page in this machine's browser: another name that resolves to us (DNS rebinding) is
 * seen in `Host`, and a request from another site in `Origin` or `Sec-Fetch-Site`. Routes that authenticate by
 * themselves are asked for neither: a page that could reach them has no secret of theirs.
 */
export function guardAccess(app: FastifyInstance, token: string | undefined): void {
  const expected = token === undefined ? undefined : digestOf(token);
  app.addHook("onRequest", async (request, reply) => {
    if (OPEN_ROUTES.has(request.routeOptions.url)) return;
    if (request.routeOptions.config.authenticatesItself) return;
    if (expected === undefined) refuseBrowsers(request.headers);
    else refuseWrongToken(request.headers.authorization, expected);
    // A command that can't make sense of an answer tells by it whether the two are of one version.
    reply.header(VERSION_HEADER, VERSION);
  });
}

/**
 * How requests are counted for their limit. Those to routes that authenticate themselves are counted apart: through
 * a tunnel everybody has the same address, and a flood from outside must not keep people from `stop-all`. The
 * others come here only with the right to ask, since `guardAccess` goes before. Probes are not counted: a flood
 * would have the process restarted.
 */
export const COUNTED = {
  keyGenerator: ({ routeOptions, ip }: FastifyRequest): string =>
    `${routeOptions.config.authenticatesItself ? "systems" : "people"} ${ip}`,
  allowList: ({ routeOptions }: FastifyRequest): boolean => OPEN_ROUTES.has(routeOptions.url),
};

function refuseWrongToken(authorization: string | undefined, expected: Buffer): void {
  const shown = /^bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
  // Digests are compared, so that neither the time nor a difference in length tells anything.
  if (shown !== undefined && timingSafeEqual(digestOf(shown), expected)) return;
  throw new Problem({
    status: 401,
    code: "unauthorized",
    detail:
      shown === undefined
        ? "this system asks for a token: send it as `Authorization: Bearer ...`, or set OUTDIAL_API_TOKEN for the command line. It is the OUTDIAL_API_TOKEN that the system was started with; where none was set, `token` in ledger.lock of its data folder"
        : "the token is not this system's: set OUTDIAL_API_TOKEN to the one that it was started with",
  });
}

function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** What proxies and tunnels add. Many of them also put our own address into `Host`, which then says nothing. */
const OF_PROXIES = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
] as const;

function refuseBrowsers(headers: IncomingHttpHeaders): void {
  if (!isLoopback(hostnameOf(headers.host))) {
    throw new Problem({
      status: 403,
      code: "forbidden_host",
      detail:
        "without a token only requests to localhost are served: set OUTDIAL_API_TOKEN to be reached by another name",
    });
  }
  if (OF_PROXIES.some((name) => headers[name] !== undefined)) {
    throw new Problem({
      status: 403,
      code: "forbidden_host",
      detail:
        "the request came through a proxy or a tunnel, and without a token only this machine is served: set OUTDIAL_API_TOKEN",
    });
  }
  const site = headers["sec-fetch-site"];
  const foreignSite = site !== undefined && site !== "same-origin" && site !== "none";
  const foreignOrigin = headers.origin !== undefined && hostOf(headers.origin) !== headers.host;
  if (foreignSite || foreignOrigin) {
    throw new Problem({
      status: 403,
      code: "cross_site",
      detail: "requests from another web site are not served: set OUTDIAL_API_TOKEN and send it with them",
    });
  }
}

/** The name in a `Host` header, without its port. */
function hostnameOf(host: string | undefined): string {
  return (host ?? "").replace(/:\d+$/, "").toLowerCase();
}

/** `null` and other opaque origins have no host, and fit none. */
function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
