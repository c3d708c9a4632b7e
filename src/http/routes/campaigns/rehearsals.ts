import { createHash } from "node:crypto";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";

import { rehearsalJson } from "../../../contacts/rehearsal-json.ts";
import type { Rehearsed } from "../../../contacts/rehearsed-campaign.ts";
import { readRehearsedPeople } from "../../../contacts/rehearsed-people.ts";
import type { CampaignSpec } from "../../../domain/campaigns/campaign-spec.ts";
import { usdOf } from "../../../domain/campaigns/money.ts";
import { forecastOf, rehearse } from "../../../domain/campaigns/rehearsal/forecast.ts";
import { linesNeeded } from "../../../domain/campaigns/rehearsal/lines-needed.ts";
import {
  modelOf,
  modelOfPast,
  readOutcomeProfile,
  type OutcomeModel,
} from "../../../domain/campaigns/rehearsal/outcome-model.ts";
import { plannedLines, planOfSpec } from "../../../domain/campaigns/rehearsal/plan-of-spec.ts";
import { isZoneName } from "../../../domain/time/zone-data.ts";
import { readReport } from "../../../ledger/campaigns/reports.ts";
import { listBlackouts } from "../../../ledger/ground/blackouts.ts";
import { createGuestBreather, finishBreathing } from "../../../ledger/ground/breather.ts";
import { suppressedAmong } from "../../../ledger/ground/suppressions.ts";
import { requireBrand } from "../../caller.ts";
import { readBalance, readOutcomes, readPrice } from "../../cost-estimate.ts";
import type { HttpDeps } from "../../deps.ts";
import { bodyOf, formatOf, letPass, listQuery, listUploadSchema, takeLists } from "../../list-upload.ts";
import { Problem, unknownCampaign } from "../../problem.ts";
import { createSlots } from "../../slots.ts";
import { rehearsalSchema } from "../../wire/campaigns/rehearsals.ts";
import { brandQuery, requireCampaign } from "./lookup.ts";
import { jsonIn, MOST_SPEC_CHARS, unfit, whatFor } from "./validate.ts";

/*
 * A rehearsal over the API. It is a guest of those who dial:
 *
 * 1. One is under way at a time; who comes meanwhile is told to come again (503 `busy`).
 * 2. It works for a hundredth of a second, and rests twice as long.
 * 3. Whoever asked and is gone, and what takes longer than `WITHIN_MS`, is not worked for any more.
 */

const AT_ONCE = 1;

/** A hundred thousand people, ten times, take half of it as a guest; what stands before the API waits as long. */
const WITHIN_MS = 120_000;

/** In some bytes each, and in two of the ledger's statements a thousand. */
const MOST_PEOPLE = 100_000;

/** As many as a spec may say. */
const MOST_LINES = 100_000;

/** They say the range, and more of them hardly another one. */
const MOST_RUNS = 20;

const LAST_SEED = 2 ** 31 - 1;

const moment = z.iso.datetime({ offset: true });

const rehearseQuery = listQuery.extend({
  ...brandQuery.shape,
  campaign: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe("The campaign whose spec it is, by its id or name."),
  spec: z
    .string()
    .max(MOST_SPEC_CHARS)
    .optional()
    .describe("Instead of a campaign: the spec of one, as JSON."),
  from: moment.optional().describe("When it is started; absent, now."),
  end_by: moment.optional().describe("Asks how many lines it takes to be through by then."),
  concurrency: z.coerce
    .number()
    .int()
    .min(1)
    .max(MOST_LINES)
    .optional()
    .describe("Calls that may be up at once, instead of the spec's."),
  outcomes: z
    .string()
    .max(4_000)
    .optional()
    .describe("What calls come to and how long they take, as JSON; docs/rehearsal.md has its fields."),
  like: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe("Instead of outcomes: a campaign of the brand that had them, by its id or name."),
  cost_per_minute: z.coerce
    .number()
    .min(0)
    .max(1_000)
    .optional()
    .describe("What a minute of talk costs, in US dollars; absent, what the platform estimates."),
  time_zone: z
    .string()
    .max(100)
    .default("UTC")
    .refine(isZoneName, "must be an IANA name such as America/New_York")
    .describe("By whose clocks hours are told."),
  runs: z.coerce.number().int().min(1).max(MOST_RUNS).default(10).describe("How often, for the range."),
  seed: z.coerce.number().int().min(0).max(LAST_SEED).default(1).describe("Of the first run."),
});

type Query = z.output<typeof rehearseQuery>;

