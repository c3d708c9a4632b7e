import type { Caller } from "../../domain/ground/access.ts";
import {
  findToken,
  noteTokenUse,
  tokenId,
  USE_NOTED_EVERY_MS,
  type ApiToken,
} from "../../ledger/ground/api-tokens.ts";
import type { Ledger } from "../../ledger/ground/connection.ts";
import type { HttpDeps } from "../deps.ts";
import { Problem } from "../problem.ts";
import type { Guesses } from "./guesses.ts";

export type TokenDeps = Pick<HttpDeps, "ledger" | "now" | "log">;

/** Who a token says that its caller is: looked up each time, and never remembered. */
export function namedTokens({ ledger, now, log }: TokenDeps, { guarded }: Pick<Guesses, "guarded">) {
  const noteUse = (id: string, lastUsedAtMs: number | undefined) => {
    const nowMs = now();
    if (lastUsedAtMs !== undefined && nowMs - lastUsedAtMs < USE_NOTED_EVERY_MS) return;
    // The request does not wait for it, and is right without it.
    noteTokenUse(ledger.db, id, nowMs).catch((error: unknown) =>
      log.warn({ error: String(error) }, "that a token is in use could not be noted"),
    );
  };
  return {
    /**
     * @param from.db the ledger, or the way that stops have to it
     * @param from.isUrgent looked up however many wrong ones there were
     * @throws Problem 401 where the token is none, or good no more; 429 behind too many wrong ones.
     */
    callerOf: (
      shown: string,
      { address, db, isUrgent = false }: { address: string; db: Ledger["db"]; isUrgent?: boolean },
    ): Promise<Caller> =>
      guarded({ text: shown, address, isFormed: tokenId(shown) !== undefined, isUrgent }, async () => {
        const token = await findToken(db, shown);
        if (!token) throw unknownToken();
        const fault = faultOfToken(token, now());
        if (fault) throw fault;
        noteUse(token.id, token.lastUsedAtMs);
        return { kind: "token", tokenId: token.id, name: token.name, role: token.role, brands: token.brands };
      }),
  };
}

/** Why a token that there is lets nobody in any more. */
export function faultOfToken(
  { name, revokedAtMs, expiresAtMs }: Pick<ApiToken, "name" | "revokedAtMs" | "expiresAtMs">,
  nowMs: number,
): Problem | undefined {
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
