import { brandNameSchema } from "./brand-name.ts";
import { secretNameSchema } from "./secrets.ts";

/* Which brands a secret is for: what acts for another one does not get it, whoever wrote its name down. */

/**
 * Whom something acts for that names a secret. `every`: for all brands, and whoever declares such a thing is for all of
 * them.
 */
export type ActsFor = readonly string[] | "every";

/** Secrets by their keys (`secretKey`), each with its brands; `*` are all that are not named. */
export type SecretBrands = ReadonlyMap<string, ReadonlySet<string>>;

/** All secrets that are not named themselves. */
export const OTHER_SECRETS = "*";

/** In place of a brand: none of them, only what acts for every brand. */
const NOBODY = "-";

/**
 * What a name is told apart by. A variable has one spelling for `crm-2` and `crm_2`, so both are one secret: else the
 * other spelling would be a way around its brands.
 */
export function secretKey(name: string): string {
  return name.toUpperCase().replaceAll("-", "_");
}

/** `hubspot=acme, crm=acme, crm=globex, pager=-`. @returns what it says, or what is wrong with it. */
export function readSecretBrands(text: string): SecretBrands | string {
  const brands = new Map<string, Set<string>>();
  const kept = new Set<string>();
  for (const part of text.split(",").map((one) => one.trim())) {
    const [, name = "", brand = ""] = /^([^=\s]+)\s*=\s*(\S+)$/.exec(part) ?? [];
    const isName = name === OTHER_SECRETS || secretNameSchema.safeParse(name).success;
    if (!isName || !(brand === NOBODY || brandNameSchema.safeParse(brand).success))
      return `has ${JSON.stringify(part)}, which is not a secret's name, = and a brand, or - for none`;
    const key = secretKey(name);
    const own = brands.get(key) ?? new Set();
    brands.set(key, own);
    if (brand === NOBODY) kept.add(key);
    else own.add(brand);
    if (kept.has(key) && own.size > 0)
      return `gives ${name} to no brand (-) and to ${[...own].join(", ")}: let one of them stand`;
  }
  return brands;
}

/** Whether what acts for these brands may have the secret: one of them is enough, since whoever declares it is for each. */
export function isSecretFor(brands: SecretBrands, name: string, actsFor: ActsFor): boolean {
  if (actsFor === "every") return true;
  const own = brands.get(secretKey(name)) ?? brands.get(OTHER_SECRETS);
  return own === undefined || actsFor.some((brand) => own.has(brand));
}
