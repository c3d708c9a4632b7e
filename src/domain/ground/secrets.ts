import { z } from "zod";

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