/** What a campaign would do with a list. Nothing is written, and nobody is called. */
export function rehearsalRoutes(deps: HttpDeps): FastifyPluginAsyncZod {
  const slots = createSlots(AT_ONCE, "another rehearsal is under way");
  return async (app) => {
    takeLists(app);
    app.post(
      "/v1/rehearsals",
      {
        // The same again is rehearsed again, and changes as little.
        config: { requestKey: "own" },
        schema: {
          summary: "Says what a campaign would do with a list. Nothing is written, and nobody is called.",
          description:
            "The list is the body, up to 100,000 contacts. It is rehearsed by the code that decides in a campaign, with the ledger's suppressions and blackouts. One is under way at a time, and takes up to two minutes.",
          querystring: rehearseQuery,
          ...listUploadSchema,
          response: { 200: rehearsalSchema },
        },
      },
      async (request, reply) => {
        let late: NodeJS.Timeout | undefined;
        try {
          const { query } = request;
          const { spec } = await whatFor(deps, query);
          if (!spec) throw unfit("campaign", "must be given, or a spec");
          requireBrand(request, spec.brand);
          const untilMs = performance.now() + WITHIN_MS;
          const hash = createHash("sha256");
          return await slots(async () => {
            // Whoever stops sending holds up the others no longer than that.
            late = setTimeout(() => {
              if (!request.raw.readableEnded) request.raw.destroy();
            }, WITHIN_MS);
            const model = await outcomesOf(deps, spec, query);
            const goOn = whileWanted(() => reply.raw.destroyed, untilMs);
            const read = await readList(deps, bodyOf(request, hash), { spec, query, goOn, request });
            return rehearsalJson(
              await rehearsed(deps, { spec, query, ...model, ...read, digest: hash.digest("hex"), goOn }),
            );
          });
        } finally {
          clearTimeout(late);
          letPass(request);
        }
      },
    );
  };
}

/** Work that nobody waits for any more is left. @throws Problem */
function whileWanted(isGone: () => boolean, untilMs: number): () => Promise<void> {
  const breathe = createGuestBreather();
  return async () => {
    if (isGone()) throw tooLong("whoever asked for the rehearsal is gone");
    if (performance.now() > untilMs)
      throw tooLong(
        `the rehearsal takes longer than ${WITHIN_MS / 1_000} seconds beside those who dial: ask for fewer runs, a part of the list, or without end_by; or run \`outdial rehearse\`, which has a machine to itself`,
      );
    await breathe();
  };
}

function tooLong(detail: string): Problem {
  return new Problem({ status: 413, code: "too_large", detail });
}

async function outcomesOf(
  deps: HttpDeps,
  spec: CampaignSpec,
  { outcomes, like }: Query,
): Promise<{ model: OutcomeModel; outcomesFrom: string }> {
  if (outcomes !== undefined && like !== undefined)
    throw unfit("outcomes", "give outcomes or like, not both");
  if (like !== undefined) return outcomesLike(deps, spec, like);
  if (outcomes === undefined) return readOutcomes(deps, spec);
  const reading = readOutcomeProfile(jsonIn("outcomes", outcomes));
  if (reading.ok) return { model: modelOf(reading.definition), outcomesFrom: "those of the request" };
  const told = reading.problems.map(({ field, problem }) => `${field}: ${problem}`);
  throw unfit("outcomes", told.join("; "));
}

async function outcomesLike({ ledger, now }: HttpDeps, { brand }: CampaignSpec, like: string) {
  const campaign = await requireCampaign(ledger.db, like, brand);
  if (campaign.brand !== brand) throw unknownCampaign(like);
  const report = await readReport(ledger.db, campaign.id, now());
  const model =
    report &&
    modelOfPast({
      dispositions: report.attemptDispositions,
      talkSeconds: report.talkSeconds,
      dialed: report.contactsDialed,
      invalid: report.dispositions["invalid_number"] ?? 0,
    });
  if (model) return { model, outcomesFrom: `as campaign "${campaign.spec.name}" had them` };
  throw unfit("like", "has no call that is over: name another campaign, or give outcomes");
}

