import { isDeepStrictEqual } from "node:util";

import { z } from "zod";

import { lookBackSchema } from "../../../domain/campaigns/campaign-spec.ts";
import {
  brandsOfDocument,
  DECLARED_KINDS,
  keyOf,
  nameOf,
  readDocument,
  type Declared,
  type DeclaredKey,
} from "../../../domain/declared/documents.ts";
import type { FieldChange } from "../../../domain/declared/difference.ts";
import { recurringOf, saysOf, type ScheduleSays } from "../../../domain/schedules/recurring-spec.ts";
import { triggerCautions } from "../../../domain/triggers/trigger.ts";
import type { SpecProblem } from "../../../domain/ground/spec-problems.ts";
import {
  findDeclaration,
  isDeclaredWithin,
  listDeclarations,
} from "../../../ledger/declared/declarations.ts";
import { actorOf } from "../../actor.ts";
import { callerOf } from "../../caller.ts";
import { checkCaller, checkCallers } from "../../caller-check.ts";
import type { HttpDeps } from "../../deps.ts";
import { placesOf, warningsIn, type Places } from "../../missing.ts";
import { Problem } from "../../problem.ts";
import {
  declarationListSchema,
  declaredAppliedSchema,
  declaredDiffSchema,
  declaredDocumentsSchema,
  declaredPrunedSchema,
  EXPORTED_KINDS,
} from "../../wire/declared.ts";
import { isoOf } from "../../wire/instant.ts";
import { applyDocument, type DeclaredPorts } from "../../../commands/declared/apply.ts";
import { documentsOf } from "./documents.ts";
import { requireOwnDocument } from "./own.ts";
import { ownSchedules } from "../schedules/own.ts";
import { unsourcedWarnings } from "../schedules/unsourced.ts";
import { ownTriggers } from "../triggers/own.ts";
import { judge } from "../../../commands/declared/judge.ts";
import { pruneOne, removalOf } from "../../../commands/declared/prune.ts";
import { afterQuery, limitQuery, namePlaceIn } from "../../cursor.ts";
import type { Routes } from "../../route-scope.ts";

/** A document of a megabyte, as JSON. */
const LARGEST_BODY_BYTES = 2 * 1024 * 1024;

/** Schedules that are declared in other requests: what they say of campaigns counts as soon as those are compared. */
const besideSchema = z
  .array(
    z.strictObject({
      name: z.string().min(1).max(100),
      brand: z.string().max(100).default("default"),
      campaign: z.string().min(1).max(100).optional(),
      not_called_within: lookBackSchema.optional(),
      has_spec: z.boolean().default(false),
    }),
  )
  .max(1_000)
  .default([]);

const diffBody = z.strictObject({
  documents: z.array(z.unknown()).min(1).max(100),
  schedules: besideSchema,
  /** Documents that are compared in other requests: what needs one of them lacks nothing. */
  others: z
    .array(
      z.strictObject({
        kind: z.enum(DECLARED_KINDS),
        brand: z.string().max(100).default(""),
        name: z.string().min(1).max(100),
      }),
    )
    .max(1_000)
    .default([]),
});

const applyBody = z.strictObject({ document: z.unknown(), schedules: besideSchema });

const pruneBody = z.strictObject({
  kind: z.enum(DECLARED_KINDS),
  brand: z.string().max(100).default(""),
  name: z.string().min(1).max(100),
  /** As it was shown to whoever decided: what was declared anew since is not pruned. */
  digest: z.string().max(100).optional(),
  /** Of an automation: whether it goes from the platform, too. */
  platform: z.boolean().default(false),
});

const pageQuery = z.strictObject({
  kind: z.enum(EXPORTED_KINDS),
  after: afterQuery,
  limit: limitQuery,
});

