import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

import { callerText, hasRole, mayTouch, type Caller } from "../../domain/ground/access.ts";
import { callerOf, otherBrands, SYSTEM } from "../caller.ts";
import { isPage } from "../dashboard.ts";
import type { HttpDeps } from "../deps.ts";
import { isLoopback } from "../loopback.ts";
import { Problem } from "../problem.ts";
import { accessTo, type RouteAccess } from "../route-access.ts";
import { boundGuesses } from "./guesses.ts";
import { namedTokens } from "./named-tokens.ts";
import { browserSessions, callerOfSession, isRead, type OpenSession, type SessionDeps } from "./sessions.ts";
import { VERSION, VERSION_HEADER } from "../version.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * The route makes sure itself who asks, by a signature or a token of its own. Its callers are other systems,
     * which know nothing of the API's token and come through a tunnel or a proxy, under whatever name that has.
     */
    authenticatesItself?: true;
    /** For people who are nobody yet: the pages of the dashboard, and its way in. They say nothing of what there is. */
    isPublic?: true;
    /** What it takes to ask for it: its line in route-access.ts, put here as it is built. */
    access?: RouteAccess;
  }

  interface FastifyRequest {
    /** Null: the caller did not come by a session. */
    browserSession: OpenSession | null;
  }
}

/** Probes of a container know no token; they are told nothing but yes or no. */
const OPEN_ROUTES: ReadonlySet<string | undefined> = new Set(["/healthz", "/readyz"]);

/** It stands in no line: neither for who asks for it, nor behind what they asked for before. */
const STOP_ROUTE = "/v1/stop-all";

/**
 * Who may ask, and for what. Whoever shows the token of the system itself may everything, and the ledger is not asked: a
 * stop has to work where that is stuck. Other tokens are looked up, each time, and so are sessions of browsers, which go
 * behind a token: a page can't cause a request that has one. A cookie that is over is nobody's, on the machine itself,
 * too, and so is a page of ours that has none. Without a token of its own the API only listens on loopback, and whoever
 * shows none is this machine; what is left to refuse is a web page in its browser: another name that resolves to us (DNS
 * rebinding) is seen in `Host`, and a request from another site in `Origin` or `Sec-Fetch-Site`. Routes that authenticate by themselves are asked for neither: a page that could reach them has no
 * secret of theirs.
 */
export function guardAccess(app: FastifyInstance, deps: AccessDeps, doors: Doors): void {
  const { ledger } = deps;
  const { expected, named, sessions } = doors;
  app.decorateRequest("caller", null);
  app.decorateRequest("browserSession", null);
  app.addHook("onRoute", (route) => {
    const methods = [route.method].flat();
    for (const method of methods) {
      const access = accessTo(method === "HEAD" ? "GET" : method, route.url);
      const { authenticatesItself, isPublic } = route.config ?? {};
      if (access.role === undefined && !authenticatesItself && !isPublic && !OPEN_ROUTES.has(route.url))
        throw new Error(`${method} ${route.url} is open, and does not authenticate itself`);
      route.config = { ...route.config, access };
    }
  });
  app.addHook("onRequest", async (request, reply) => {
    const { url, config } = request.routeOptions;
    if (OPEN_ROUTES.has(url) || config.authenticatesItself) return;
    // With a named token, too: whoever serves others has the token that says so.
    const isPublic = config.isPublic || (url === undefined && isPage(request));
    // A link to a page may stand anywhere; only a page of ours signs in, or another's would do so in its own name.
    if (isPublic && isRead(request.method)) return;
    if (expected === undefined) refuseBrowsers(request.headers);
    if (isPublic) return sessions.refuseOtherSites(request);
    const isUrgent = url === STOP_ROUTE;
    const { db } = isUrgent ? ledger.urgent : ledger;
    const shown = bearerIn(request.headers.authorization);
    const cookie = shown === undefined ? sessions.shownIn(request.headers) : undefined;
    if (shown !== undefined) {
      request.caller = doors.isSystem(shown)
        ? SYSTEM
        : await named.callerOf(shown, { address: request.ip, db, isUrgent });
    } else if (cookie !== undefined) {
      await openSession(sessions, { cookie, db, isUrgent }, request, reply);
    } else {
      if (expected) throw noToken();
      if (url?.startsWith("/v1/") && sessions.isSignedOut(request.headers)) throw notSignedIn();
      request.caller = SYSTEM;
    }
    // A command that can't make sense of an answer tells by it whether the two are of one version.
    reply.header(VERSION_HEADER, VERSION);
    // An address that is none has no rights to ask for.
    if (config.access) refuseForRights(callerOf(request), config.access);
  });
}

