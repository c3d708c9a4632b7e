import { z } from "zod";

import { fieldsOf } from "../ground/definition-reading.ts";
import { liftProblem, pinned, presetProblem } from "../policy/presets/registry.ts";

/** More than there are. */
const MAX_PRESETS = 20;

/** Kept with their versions, so that a newer version of one changes no campaign by itself. */
export const presetsSchema = z
  .array(
    z.string().check((context) => {
      const message = presetProblem(context.value);
      if (message !== undefined) context.issues.push({ code: "custom", input: context.value, message });
    }),
  )
  .min(1)
  .max(MAX_PRESETS)
  .check((context) => {
    const ids = context.value.map((name) => name.split("@")[0] ?? name);
    const twice = ids.find((id, index) => ids.indexOf(id) !== index);
    if (twice !== undefined)
      context.issues.push({ code: "custom", input: context.value, message: `names ${twice} twice` });
  })
  .overwrite(pinned);

/** Somebody will have to answer for each. */
const MAX_OVERRIDES = 50;

export const overrideSchema = z
  .array(
    z.strictObject({
      /** Of a preset that is named, such as `us-fl.hours`. */
      rule: z.string().min(1).max(100),
      /** Why it does not hold for this campaign: audited, and in the report. */
      reason: z.string().trim().min(10, "must say why in 10 characters or more").max(500),
    }),
  )
  .min(1)
  .max(MAX_OVERRIDES)
  .refine((lifts) => new Set(lifts.map(({ rule }) => rule)).size === lifts.length, "names a rule twice");

/**
 * What `override` says that `presets` do not have, each with where it stands. Of presets that are wrong themselves
 * nothing is said, nor of what is no override: that is told where it stands.
 */
export function overrideProblems({
  presets = [],
  override = [],
}: {
  presets?: unknown;
  override?: unknown;
}): { path: [number, "rule"]; rule: string; message: string }[] {
  if (!Array.isArray(override) || !Array.isArray(presets)) return [];
  const names = presets.filter((name): name is string => typeof name === "string");
  if (names.length < presets.length || names.some((name) => presetProblem(name) !== undefined)) return [];
  return override.flatMap((lift: unknown, index) => {
    const { rule } = fieldsOf(lift);
    if (typeof rule !== "string") return [];
    const message =
      names.length === 0 ? "lifts a rule where `presets` names none: remove it" : liftProblem(rule, names);
    return message === undefined ? [] : [{ path: [index, "rule"] as [number, "rule"], rule, message }];
  });
}
