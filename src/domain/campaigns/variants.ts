import { z } from "zod";

import { stableShare } from "../ground/stable-share.ts";

/*
 * Variants of a campaign: agents or variables that are compared on the same list.
 *
 * 1. Which one somebody gets depends on their number, the brand and the names of the variants alone: it is the same in
 *    retries, callbacks and later runs, and by chance over many people.
 * 2. A batch has one variant, and each call of it stands in the report under that name.
 */

/** More at once need more people than lists have. */
const MAX_VARIANTS = 10;

const MAX_WEIGHT = 1_000;
const MAX_VARIABLES = 50;
const MAX_VALUE_CHARS = 1_000;

const variantSchema = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(50)
    .regex(
      /^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u,
      "may hold letters, digits, spaces, dots, dashes and underscores",
    ),
  /** Its part of the people, against the other variants. */
  weight: z
    .int()
    .min(1, "must be 1 or more; leave a variant that nobody is to get out")
    .max(MAX_WEIGHT)
    .default(1),
  /** Absent: the campaign's. */
  agent_id: z.string().min(1).max(200).optional(),
  /** What the agent is told, over what the contact's row says. */
  variables: z
    .record(z.string().min(1).max(100), z.string().max(MAX_VALUE_CHARS))
    .refine(
      (variables) => Object.keys(variables).length <= MAX_VARIABLES,
      `has more than ${MAX_VARIABLES} variables`,
    )
    .optional(),
});

export const variantsSchema = z
  .array(variantSchema)
  .min(2, "needs two variants or more: one is compared with nothing")
  .max(MAX_VARIANTS)
  .refine(
    (variants) => new Set(variants.map(({ name }) => name)).size === variants.length,
    "names a variant twice",
  );

export type Variant = z.output<typeof variantSchema>;

/** Whose variant somebody gets; undefined in a campaign without. */
export function variantOf(
  { brand, variants }: { brand: string; variants?: readonly Variant[] | undefined },
  phone: string,
): Variant | undefined {
  if (!variants) return undefined;
  const total = variants.reduce((sum, { weight }) => sum + weight, 0);
  const names = variants.map(({ name }) => name);
  let point = stableShare(["variant", brand, ...names, phone]) * total;
  for (const variant of variants) {
    point -= variant.weight;
    if (point < 0) return variant;
  }
  return variants.at(-1);
}

/** What came of the people of one variant. */
export interface VariantTally {
  /** Who was called once or more. */
  contacts: number;
  /** Of them: with whom there was a conversation. */
  reached: number;
}

export interface Share {
  share: number;
  /** Within which it lies with a confidence of 95 %. */
  from: number;
  to: number;
}

/** The quantile of the normal distribution for an interval of 95 %. */
const Z = 1.959_963_984_540_054;

/**
 * The share of people who were reached, with its interval by Wilson (JASA 1927), which holds for few people and for
 * shares near 0 and 1, too. Undefined of nobody.
 */
export function reachedShare({ contacts, reached }: VariantTally): Share | undefined {
  if (contacts === 0) return undefined;
  const share = reached / contacts;
  const z2 = Z * Z;
  const middle = (share + z2 / (2 * contacts)) / (1 + z2 / contacts);
  const half =
    (Z / (1 + z2 / contacts)) * Math.sqrt((share * (1 - share)) / contacts + z2 / (4 * contacts * contacts));
  return { share, from: Math.max(0, middle - half), to: Math.min(1, middle + half) };
}

/**
 * By how much more people a variant reached than another one, with its interval by Newcombe (Statistics in Medicine
 * 1998, method 10). One that holds 0 shows no difference. Undefined where either called nobody.
 */
export function reachedDifference(one: VariantTally, other: VariantTally): Share | undefined {
  const a = reachedShare(one);
  const b = reachedShare(other);
  if (!a || !b) return undefined;
  const share = a.share - b.share;
  return {
    share,
    from: share - Math.hypot(a.share - a.from, b.to - b.share),
    to: share + Math.hypot(a.to - a.share, b.share - b.from),
  };
}
