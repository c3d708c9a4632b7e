import type { FrequencyCap } from "../dialing-policy.ts";
import type { MinuteRange } from "../minute-range.ts";
import type { PlacedRule } from "./placed-rule.ts";
import { daysOf, pinOf, ruleText, withinMsOf, type Preset, type PresetRule } from "./preset.ts";
import { pinned, presetNamed } from "./registry.ts";
import type { Territory } from "./whereabouts.ts";

/* What the presets of a campaign come to, less what it lifts. */

/** A rule that a campaign does not keep to, and why. */
export interface Lift {
  rule: string;
  reason: string;
}

interface InForce {
  rule: PresetRule;
  text: string;
  territory: Territory;
}

function rulesInForce(names: readonly string[], lifts: readonly Lift[]): InForce[] {
  const presets = pinned(names).flatMap((name) => presetNamed(name) ?? []);
  const spokenOf = presets.flatMap(({ countries }) => countries);
  const lifted = new Set(lifts.map(({ rule }) => rule));
  return presets.flatMap((preset) =>
    preset.rules
      .filter(({ id }) => !lifted.has(id))
      .map((rule) => ({
        rule,
        text: textOf(preset, rule),
        territory:
          rule.places === "elsewhere"
            ? { kind: "elsewhere", except: spokenOf }
            : { kind: "places", places: rule.places },
      })),
  );
}

function textOf(preset: Preset, rule: PresetRule): string {
  const where = rule.places === "elsewhere" ? "" : `${rule.where}, `;
  return `${pinOf(preset).replace("@", " ")}: ${where}${ruleText(rule)} (${rule.id}; ${rule.source})`;
}

/** What presets come to, for whom each part of a policy is. */
interface Made {
  placed: readonly PlacedRule[];
  caps: readonly FrequencyCap[];
  consents: readonly Demand[];
}

/** A rule in words, and where it holds. */
export interface Demand {
  text: string;
  territory: Territory;
}

const NONE: Made = { placed: [], caps: [], consents: [] };

/**
 * Policies are made at every planning and settling, of the same presets and lifts: what these come to is remembered, the
 * same arrays again, by which others remember what comes of them.
 */
const made = new Map<string, Made>();

/** The campaigns of a process name a handful of combinations. */
const MOST_MADE = 200;

function madeOf(names: readonly string[] | undefined, lifts: readonly Lift[]): Made {
  if (names === undefined) return NONE;
  const key = `${pinned(names).join(" ")} without ${lifts.map(({ rule }) => rule).join(" ")}`;
  const known = made.get(key);
  if (known) return known;
  const rules = rulesInForce(names, lifts);
  const one: Made = { placed: placedRules(rules), caps: capsOf(rules), consents: consentsOf(rules) };
  if (made.size >= MOST_MADE) made.clear();
  made.set(key, one);
  return one;
}

/** None where a spec names no preset: then its window alone decides. */
export function placedRulesOf(
  names: readonly string[] | undefined,
  lifts: readonly Lift[] = [],
): readonly PlacedRule[] {
  return madeOf(names, lifts).placed;
}

/** Caps of presets: those that count alike are one cap, so that a contact is asked about once for each. */
export function presetCapsOf(
  names: readonly string[] | undefined,
  lifts: readonly Lift[] = [],
): readonly FrequencyCap[] {
  return madeOf(names, lifts).caps;
}

/** Where presets demand consent to an artificial voice: the gate asks it of whoever may be there. */
export function consentRulesOf(
  names: readonly string[] | undefined,
  lifts: readonly Lift[] = [],
): readonly Demand[] {
  return madeOf(names, lifts).consents;
}

function placedRules(rules: readonly InForce[]): PlacedRule[] {
  return rules.flatMap(({ rule, text, territory }): PlacedRule[] => {
    switch (rule.kind) {
      case "hours":
        return [{ text, territory, days: daysOf(rule.hours) }];
      case "sundays":
        return [{ text, territory, days: EVERY_DAY_BUT_SUNDAY }];
      case "holidays":
        return [{ text, territory, holidays: rule.holidays }];
      case "calls":
      case "consent":
        return [];
    }
  });
}

const ALL_DAY: readonly MinuteRange[] = [{ startMinute: 0, endMinute: 1_440 }];
const EVERY_DAY_BUT_SUNDAY = [...Array.from({ length: 6 }, () => ALL_DAY), []];

function capsOf(rules: readonly InForce[]): FrequencyCap[] {
  const caps = new Map<string, FrequencyCap & { of: Demand[] }>();
  for (const { rule, text, territory } of rules) {
    if (rule.kind !== "calls") continue;
    const withinMs = withinMsOf(rule);
    const key = `${rule.attempts} ${withinMs}`;
    const cap = caps.get(key) ?? {
      counts: "attempts" as const,
      atMost: rule.attempts,
      withinMs,
      across: "brand" as const,
      thenEnd: false,
      of: [],
    };
    cap.of.push({ text, territory });
    caps.set(key, cap);
  }
  return [...caps.values()];
}

function consentsOf(rules: readonly InForce[]): Demand[] {
  return rules.flatMap(({ rule, text, territory }) => (rule.kind === "consent" ? [{ text, territory }] : []));
}
