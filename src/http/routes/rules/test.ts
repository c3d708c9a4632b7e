import { z } from "zod";

import { createBreather } from "../../../ledger/ground/breather.ts";
import type { SpecProblem } from "../../../domain/ground/spec-problems.ts";
import { rehearse, type RuleSet, type StoredCall } from "../../../domain/rules/rehearsal.ts";
import type { ComparedCall } from "../../../domain/rules/comparison.ts";
import { readRuleSet } from "../../../domain/rules/rule-set.ts";
import { storedCallOf, storedCallSchema } from "../../../domain/rules/stored-call.ts";
import type { Campaign } from "../../../ledger/campaigns/campaigns.ts";
import { listEndedCalls, type LedgerCall } from "../../../ledger/rules/stored-calls.ts";
import { momentOf, PlatformError, type Call } from "../../../platform/index.ts";
import type { HttpDeps } from "../../deps.ts";
import { Problem } from "../../problem.ts";
import { rehearsedCallView, rulesSummaryOf, rulesTestSchema } from "../../wire/rules.ts";
import { requireCampaign } from "../campaigns/lookup.ts";
import type { Routes } from "../../route-scope.ts";

/** A hundred calls with their transcripts. */
const LARGEST_BODY_BYTES = 8 * 1024 * 1024;
const MOST_CALLS = 100;

/** Contacts whose calls one request reads from the platform, each call with a request of its own. */
const MOST_CONTACTS = 20;
/** Calls that are read at a time: what dials has its own use for the account's rate. */
const AT_A_TIME = 4;

const testBody = z
  .strictObject({
    /** A campaign or a sequence. */
    definition: z.unknown(),
    /** Of a sequence with several call steps: whose calls they are. */
    step: z.string().min(1).max(50).optional(),
    /** What it is compared with; where the calls are a campaign's and nothing is given, that campaign as it is. */
    against: z.unknown().optional(),
    /** Calls as the platform shows them. */
    calls: z.array(storedCallSchema).min(1).max(MOST_CALLS).optional(),
    /** Instead of them: a campaign whose calls are read from the platform, by its id or name. */
    campaign: z.string().min(1).max(100).optional(),
    brand: z.string().min(1).max(100).default("default"),
    /** Of a campaign's calls: behind this contact. */
    after: z.int().min(0).default(0),
    /** Contacts whose calls are read. */
    contacts: z.int().min(1).max(MOST_CONTACTS).default(MOST_CONTACTS),
  })
  .refine(({ calls, campaign }) => (calls === undefined) !== (campaign === undefined), {
    message: "must say either calls or campaign",
    path: ["calls"],
  });

interface Held {
  callId: string;
  recorded: string | undefined;
  stored: StoredCall;
}

interface Page {
  calls: Held[];
  unreadable: { callId: string; why: string }[];
  nextAfter: number | undefined;
}

/** Rules over stored calls: what they would make of them, and what a change of them would. Nothing is done. */
export function ruleRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    app.post(
      "/v1/rules/test",
      {
        bodyLimit: LARGEST_BODY_BYTES,
        schema: { body: testBody, response: { 200: rulesTestSchema } },
      },
      async (request) => {
        const { body } = request;
        const rules = rulesIn("definition", body.definition, body.step);
        const campaign =
          body.campaign === undefined
            ? undefined
            : await requireCampaign(deps.ledger.db, body.campaign, body.brand);
        const old = oldRules(body, rules, campaign);
        const page = campaign
          ? await readPage(deps, campaign, body)
          : { calls: (body.calls ?? []).map(heldOf), unreadable: [], nextAfter: undefined };
        const compared = await compare(page.calls, rules, old, deps.now());
        const items = compared.map(rehearsedCallView);
        return {
          items,
          summary: rulesSummaryOf(items),
          unreadable: page.unreadable.map(({ callId, why }) => ({ call_id: callId, why })),
          next_after: page.nextAfter ?? null,
        };
      },
    );
  };
}