/** Declared state: what documents would change, bringing it about, what is there, and what is declared no more. */
export function declaredRoutes(deps: HttpDeps): Routes {
  const { db } = deps.ledger;
  const ports: DeclaredPorts = {
    ...deps,
    checkCaller: (spec) => checkCaller(deps.platform, spec),
    checkCallers: (definition) => checkCallers(deps.platform, definition),
  };
  return async (app) => {
    app.post(
      "/v1/declared/diff",
      {
        bodyLimit: LARGEST_BODY_BYTES,
        schema: { body: diffBody, response: { 200: declaredDiffSchema } },
      },
      async (request) => {
        const documents = readAll(request.body.documents);
        for (const declared of documents) await requireOwnDocument(db, request, declared);
        const beside = besideOf(documents, request.body.schedules);
        const all = [...documents.map(keyOf), ...request.body.others];
        const places = placesOf(deps, all);
        // What is declared with a schedule says more of its campaign than what is there.
        const isBeside = (one: Declared) =>
          one.kind === "schedule" &&
          all.some(
            (key) =>
              key.kind === "campaign" && isDeepStrictEqual(recurringOf(one.definition.run), nameIn(key)),
          );
        const items = [];
        for (const declared of documents) {
          const { change, fields, reason = null } = await judge(db, declared, beside);
          const cautions = isBeside(declared) ? [] : await cautionsOf(deps, declared);
          items.push({ ...(await shown(places, declared, fields, cautions)), change, reason });
        }
        return { items };
      },
    );

    app.post(
      "/v1/declared/apply",
      {
        bodyLimit: LARGEST_BODY_BYTES,
        schema: { body: applyBody, response: { 200: declaredAppliedSchema } },
      },
      async (request) => {
        const [declared] = readAll([request.body.document]);
        if (!declared) throw new Error("a document was read, and is not there");
        await requireOwnDocument(db, request, declared);
        const { change, fields } = await applyDocument(ports, {
          declared,
          beside: request.body.schedules,
          actor: actorOf(request),
          requireOwn: { trigger: ownTriggers(request), schedule: ownSchedules(request) },
        });
        const cautions = await cautionsOf(deps, declared);
        return { ...(await shown(placesOf(deps), declared, fields, cautions)), change };
      },
    );

    app.get("/v1/declared", { schema: { response: { 200: declarationListSchema } } }, async (request) => {
      const items = [];
      const declarations = await listDeclarations(db, callerOf(request).brands);
      for (const { kind, brand, name, digest, actor, appliedAtMs } of declarations) {
        const { prunable, words } = await removalOf(db, { kind, brand, name });
        const about = { kind, brand, name, digest, actor, applied_at: isoOf(appliedAtMs) };
        items.push({ ...about, removal: words, prunable });
      }
      return { items };
    });

    app.get(
      "/v1/declared/documents",
      { schema: { querystring: pageQuery, response: { 200: declaredDocumentsSchema } } },
      async (request) => {
        const { kind, after, limit } = request.query;
        const behind = after === undefined ? undefined : namePlaceIn(after);
        return documentsOf(db, kind, { after: behind, limit, within: callerOf(request).brands });
      },
    );

    app.post(
      "/v1/declared/prune",
      { schema: { body: pruneBody, response: { 200: declaredPrunedSchema } } },
      async (request) => {
        const { platform, digest, ...key } = request.body;
        const { brands } = callerOf(request);
        const isOwn = brands === undefined || (await isDeclaredWithin(db, key, brands));
        const declaration = isOwn ? await findDeclaration(db, key) : undefined;
        if (!declaration)
          throw new Problem({
            status: 404,
            code: "not_found",
            detail: `${key.kind} ${JSON.stringify(key.name)} was never declared: only what was applied is pruned`,
          });
        if (declaration.pruned) return { ...key, removal: "is pruned already" };
        if (digest !== undefined && digest !== declaration.digest)
          throw new Problem({
            status: 409,
            code: "command_refused",
            detail: `${nameOf(key)} was declared anew meanwhile: look again`,
          });
        const { words } = await pruneOne(deps, key, { actor: actorOf(request), platform });
        return { ...key, removal: words };
      },
    );
  };
}

/** All schedules that are declared with them, each once. */
function besideOf(documents: readonly Declared[], named: readonly ScheduleSays[]): ScheduleSays[] {
  const among = documents.flatMap((one) => (one.kind === "schedule" ? [saysOf(one.definition)] : []));
  const names = new Set(among.map(({ name }) => name));
  return [...among, ...named.filter(({ name }) => !names.has(name))];
}

async function shown(
  places: Places,
  declared: Declared,
  fields: readonly FieldChange[],
  cautions: readonly string[],
) {
  return {
    ...keyOf(declared),
    fields: fields.map(({ field, before, after }) => ({
      field,
      before: before ?? null,
      after: after ?? null,
    })),
    warnings: [
      ...cautions,
      ...(await warningsIn(places, declared.definition, brandsOfDocument(declared) ?? "every")),
    ],
  };
}

/** As `trigger put` and `schedule put` say them. */
async function cautionsOf({ ledger, now }: HttpDeps, declared: Declared): Promise<string[]> {
  if (declared.kind === "trigger") return triggerCautions(declared.definition);
  return declared.kind === "schedule" ? unsourcedWarnings(ledger.db, declared.definition, now()) : [];
}

const nameIn = ({ brand, name }: DeclaredKey) => ({ brand, name });

/** @throws Problem 422 with every problem of all of them, each with its document's number. */
function readAll(values: readonly unknown[]): Declared[] {
  const problems: SpecProblem[] = [];
  const documents = values.flatMap((value, index) => {
    const reading = readDocument(value);
    if (reading.ok) return [reading.declared];
    const where = values.length === 1 ? "" : `documents[${index}]: `;
    problems.push(...reading.problems.map(({ field, problem }) => ({ field: `${where}${field}`, problem })));
    return [];
  });
  if (problems.length === 0) return documents;
  const told = problems.map(({ field, problem }) => `${field}: ${problem}`).join("; ");
  throw new Problem({
    status: 422,
    code: "invalid_spec",
    detail: `the documents have ${problems.length === 1 ? "a problem" : `${problems.length} problems`}: ${told}`,
    errors: problems.map(({ field, problem }) => ({ field, message: problem })),
  });
}
