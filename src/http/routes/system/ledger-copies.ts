import { writeAudit } from "../../../ledger/ground/audit.ts";
import { actorOf } from "../../actor.ts";
import type { HttpDeps } from "../../deps.ts";
import { Problem } from "../../problem.ts";
import { isoOf } from "../../wire/instant.ts";
import { ledgerCopySchema } from "../../wire/system.ts";
import type { Routes } from "../../route-scope.ts";

/** Copies of an embedded ledger, which nobody but the process that has it open can make. */
export function ledgerCopyRoutes({ ledger, log, now }: HttpDeps): Routes {
  return async (app) => {
    let isCopying = false;

    app.post(
      "/v1/ledger/copies",
      {
        // The same request again makes another copy: the first may have been taken away.
        config: { requestKey: "own" },
        schema: {
          description:
            "Copies an embedded ledger beside itself, for a backup; whoever asks takes the copy away, or it is removed an hour later.",
          response: { 201: ledgerCopySchema },
        },
      },
      async (request, reply) => {
        const actor = actorOf(request);
        if (!ledger.copyAside) {
          throw new Problem({
            status: 409,
            code: "not_embedded",
            detail:
              "the ledger is on PostgreSQL, which has tools of its own for this: `outdial backup` calls pg_dump where DATABASE_URL names the database",
          });
        }
        if (isCopying) {
          throw new Problem({
            status: 409,
            code: "request_under_way",
            detail: "the ledger is being copied for somebody else: ask again in a minute",
          });
        }
        isCopying = true;
        try {
          const { folder, atMs, files, bytes, heldMs } = await ledger.copyAside();
          const copy = { folder, at: isoOf(atMs), files, bytes, held_ms: Math.round(heldMs) };
          await writeAudit(ledger.db, { nowMs: now(), actor, action: "ledger.copy", detail: copy });
          log.info({ actor, bytes, heldMs: copy.held_ms }, "the ledger was copied for a backup");
          return await reply.code(201).send(copy);
        } finally {
          isCopying = false;
        }
      },
    );
  };
}