export type AccessDeps = SessionDeps & Pick<HttpDeps, "token">;

/** By what somebody is let in; wrong ones are counted over all of them. */
export type Doors = ReturnType<typeof openDoors>;

export function openDoors(deps: AccessDeps) {
  const { token } = deps;
  const expected = token === undefined ? undefined : digestOf(token);
  const guesses = boundGuesses(deps);
  // Sessions that the system's own token began end with it. A digest of its digest gives nobody the token.
  const systemMark = expected && createHash("sha256").update("session ").update(expected).digest("hex");
  return {
    expected,
    guarded: guesses.guarded,
    systemMark,
    named: namedTokens(deps, guesses),
    sessions: browserSessions(deps, { ...guesses, systemMark }),
    /** Whether it is the token of the system itself. */
    isSystem: (shown: string) => expected !== undefined && timingSafeEqual(digestOf(shown), expected),
  };
}

async function openSession(
  sessions: Doors["sessions"],
  { cookie, db, isUrgent }: { cookie: string; db: HttpDeps["ledger"]["db"]; isUrgent: boolean },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  // Before anything is looked up: another page is told nothing of whether there is a session.
  sessions.refuseOtherSites(request);
  sessions.refuseWithoutToken(request, cookie);
  try {
    const opened = await sessions.open(cookie, {
      address: request.ip,
      db,
      isUrgent,
      // What changes something waits for nobody.
      isShared: isRead(request.method),
    });
    request.browserSession = opened;
    request.caller = callerOfSession(opened.session);
  } catch (error) {
    // Over for good: the browser need not show it again.
    if (error instanceof Problem && error.status === 401) reply.header("set-cookie", sessions.clearing());
    throw error;
  }
}

/** @throws Problem 403 where the role is too small, or the route is for callers of all brands. */
function refuseForRights(caller: Caller, { role, brand }: RouteAccess): void {
  if (role !== undefined && !hasRole(caller, role)) {
    throw new Problem({
      status: 403,
      code: "role_needed",
      detail: `${callerText(caller)} has the role ${caller.role}, and this takes ${role}: ask somebody who has that, or for a token that has it`,
      extra: { role },
    });
  }
  if (brand === "every" && !mayTouch(caller, undefined)) throw otherBrands(caller, undefined);
}

/**
 * How requests are counted for their limit. Those to routes that authenticate themselves are counted apart, and so are
 * those that take nobody to be asked for, pages and the way in: through a tunnel or a proxy everybody has the same
 * address, and a flood from outside must not keep people from their work. The others come here only with the right to
 * ask, since `guardAccess` goes before, and a session is counted by itself: an office has one address, and a page that is
 * open asks some hundred times a minute. Probes are not counted: a flood would have the process restarted. Nor is a stop:
 * whoever may ask for it has it, however busy their scripts were within the minute.
 */
export const COUNTED = {
  keyGenerator: ({ routeOptions: { config }, ip, browserSession }: FastifyRequest): string => {
    if (config.authenticatesItself) return `systems ${ip}`;
    if (browserSession) return `session ${browserSession.session.id}`;
    return `${config.isPublic ? "passers-by" : "people"} ${ip}`;
  },
  allowList: ({ routeOptions: { url } }: FastifyRequest): boolean =>
    OPEN_ROUTES.has(url) || url === STOP_ROUTE,
};

/** What is shown in the header, where it is a bearer token. */
function bearerIn(authorization: string | undefined): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
}

function notSignedIn(): Problem {
  return new Problem({
    status: 401,
    code: "unauthorized",
    detail:
      "a browser signs in, also on the machine itself: open a link that `outdial sign-in` makes. Programs on this machine show no cookie and no `sec-fetch-site`, and need nothing",
  });
}

function noToken(): Problem {
  return new Problem({
    status: 401,
    code: "unauthorized",
    detail:
      "this system asks for a token: send it as `Authorization: Bearer ...`, or set OUTDIAL_API_TOKEN for the command line. It is one that `outdial token create` made, or the OUTDIAL_API_TOKEN that the system was started with; where none was set, `token` in ledger.lock of its data folder",
  });
}

// Digests are compared, so that neither the time nor a difference in length tells anything.
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
