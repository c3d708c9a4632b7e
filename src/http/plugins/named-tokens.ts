import type { FastifyRequest } from "fastify";
import { createHash } from "node:crypto";

import type { Caller } from "../../domain/ground/access.ts";
import {
  findToken,
  noteTokenUse,
  tokenId,
  USE_NOTED_EVERY_MS,
  type ApiToken,
} from "../../ledger/ground/api-tokens.ts";
import type { HttpDeps } from "../deps.ts";
import { Problem } from "../problem.ts";

export type TokenDeps = Pick<HttpDeps, "ledger" | "now" | "log">;

/** Wrong tokens from one address within a minute, behind which the ledger is not asked about further ones. */
const WRONG_A_MINUTE = 60;
const MINUTE_MS = 60_000;

/** Addresses that are counted at a time; the oldest is forgotten for the next. */
const MOST_ADDRESSES = 10_000;

/** As many as there may be tokens. */
const MOST_GOOD = 1_000;

/**
 * Who a token says that its caller is. Nothing is remembered of it but that it was good before: a flood of wrong ones
 * from an address, which may be that of a proxy, costs the ledger nothing more, and keeps nobody out who was in.
 */
export function namedTokens({ ledger, now, log }: TokenDeps) {
  const wrong = countWrong(now);
  const good = new Set<string>();
  const noteUse = (id: string, lastUsedAtMs: number | undefined) => {
    const nowMs = now();
    if (lastUsedAtMs !== undefined && nowMs - lastUsedAtMs < USE_NOTED_EVERY_MS) return;
    // The request does not wait for it, and is right without it.
    noteTokenUse(ledger.db, id, nowMs).catch((error: unknown) =>
      log.warn({ error: String(error) }, "that a token is in use could not be noted"),
    );
  };
  return {
    /** @throws Problem 401 where the token is none, or good no more; 429 behind too many wrong ones. */
    async callerOf(shown: string, { ip, routeOptions }: FastifyRequest): Promise<Caller> {
      const id = tokenId(shown);
      // By the whole of it: who knows an id alone, which is no secret, is nobody, and takes nothing from its holder.
      const mark = markOf(shown);
      if (wrong.isTooMany(ip) && !good.has(mark)) throw tooManyWrong();
      // A stop does not stand in line for who asks for it, either.
      const { db } = routeOptions.url === "/v1/stop-all" ? ledger.urgent : ledger;
      const token = id === undefined ? undefined : await findToken(db, shown);
      const fault = token ? faultOf(token, now()) : unknownToken();
      if (!token || fault) {
        good.delete(mark);
        const count = wrong.note(ip);
        if (count === 1 || count === WRONG_A_MINUTE)
          log.warn({ address: ip, wrong_tokens: count, code: fault?.code }, "a token was refused");
        throw fault ?? unknownToken();
      }
      good.delete(mark);
      const [oldest] = good;
      if (good.size >= MOST_GOOD && oldest !== undefined) good.delete(oldest);
      good.add(mark);
      noteUse(token.id, token.lastUsedAtMs);
      return { kind: "token", tokenId: token.id, name: token.name, role: token.role, brands: token.brands };
    },
  };
}

function markOf(shown: string): string {
  return createHash("sha256").update(shown).digest("base64");
}

/** How often each address was wrong within a minute. */
function countWrong(now: () => number) {
  const counts = new Map<string, { sinceMs: number; count: number }>();
  const current = (address: string) => {
    const found = counts.get(address);
    return found && now() - found.sinceMs < MINUTE_MS ? found : undefined;
  };
  return {
    isTooMany: (address: string) => (current(address)?.count ?? 0) >= WRONG_A_MINUTE,
    note(address: string): number {
      const { sinceMs, count } = current(address) ?? { sinceMs: now(), count: 0 };
      counts.delete(address);
      const [oldest] = counts.keys();
      if (counts.size >= MOST_ADDRESSES && oldest !== undefined) counts.delete(oldest);
      counts.set(address, { sinceMs, count: count + 1 });
      return count + 1;
    },
  };
}

/** Why a token that there is lets nobody in any more. */
function faultOf({ name, revokedAtMs, expiresAtMs }: ApiToken, nowMs: number): Problem | undefined {
  if (revokedAtMs !== undefined) {
    return new Problem({
      status: 401,
      code: "token_revoked",
      detail: `the token ${name} was revoked at ${new Date(revokedAtMs).toISOString()}: ask an admin for another (\`outdial token create\`)`,
    });
  }
  if (expiresAtMs === undefined || nowMs < expiresAtMs) return undefined;
  return new Problem({
    status: 401,
    code: "token_expired",
    detail: `the token ${name} expired at ${new Date(expiresAtMs).toISOString()}: ask an admin for another (\`outdial token create\`)`,
  });
}

function unknownToken(): Problem {
  return new Problem({
    status: 401,
    code: "unauthorized",
    detail:
      "the token is not one of this system's: set OUTDIAL_API_TOKEN to one that `outdial token create` made, or to the one that the system was started with",
  });
}

function tooManyWrong(): Problem {
  return new Problem({
    status: 429,
    code: "rate_limited",
    detail: `more than ${WRONG_A_MINUTE} wrong tokens came from this address within a minute: see which token is set, and try again in a minute`,
  });
}