function oldRules(
  { against, step }: z.output<typeof testBody>,
  rules: RuleSet,
  campaign: Campaign | undefined,
): RuleSet | undefined {
  if (against !== undefined) return rulesIn("against", against, step);
  // Of a sequence's step the campaign knows the rules, and not the way that follows.
  return campaign && { spec: campaign.spec, sequence: rules.sequence };
}

/** @throws Problem 422 with every problem of it. */
function rulesIn(where: string, value: unknown, step: string | undefined): RuleSet {
  const reading = readRuleSet(value, step);
  if (reading.ok) return reading.definition;
  throw invalidRules(where, reading.problems);
}

function invalidRules(where: string, problems: readonly SpecProblem[]): Problem {
  const told = problems.map(({ field, problem }) => `${field}: ${problem}`).join("; ");
  return new Problem({
    status: 422,
    code: "invalid_spec",
    detail: `${where} has ${problems.length === 1 ? "a problem" : `${problems.length} problems`}: ${told}`,
    errors: problems.map(({ field, problem }) => ({ field: `${where}.${field}`, message: problem })),
  });
}

function heldOf(call: z.output<typeof storedCallSchema>): Held {
  return { callId: call.call_id, recorded: undefined, stored: storedCallOf(call) };
}

/** Calls of the next contacts, each as the platform shows it now. One that it does not show is told as such. */
async function readPage(
  { ledger, platform }: HttpDeps,
  campaign: Campaign,
  { after, contacts }: { after: number; contacts: number },
): Promise<Page> {
  const found = await listEndedCalls(ledger.db, { campaignId: campaign.id, after, contacts });
  const page: Page = { calls: [], unreadable: [], nextAfter: found.at(-1)?.contactId };
  for (let first = 0; first < found.length; first += AT_A_TIME) {
    const some = found.slice(first, first + AT_A_TIME);
    const answers = await Promise.all(
      some.map(({ callId }) => platform.calls.get(callId).catch(refusedOrThrow)),
    );
    const isSilent = answers.every((answer) => answer instanceof PlatformError && isSilence(answer));
    for (const [index, one] of some.entries()) {
      const answer = answers[index];
      if (answer === undefined) continue;
      if (answer instanceof PlatformError)
        page.unreadable.push({ callId: one.callId, why: answer.message.slice(0, 300) });
      else page.calls.push(fromLedger(one, answer));
    }
    if (!isSilent) continue;
    // Each of the others would be tried as long.
    const rest = found.slice(first + AT_A_TIME);
    page.unreadable.push(
      ...rest.map(({ callId }) => ({ callId, why: "was not asked for: the platform does not answer" })),
    );
    break;
  }
  return page;
}

function isSilence(error: PlatformError): boolean {
  return error.status === undefined || error.status === 429 || error.status >= 500;
}

function refusedOrThrow(error: unknown): PlatformError {
  if (error instanceof PlatformError) return error;
  throw error;
}

function fromLedger(one: LedgerCall, call: Call): Held {
  const { phone, region, variables, zones } = one;
  return {
    callId: one.callId,
    recorded: one.disposition ?? undefined,
    stored: {
      raw: call,
      itemStatus: one.itemStatus ?? undefined,
      errorText: one.errorText ?? undefined,
      attempt: one.attempt,
      contact: { phone, region, variables },
      zones,
    },
  };
}

/** A hundred calls under twenty rules each would hold up everybody else. */
async function compare(
  calls: readonly Held[],
  rules: RuleSet,
  old: RuleSet | undefined,
  nowMs: number,
): Promise<ComparedCall[]> {
  const breathe = createBreather();
  const compared: ComparedCall[] = [];
  for (const { callId, recorded, stored } of calls) {
    const clock = { momentOf, nowMs };
    const now = rehearse(rules, stored, clock);
    await breathe();
    const before = old && rehearse(old, stored, clock);
    await breathe();
    compared.push({ callId, recorded, now, before });
  }
  return compared;
}
