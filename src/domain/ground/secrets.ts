import { z } from "zod";

import { brandNameSchema } from "./brand-name.ts";

/** A name that definitions give a secret; its value stands in a setting or a file, never in a definition. */
export const secretNameSchema = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,62}$/,
    "must be the name of a secret such as hubspot or crm-2: lower-case letters, digits, - and _, 63 at most",
  );

/** Nothing has that name, or what has it is empty or can't be read. The message says what to create. */
export class UnknownSecretError extends Error {
  override readonly name = "UnknownSecretError";
  readonly secret: string;

  constructor(secret: string, message: string) {
    super(message);
    this.secret = secret;
  }
}

/** The secret is there, and is not of the form that its use needs. */
export class UnusableSecretError extends Error {
  override readonly name = "UnusableSecretError";
  readonly secret: string;

  constructor(secret: string, message: string) {
    super(message);
    this.secret = secret;
  }
}

const WEBHOOK_PREFIX = "whsec_";
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/**
 * The key that a Standard Webhooks secret stands for: `whsec_` is followed by base64, anything else is the
 * key itself, as text. `name` is for the error alone.
 *
 * @throws UnusableSecretError where what follows `whsec_` is not base64, or the key is an asymmetric one.
 */
export function webhookKey(name: string, secret: string): Uint8Array {
  if (/^wh[sp]k_/.test(secret)) {
    throw new UnusableSecretError(
      name,
      `secret "${name}" is half of a key pair (${secret.slice(0, 5)}): use a symmetric one, which begins with ${WEBHOOK_PREFIX}`,
    );
  }
  if (!secret.startsWith(WEBHOOK_PREFIX)) return Buffer.from(secret, "utf8");
  const encoded = secret.slice(WEBHOOK_PREFIX.length);
  if (encoded === "" || !BASE64.test(encoded)) {
    throw new UnusableSecretError(
      name,
      `secret "${name}" begins with ${WEBHOOK_PREFIX} and what follows is not base64: copy it again, whole`,
    );
  }
  return Buffer.from(encoded, "base64");
}

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
