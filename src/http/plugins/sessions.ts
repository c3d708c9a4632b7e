import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

import type { Caller } from "../../domain/ground/access.ts";
import type { Ledger } from "../../ledger/ground/connection.ts";
import {
  findSession,
  findSessions,
  isSessionCookie,
  noteSessionUse,
  SESSION_USE_NOTED_EVERY_MS,
  type BegunSession,
  type BrowserSession,
} from "../../ledger/ground/sessions.ts";
import { clearCookie, readCookie, setCookie, showsCookie, type CookieScope } from "../cookies.ts";
import type { HttpDeps } from "../deps.ts";
import { createGathering } from "../gathering.ts";
import { Problem } from "../problem.ts";
import type { Guesses } from "./guesses.ts";
import { faultOfToken } from "./named-tokens.ts";

/*
 * Sessions in browsers. A browser sends its cookie with whatever a page has it ask for, so that what comes by it is
 * held to three things that another page can't bring about:
 *
 * 1. The cookie is `SameSite=Strict`: requests that another site causes do not have it.
 * 2. What the browser says of where a request comes from (`Sec-Fetch-Site`, `Origin`) has to be this server: another
 *    port of the same host is the same site, and is none of ours.
 * 3. What changes something shows the session's `csrf_token` in a header, which takes having read an answer of ours.
 */

const COOKIE = "outdial_session";

/** In one statement. */
const LOOKED_UP_TOGETHER = 200;

const CSRF_HEADER = "x-csrf-token";

/** A session, and what is left of it. */
export interface OpenSession {
  session: BrowserSession;
  csrfToken: string;
  /** When it ends if it is not used. */
  idleEndsAtMs: number;
}

export type SessionDeps = Pick<HttpDeps, "ledger" | "now" | "log" | "sessions" | "tls">;

/** @param systemMark what marks sessions that the system's own token began; undefined: it has none */
export function browserSessions(
  { ledger, now, log, sessions: { idleMs, lifeMs, publicUrl }, tls }: SessionDeps,
  { guarded, remember, systemMark }: Guesses & { systemMark: string | undefined },
) {
  const isSecure = tls !== undefined || publicUrl?.startsWith("https:") === true;
  const scope: CookieScope = { path: "/", sameSite: "Strict", isSecure };
  const noteUse = (id: string, lastUsedAtMs: number) => {
    const nowMs = now();
    if (nowMs - lastUsedAtMs < SESSION_USE_NOTED_EVERY_MS) return;
    // The request does not wait for it, and is right without it.
    noteSessionUse(ledger.db, id, nowMs).catch((error: unknown) =>
      log.warn({ error: String(error) }, "that a session is in use could not be noted"),
    );
  };
  // Pages that are open ask in one moment, when the feed tells them to.
  const find = createGathering({
    most: LOOKED_UP_TOGETHER,
    perform: (cookies: readonly string[]) => findSessions(ledger.db, cookies),
    isOfAll: () => true,
  });
  const faultOf = (session: BrowserSession) => faultOfSession(session, { idleMs, nowMs: now(), systemMark });
  const openOf = (session: BrowserSession, cookie: string): OpenSession => ({
    session,
    csrfToken: csrfTokenOf(cookie),
    // Noted or not, it is used now.
    idleEndsAtMs: Math.min(session.expiresAtMs, now() + idleMs),
  });
  return {
    isSecure,
    lifeMs,
    /** Why a session lets nobody in any more. */
    faultOf,
    /** One that has begun: its holder is in, whatever else was wrong that came from the same address. */
    enter({ session, cookie }: BegunSession): { opened: OpenSession; setCookie: string } {
      remember(cookie);
      const maxAgeMs = session.expiresAtMs - session.createdAtMs;
      return {
        opened: openOf(session, cookie),
        setCookie: setCookie(COOKIE, cookie, { ...scope, maxAgeMs }),
      };
    },
    /** The cookie that a request shows; undefined: none. */
    shownIn: ({ cookie }: IncomingHttpHeaders) => readCookie(cookie, COOKIE),
    /**
     * Of a request without a session: a page of ours asks, or a browser that had one. It is nobody until it signs in, also
     * where the machine itself may everything: else whoever's session ended would have more than it gave.
     */
    isSignedOut: ({ cookie, "sec-fetch-site": site }: IncomingHttpHeaders) =>
      site === "same-origin" || showsCookie(cookie, COOKIE),
    clearing: () => clearCookie(COOKIE, scope),
    /**
     * Whose cookie it is.
     *
     * @param from.isShared looked up with others who come in the same moment, and as late as they are
     * @param from.isUrgent looked up however many wrong ones there were
     * @throws Problem 401 where its session is over, or its token is; 429 behind too many wrong ones.
     */
    open: (
      shown: string,
      {
        address,
        db,
        isShared,
        isUrgent,
      }: { address: string; db: Ledger["db"]; isShared: boolean; isUrgent: boolean },
    ): Promise<OpenSession> =>
      guarded({ text: shown, address, isFormed: isSessionCookie(shown), isUrgent }, async () => {
        const session = await (isShared ? find(shown) : findSession(db, shown));
        if (!session) throw sessionOver("has ended, or never was");
        const fault = faultOf(session);
        if (fault) throw fault;
        noteUse(session.id, session.lastUsedAtMs);
        return openOf(session, shown);
      }),
    /** @throws Problem 403 where a page of another site caused a request. */
    refuseOtherSites: (request: Asked) => refuseOtherSites(request, publicUrl),
    /** @throws Problem 403 where a request that changes something does not show what only our pages know. */
    refuseWithoutToken,
  };
}

