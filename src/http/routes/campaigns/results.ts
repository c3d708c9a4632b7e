import { Readable } from "node:stream";

import { createBreather } from "../../../ledger/ground/breather.ts";
import { csvRow } from "../../../contacts/csv-cell.ts";
import type { Db } from "../../../ledger/ground/connection.ts";
import { localMoment } from "../../../domain/time/local-moment.ts";
import { streamResults, type ResultRow, readVariableNames } from "../../../ledger/campaigns/reports.ts";
import { hasTags } from "../../../ledger/campaigns/tags.ts";
import { hidesNumbers } from "../../caller.ts";
import type { HttpDeps } from "../../deps.ts";
import { rejectsCsv } from "../../rejects-csv.ts";
import { isoOf } from "../../wire/instant.ts";
import { brandQuery, campaignParams, requireCampaign } from "./lookup.ts";
import type { Routes } from "../../route-scope.ts";

const RESULT_COLUMNS = [
  "line",
  "phone",
  "outcome",
  "reason",
  "state",
  "attempts",
  "attempt_dispositions",
  "call_ids",
  "first_attempt_at",
  "first_attempt_local",
  "last_attempt_at",
  "last_attempt_local",
  "last_attempt_ended_at",
  "last_attempt_ended_local",
  "duration_seconds",
  "time_zones",
  "policy_versions",
  "agent_versions",
] as const;

/** Variables with a column of their own: as many as a CSV may bring. NDJSON rows may name more between them. */
const MAX_VARIABLE_COLUMNS = 200;

/** Results and rejects as CSV, in constant memory however many there are. */
export function resultRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    const { db } = deps.ledger;
    const schema = { params: campaignParams, querystring: brandQuery, produces: ["text/csv"] };

    app.get("/v1/campaigns/:ref/results.csv", { schema }, async (request, reply) => {
      const { id } = await requireCampaign(db, request.params.ref, request.query.brand);
      return reply
        .type("text/csv; charset=utf-8")
        .send(Readable.from(resultsCsv(db, id, !hidesNumbers(request))));
    });

    app.get("/v1/campaigns/:ref/rejects.csv", { schema }, async (request, reply) => {
      const { id } = await requireCampaign(db, request.params.ref, request.query.brand);
      return reply.type("text/csv; charset=utf-8").send(Readable.from(rejectsCsv(db, { campaignId: id })));
    });
  };
}

/**
 * A line a contact, in the order of the lists; its own columns first, and for those who may see these, its tags where
 * anybody in it has some, then each variable as `var_<name>`.
 */
async function* resultsCsv(db: Db, campaignId: string, withVariables: boolean): AsyncGenerator<string> {
  const names = withVariables ? await readVariableNames(db, campaignId) : [];
  const shown = names.slice(0, MAX_VARIABLE_COLUMNS);
  const hasMore = names.length > shown.length;
  const isTagged = withVariables && (await hasTags(db, campaignId));
  yield csvRow([
    ...RESULT_COLUMNS,
    ...(isTagged ? ["tags"] : []),
    ...shown.map((name) => `var_${name}`),
    ...(hasMore ? ["more_variables"] : []),
  ]);
  const breathe = createBreather();
  for await (const page of streamResults(db, campaignId)) {
    let text = "";
    for (const row of page) {
      // Times in a dozen zones for a thousand people would hold up everybody else.
      await breathe();
      const values = shown.map((name) => row.variables[name] ?? "");
      const tags = isTagged ? [row.tags.join("; ")] : [];
      text += csvRow([
        ...resultCells(row),
        ...tags,
        ...values,
        ...(hasMore ? [otherVariables(row, shown)] : []),
      ]);
    }
    yield text;
  }
}

function resultCells(row: ResultRow): string[] {
  return [
    String(row.line ?? ""),
    row.phone,
    row.outcome ?? "",
    row.reason ?? "",
    row.state,
    String(row.attempts),
    row.attemptDispositions.join(" "),
    row.callIds.join(" "),
    ...momentCells(row.firstAttemptMs, row.zones),
    ...momentCells(row.lastAttemptMs, row.zones),
    ...momentCells(row.lastAttemptEndMs, row.zones),
    row.durationSeconds === null ? "" : String(row.durationSeconds),
    row.zones.join(" "),
    row.policyVersions.join(" "),
    // A place for each attempt, so that they stand as its other columns do.
    row.agentVersions.every((version) => version === null)
      ? ""
      : row.agentVersions.map((version) => version ?? "-").join(" "),
  ];
}

/** In UTC, and by the person's clocks: they are what hours are held against. */
function momentCells(atMs: number | null, zones: readonly string[]): [utc: string, local: string] {
  return atMs === null ? ["", ""] : [isoOf(atMs), localMoment(atMs, zones) ?? ""];
}

function otherVariables(row: ResultRow, shown: readonly string[]): string {
  const others = Object.entries(row.variables).filter(([name]) => !shown.includes(name));
  return others.length === 0 ? "" : JSON.stringify(Object.fromEntries(others));
}
