import { nearMiss } from "../../ground/near-miss.ts";
import { canada } from "./data/ca-2026.1.ts";
import { careful } from "./data/careful-2026.1.ts";
import { france } from "./data/fr-2026.1.ts";
import { germany } from "./data/de-2026.1.ts";
import { unitedKingdom } from "./data/uk-2026.1.ts";
import { usFederal } from "./data/us-federal-2026.1.ts";
import { usStates } from "./data/us-states-2026.1.ts";
import { pinOf, type Preset, type PresetRule } from "./preset.ts";

/** Every version of every preset that was released, the versions of one in their order. Never taken out: campaigns are bound to them. */
export const PRESETS: readonly Preset[] = [
  usFederal,
  usStates,
  canada,
  unitedKingdom,
  france,
  germany,
  careful,
];

/** What holds where nothing is said, and for people of whom no preset that is named speaks. */
const CAREFUL = careful.id;

const byPin = new Map(PRESETS.map((preset) => [pinOf(preset), preset]));
const newest = new Map(PRESETS.map((preset) => [preset.id, preset]));

/** By its id, the newest version; or by id and version, as `us-states@2026.1`. */
export function presetNamed(name: string): Preset | undefined {
  return newest.get(name) ?? byPin.get(name);
}

/** The newest versions, in the order in which they are listed. */
export function newestPresets(): readonly Preset[] {
  return [...newest.values()];
}

/** What is wrong with the name of a preset; undefined where it is one. */
export function presetProblem(name: string): string | undefined {
  if (presetNamed(name) !== undefined) return undefined;
  const ids = [...newest.keys()];
  const [id = "", version] = name.split("@");
  const known = newest.get(id);
  if (known !== undefined && version !== undefined) {
    const versions = PRESETS.filter((preset) => preset.id === id).map((preset) => preset.version);
    return `is no version of ${id} that is known here: ${versions.join(", ")}`;
  }
  return `is no preset${nearMiss(name, ids)}: ${ids.join(", ")} are known`;
}

/**
 * Presets as they are kept: each with its version, what it needs beside it, and `careful` last, which holds for whoever
 * no other speaks of. Doing it again changes nothing, so that a newer version never slips in.
 */
export function pinned(names: readonly string[]): string[] {
  const chosen = new Map<string, Preset>();
  const choose = (name: string): void => {
    const preset = presetNamed(name);
    if (preset === undefined || chosen.has(preset.id)) return;
    chosen.set(preset.id, preset);
  };
  for (const name of names) choose(name);
  // What is added on the way is come to as well.
  for (const preset of chosen.values()) for (const needed of preset.needs) choose(needed);
  choose(CAREFUL);
  const careful = chosen.get(CAREFUL);
  chosen.delete(CAREFUL);
  return [...chosen.values(), ...(careful ? [careful] : [])].map(pinOf);
}

/** Rules of some presets, by their ids. */
function rulesOf(names: readonly string[]): ReadonlyMap<string, { preset: Preset; rule: PresetRule }> {
  const presets = names.flatMap((name) => presetNamed(name) ?? []);
  return new Map(presets.flatMap((preset) => preset.rules.map((rule) => [rule.id, { preset, rule }])));
}

/** What is wrong with lifting a rule from some presets; undefined where it can be lifted. */
export function liftProblem(id: string, names: readonly string[]): string | undefined {
  const named = rulesOf(pinned(names));
  if (named.has(id)) return undefined;
  const elsewhere = newestPresets().find(({ rules }) => rules.some((rule) => rule.id === id));
  if (elsewhere !== undefined)
    return `is a rule of ${elsewhere.id}, which \`presets\` does not name: remove it, or name that preset`;
  return `is no rule of a preset that is named${nearMiss(id, [...named.keys()])}: \`outdial presets show <preset>\` lists them`;
}

/** Whether a rule of these presets, or of what they need, is of a state and not of its whole country. */
export function speaksOfStates(names: readonly string[]): boolean {
  return pinned(names).some((name) =>
    presetNamed(name)?.rules.some(
      ({ places }) => places !== "elsewhere" && places.some((place) => place.includes("-")),
    ),
  );
}