/** Reads the list to its end, by the rules of an import. @throws Problem where it makes no contact */
async function readList(
  { ledger, now }: HttpDeps,
  list: AsyncIterable<Uint8Array>,
  given: {
    spec: CampaignSpec;
    query: Query;
    goOn: () => Promise<void>;
    request: Parameters<typeof formatOf>[0];
  },
) {
  const { spec, query } = given;
  const nowMs = now();
  const region = query.default_region ?? spec.default_region;
  let people = 0;
  let suppressedNumbers = 0;
  const read = await readRehearsedPeople(
    list,
    {
      ...formatOf(given.request, query.format),
      fileName: query.source_name,
      map: query.map,
      ...(region !== undefined && { defaultRegion: region }),
    },
    {
      spec,
      suppressed: new Set(),
      nowMs: query.from === undefined ? nowMs : Date.parse(query.from),
      afterChunk: async (chunk, gatherer) => {
        people += chunk.length;
        if (people > MOST_PEOPLE)
          throw tooLong(
            `the list has more than ${MOST_PEOPLE.toLocaleString("en-US")} contacts: rehearse a part of it, or run \`outdial rehearse\`, which takes any`,
          );
        const phones = chunk.map(({ phone }) => phone);
        const hits =
          phones.length === 0
            ? undefined
            : await suppressedAmong(ledger.db, { phones, brand: spec.brand, nowMs });
        for (const { phone, person } of chunk) {
          if (hits?.has(phone) !== true) continue;
          suppressedNumbers += 1;
          gatherer.suppress(person);
        }
        await given.goOn();
      },
    },
  );
  const { stopped, problems } = read.validation;
  if (stopped !== null)
    throw unreadable(`${stopped.message}: mend the list and send it again`, stopped.code, stopped.line);
  if (read.people.count > 0) return { ...read, suppressedNumbers };
  const [problem] = problems;
  throw unreadable(
    `nobody in the list can be called${problem === undefined ? ": it has no rows" : ` (line ${problem.line}: ${problem.reason})`}`,
    problem?.code ?? "no_rows",
    problem?.line ?? null,
  );
}

function unreadable(detail: string, listCode: string, line: number | null): Problem {
  return new Problem({
    status: 422,
    code: "invalid_list",
    detail,
    extra: { list_code: listCode, ...(line !== null && { line }) },
  });
}

async function rehearsed(
  deps: HttpDeps,
  given: Pick<
    Rehearsed,
    "spec" | "model" | "outcomesFrom" | "validation" | "suppressedNumbers" | "digest"
  > & {
    people: Awaited<ReturnType<typeof readRehearsedPeople>>["people"];
    query: Query;
    goOn: () => Promise<void>;
  },
): Promise<Rehearsed> {
  const { spec, query, people, goOn, ...known } = given;
  const beganMs = performance.now();
  const fromMs = query.from === undefined ? deps.now() : Date.parse(query.from);
  const blackouts = await listBlackouts(deps.ledger.db, { brand: spec.brand, nowMs: deps.now() });
  const { lines, linesOf } = plannedLines(deps.account, spec, query.concurrency);
  const plan = planOfSpec(spec, {
    people,
    blackouts,
    lines,
    rate: deps.rate,
    model: known.model,
    fromMs,
    shownIn: query.time_zone,
  });
  const runs = await finishBreathing(rehearse(plan, { runs: query.runs, seed: query.seed }), goOn);
  const endByMs = query.end_by === undefined ? undefined : Date.parse(query.end_by);
  const wanted = endByMs !== undefined && {
    endByMs,
    answer: await finishBreathing(linesNeeded(plan, { endByMs, runs, mostLines: MOST_LINES }), goOn),
  };
  return {
    ...known,
    spec,
    listName: query.source_name,
    forecast: forecastOf(runs),
    fromMs,
    zone: query.time_zone,
    lines,
    linesOf,
    rate: deps.rate,
    blackouts: { ok: true, value: blackouts.length },
    price: await priceOf(deps, spec, query),
    balance: await balanceOf(deps),
    wanted: wanted === false ? undefined : wanted,
    tookMs: performance.now() - beganMs,
  };
}

async function priceOf(
  deps: HttpDeps,
  spec: CampaignSpec,
  { cost_per_minute: asked }: Query,
): Promise<Rehearsed["price"]> {
  if (asked !== undefined) return { ok: true, value: asked, from: "cost_per_minute" };
  const price = await readPrice(deps, spec);
  const from = "the platform's estimate for the agent";
  return price.ok ? { ok: true, value: usdOf(price.value.minuteMicros), from } : { ...price, from };
}

async function balanceOf(deps: HttpDeps): Promise<Rehearsed["balance"]> {
  const micros = await readBalance(deps);
  return micros === undefined
    ? { ok: false, why: "the platform does not say, or more may be spent than there is" }
    : { ok: true, value: usdOf(micros) };
}