export function callerOfSession({ id, kind, name, tokenId, role, brands }: BrowserSession): Caller {
  return { kind, name, role, brands, sessionId: id, ...(tokenId !== undefined && { tokenId }) };
}

/** Nothing is kept of it: whoever has the cookie can make it, and nobody else. */
function csrfTokenOf(cookie: string): string {
  return createHash("sha256").update(`csrf ${cookie}`).digest("base64url");
}

function faultOfSession(
  session: BrowserSession,
  { idleMs, nowMs, systemMark }: { idleMs: number; nowMs: number; systemMark: string | undefined },
): Problem | undefined {
  const { kind, name, tokenName, tokenRevokedAtMs, tokenExpiresAtMs } = session;
  const fault = faultOfToken({ name, revokedAtMs: tokenRevokedAtMs, expiresAtMs: tokenExpiresAtMs }, nowMs);
  if (fault && kind === "link")
    return sessionOver(`was begun by a link of the token ${tokenName ?? ""}, which was revoked or is over`);
  if (fault) return fault;
  if (nowMs >= session.expiresAtMs)
    return sessionOver(`ended at ${new Date(session.expiresAtMs).toISOString()}, as it had to`);
  if (nowMs - session.lastUsedAtMs >= idleMs) return sessionOver("was not used for too long");
  if (session.systemMark !== undefined && session.systemMark !== systemMark)
    return sessionOver("was begun with a token that this system has no more");
  return undefined;
}

function sessionOver(why: string): Problem {
  return new Problem({ status: 401, code: "session_over", detail: `this session ${why}: sign in again` });
}

const READS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

export function isRead(method: string): boolean {
  return READS.has(method);
}

interface Asked {
  method: string;
  headers: IncomingHttpHeaders;
}

function refuseOtherSites({ method, headers }: Asked, publicUrl: string | undefined): void {
  const site = headers["sec-fetch-site"];
  // Somebody typed the address of a file, or opened it in a tab of its own.
  const isOwn = site === undefined || site === "same-origin" || (isRead(method) && site === "none");
  if (isOwn && isOfUs(headers, publicUrl)) return;
  throw new Problem({
    status: 403,
    code: "cross_site",
    detail:
      "the request comes from another web site, and sessions are for this one alone: behind a proxy set OUTDIAL_PUBLIC_URL to the address that people open",
  });
}

function refuseWithoutToken({ method, headers }: Asked, shown: string): void {
  if (isRead(method)) return;
  const given = headers[CSRF_HEADER];
  if (typeof given === "string" && isSame(given, csrfTokenOf(shown))) return;
  throw new Problem({
    status: 403,
    code: "csrf_token",
    detail: `what changes something by a session shows its csrf_token in the header ${CSRF_HEADER}: read it from GET /v1/session`,
  });
}

/** Whether the page that asks is of this server. A proxy may have put another name into `Host`. */
function isOfUs({ origin, host }: IncomingHttpHeaders, publicUrl: string | undefined): boolean {
  if (origin === undefined) return true;
  // `null` and other opaque origins have no host, and fit none.
  if (!URL.canParse(origin)) return false;
  const of = new URL(origin);
  return of.host === host || (publicUrl !== undefined && of.origin === new URL(publicUrl).origin);
}

function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
