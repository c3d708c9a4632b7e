import { z } from "zod";

import {
  cutoffsAt,
  isRetentionKind,
  objectionToKeeping,
  RETENTION,
  RETENTION_KINDS,
  retentionOf,
  type RetentionKind,
  type RetentionSaid,
} from "../../../domain/ground/retention.ts";
import { exactDuration, parseDurationMs } from "../../../domain/time/duration.ts";
import { COUNTED_AT_MOST, countAged } from "../../../ledger/people/aged-counts.ts";
import { readProgressOf, readRetentionSaid, saidOf, setRetention } from "../../../ledger/ground/retention.ts";
import type { Db } from "../../../ledger/ground/connection.ts";
import { actorOf } from "../../actor.ts";
import type { HttpDeps } from "../../deps.ts";
import { invalid } from "../../phone.ts";
import { isoOf, isoOrNull } from "../../wire/instant.ts";
import {
  retentionAnswerSchema,
  retentionSchema,
  type RetentionAnswerWire,
  type RetentionKindWire,
} from "../../wire/people/retention.ts";
import { reasonText } from "../../wire/text.ts";
import type { Routes } from "../../route-scope.ts";

const setBody = z.strictObject({
  /** By kind a duration such as 90d, or null: it is kept for good. Kinds that are not named stay as they are. */
  keep: z.record(z.string(), z.string().max(40).nullable()),
  reason: reasonText("is needed: it is kept in the audit"),
  /** Only count what would go. */
  dry_run: z.boolean().default(false),
});

const ABOUT =
  "Says how long what is held of people is kept, by kind. What is older goes, from the next turn on, in steps; it can't be brought back but from a backup. A dry run counts what would go and changes nothing.";

/** How long what is held of people is kept. */
export function retentionRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    const { ledger } = deps;

    app.get("/v1/retention", { schema: { response: { 200: retentionSchema } } }, async () => ({
      kinds: await kindViews(ledger.db),
    }));

    app.put(
      "/v1/retention",
      { schema: { description: ABOUT, body: setBody, response: { 200: retentionAnswerSchema } } },
      async (request) => {
        const { keep, reason, dry_run: isDry } = request.body;
        const said = saidIn(keep);
        const nowMs = deps.now();
        if (!isDry)
          await ledger.transaction((tx) =>
            setRetention(tx, { said, reason, actor: actorOf(request), nowMs }),
          );
        const asked = { ...saidOf(await readRetentionSaid(ledger.db)), ...said };
        return {
          kinds: await kindViews(ledger.db),
          due: dueOf(await countAged(ledger.db, cutoffsAt(retentionOf(asked), nowMs))),
          is_set: !isDry,
        };
      },
    );
  };
}

function saidIn(keep: Readonly<Record<string, string | null>>): RetentionSaid {
  const said: Partial<Record<RetentionKind, number | null>> = {};
  for (const [kind, duration] of Object.entries(keep)) {
    if (!isRetentionKind(kind))
      throw invalid(`keep.${kind}`, `is no kind of what is kept: there are ${RETENTION_KINDS.join(", ")}`);
    const keepMs = duration === null ? undefined : parseDurationMs(duration);
    if (duration !== null && keepMs === undefined)
      throw invalid(`keep.${kind}`, "must be a duration such as 90d, or null to keep it for good");
    const objection = objectionToKeeping(kind, keepMs);
    if (objection !== undefined) throw invalid(`keep.${kind}`, objection);
    said[kind] = keepMs ?? null;
  }
  return said;
}

async function kindViews(db: Db): Promise<RetentionKindWire[]> {
  const said = await readRetentionSaid(db);
  const retention = retentionOf(saidOf(said));
  const progress = await readProgressOf(db);
  return RETENTION_KINDS.map((kind) => {
    const { what, standardMs, leastMs, mostMs } = RETENTION[kind];
    const gone = progress.get(kind);
    const keepMs = retention[kind];
    return {
      kind,
      what,
      keep: keepMs === undefined ? null : exactDuration(keepMs),
      standard: standardMs === undefined ? null : exactDuration(standardMs),
      least: exactDuration(leastMs),
      most: mostMs === undefined ? null : exactDuration(mostMs),
      changed_by: said[kind]?.changedBy ?? null,
      changed_at: said[kind] ? isoOf(said[kind].changedAtMs) : null,
      removed: gone?.removed ?? null,
      last_removed_at: isoOrNull(gone?.lastAtMs),
    };
  });
}

function dueOf(counts: Partial<Record<RetentionKind, number>>): RetentionAnswerWire["due"] {
  return RETENTION_KINDS.flatMap((kind) => {
    const n = counts[kind];
    return n === undefined ? [] : [{ kind, rows: Math.min(n, COUNTED_AT_MOST), more: n > COUNTED_AT_MOST }];
  });
}
