import { createBreather } from "../../../ledger/ground/breather.ts";
import { normalisePhone } from "../../../contacts/phone.ts";
import { zonesOfPhone, zonesWithoutPrefix } from "../../../contacts/zones.ts";
import type { CampaignSpec } from "../../../domain/campaigns/campaign-spec.ts";
import { checkDial } from "../../../domain/people/dial-checks.ts";
import type { DialCheck, DialFacts } from "../../../domain/people/dial-facts.ts";
import { factWithoutOthers, withoutOthers } from "../../../domain/people/others-numbers.ts";
import type { Fact, StoryEntry } from "../../../domain/people/story.ts";
import {
  policyThen,
  readBlackoutsOf,
  readCitedPolicies,
  readDialFacts,
  type DialQuestion,
  type PolicyVersion,
} from "../../../ledger/people/dial-facts.ts";
import type { FoundEntry } from "../../../ledger/people/source.ts";
import type { Db } from "../../../ledger/ground/connection.ts";
import { looksSecret } from "../../../platform/index.ts";
import { isoOf } from "../../wire/instant.ts";
import { localTimes } from "../../local-times.ts";
import type { CitedPolicyWire, StoryEntryWire } from "../../wire/people.ts";

/** Entries as they are told, with what was in force when calls were permitted. */
export async function storyEntries(
  db: Db,
  phone: string,
  found: readonly FoundEntry[],
  zonesOfPerson: readonly string[],
): Promise<{ entries: StoryEntryWire[]; policies: CitedPolicyWire[] }> {
  const policies = await readCitedPolicies(db, found);
  const checks = await checksOf(db, found, policies);
  const breathe = createBreather();
  const entries: StoryEntryWire[] = [];
  for (const entry of found) {
    entries.push(entryView(entry, { phone, zonesOfPerson, checks: checks.get(entry.id) }));
    await breathe();
  }
  return { entries, policies: policies.map(policyView) };
}

async function checksOf(
  db: Db,
  found: readonly FoundEntry[],
  policies: readonly PolicyVersion[],
): Promise<Map<string, DialCheck[]>> {
  const cited = new Map(policies.map((policy) => [`${policy.campaignId} ${policy.version}`, policy]));
  const dialed = found.flatMap(({ id, dial, campaign, policyVersion, zones, places = [] }) => {
    const policy = cited.get(`${campaign?.id ?? ""} ${policyVersion ?? ""}`);
    return dial && policy ? [{ id, dial, policy, zones, places }] : [];
  });
  if (dialed.length === 0) return new Map();
  const moments = dialed.map(({ dial }) => dial.permittedMs);
  const blackouts = await readBlackoutsOf(db, {
    fromMs: Math.min(...moments),
    untilMs: Math.max(...moments),
  });
  const questions = dialed.map(({ id, dial, policy, zones, places }): DialQuestion & { id: string } => ({
    id,
    ...dial,
    zones,
    places,
    policy: policyThen(policy, blackouts, dial.permittedMs),
  }));
  const facts: ReadonlyMap<number, DialFacts> = await readDialFacts(db, questions);
  const breathe = createBreather();
  const checks = new Map<string, DialCheck[]>();
  for (const { id, attemptId, policy } of questions) {
    const then = facts.get(attemptId);
    if (then) checks.set(id, checkDial(then, policy));
    await breathe();
  }
  return checks;
}

function entryView(
  entry: StoryEntry,
  of: { phone: string; zonesOfPerson: readonly string[]; checks: DialCheck[] | undefined },
): StoryEntryWire {
  const ours = [of.phone, ...OUR_NUMBERS.flatMap((name) => textOf(entry.facts[name]))];
  return {
    id: entry.id,
    at: isoOf(entry.atMs),
    until: entry.untilMs === undefined ? null : entry.untilMs === null ? "still" : isoOf(entry.untilMs),
    kind: entry.kind,
    brand: entry.brand ?? null,
    campaign: entry.campaign ?? null,
    sequence: entry.sequence ?? null,
    policy_version: entry.policyVersion ?? null,
    local: localTimes(entry.atMs, entry.zones.length > 0 ? entry.zones : of.zonesOfPerson),
    what: withoutOthers(entry.what, ours),
    facts: {
      ...Object.fromEntries(
        Object.entries(entry.facts).map(([name, value]) => [name, factView(name, value, ours)]),
      ),
      ...zoneFacts(entry, of.phone),
    },
    checks:
      of.checks?.map(({ rule, allowed, says }) => ({
        rule,
        allowed: allowed ?? null,
        says: withoutOthers(says, ours),
      })) ?? null,
  };
}

/** How somebody who comes in is placed, and from what, as far as the tables of today tell. */
function zoneFacts({ kind, zones, places = [] }: StoryEntry, phone: string): StoryEntryWire["facts"] {
  if (kind !== "listed" && kind !== "enrolled") return {};
  return { ...zonesFacts(zones, phone), ...(places.length > 0 && { places: [...places] }) };
}

function zonesFacts(zones: readonly string[], phone: string): StoryEntryWire["facts"] {
  const number = normalisePhone(phone);
  const isSame = (others: readonly string[]) => others.join() === zones.join();
  if (number.ok && isSame(zonesOfPhone(number))) return { zones: [...zones], zones_from: "number" };
  if (number.ok && isSame(zonesWithoutPrefix(number))) return { zones: [...zones], zones_from: "country" };
  return { zones: [...zones], zones_from: "given" };
}

/** Facts that are numbers of the caller. */
const OUR_NUMBERS = ["from_number", "to_number"];

function textOf(fact: Fact | undefined): string[] {
  return typeof fact === "string" ? [fact] : [];
}

/** Ids and digests are digits now and then, and are what is looked for with. */
const KEPT = /(?:^|_)(?:id|at|sha256)$/;

function factView(name: string, value: Fact, ours: readonly string[]): StoryEntryWire["facts"][string] {
  if (/^(?:var|label)_/.test(name) && looksSecret(name)) return "(a secret)";
  if (KEPT.test(name) || OUR_NUMBERS.includes(name)) return value;
  return factWithoutOthers(name, value, ours);
}

/** What of a spec decides whether somebody may be called, and when. */
const RULES = [
  "presets",
  "override",
  "window",
  "holidays",
  "exceptions",
  "starts_at",
  "ends_at",
  "retry",
  "least_gap",
  "frequency",
  "not_called_within",
  "consent",
  "numbers",
  "zones",
  "inbound",
] as const satisfies readonly (keyof CampaignSpec)[];

function policyView({ spec, ...policy }: PolicyVersion): CitedPolicyWire {
  return {
    campaign_id: policy.campaignId,
    campaign: policy.campaignName,
    run: policy.run,
    brand: policy.brand,
    version: policy.version,
    by: policy.actor,
    since: isoOf(policy.createdAtMs),
    rules: Object.fromEntries(
      RULES.flatMap((name) => (spec[name] === undefined ? [] : [[name, spec[name]]])),
    ),
  };
}
