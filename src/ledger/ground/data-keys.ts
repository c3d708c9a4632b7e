import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

import type { Sealed } from "../../domain/ground/sealed.ts";

/*
 * Sealing what campaigns call sensitive, before it is written, so that it stands nowhere in clear: not in the tables, nor
 * in the write-ahead log, nor in a backup.
 *
 * 1. AES-256-GCM, with a nonce of 96 bits from the system's random source for each value. Nonces of one key may meet
 *    after some 2^32 values: a key is to be followed by another long before (docs/data.md).
 * 2. What is authenticated besides names the person's number and the column: a value that is copied to another person or
 *    another column does not open. A person's own value opens in every campaign: clones, callbacks and the calls of an
 *    enrolment carry it.
 * 3. A value names the key that it is sealed with by its id, in `sealed_with` beside it. Keys are in the settings alone.
 */

const ALGORITHM = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A key that seals what is sensitive. */
export interface DataKey {
  id: string;
  key: Buffer;
}

/** Something is to be sealed, and there is no key. */
export class NoDataKeyError extends Error {
  override readonly name = "NoDataKeyError";
  constructor() {
    super(
      "there are sensitive columns or variables, and there is no key to seal them with: set OUTDIAL_DATA_KEYS in every process that takes lists or dials (`outdial data-key new` makes one)",
    );
  }
}

/** What was sealed can't be opened. Its message names the key, and nothing of a value or a person. */
export class CannotOpenError extends Error {
  override readonly name = "CannotOpenError";
  /** Whether another setting would do: else the value is not what was sealed. */
  readonly isKeyMissing: boolean;
  constructor(message: string, isKeyMissing: boolean) {
    super(message);
    this.isKeyMissing = isKeyMissing;
  }
}

/** The keys of this process: the first seals, all of them open. */
export class DataKeys {
  readonly #keys: readonly DataKey[];

  constructor(keys: readonly DataKey[] = []) {
    this.#keys = keys;
  }

  /** Newest first. */
  get ids(): readonly string[] {
    return this.#keys.map(({ id }) => id);
  }

  /** The id of the key that seals; undefined: there is none. */
  get currentId(): string | undefined {
    return this.#keys[0]?.id;
  }

  /** @throws NoDataKeyError where there is none. */
  seal(phone: string, values: Readonly<Record<string, string>>): Sealed {
    const current = this.#keys[0];
    if (!current) throw new NoDataKeyError();
    const sealed = Object.entries(values).map(([column, value]): [string, string] => [
      column,
      sealWith(current.key, aboutOf(phone, column), value),
    ]);
    return { with: current.id, values: Object.fromEntries(sealed) };
  }

  /** @throws CannotOpenError where the key is not among these, or a value was changed or is another person's. */
  open(phone: string, sealed: Sealed): Record<string, string> {
    const key = this.#keys.find(({ id }) => id === sealed.with);
    if (!key)
      throw new CannotOpenError(
        `sensitive values are sealed with the data key ${sealed.with}, which is not in OUTDIAL_DATA_KEYS of this process: put its line there again, behind the current one, and start the process anew`,
        true,
      );
    const opened = Object.entries(sealed.values).map(([column, value]): [string, string] => [
      column,
      openWith(key, aboutOf(phone, column), value, column),
    ]);
    return Object.fromEntries(opened);
  }
}

/** Whoever is called is a contact, wherever their values stand. No part can be moved into another: JSON says where each ends. */
const aboutOf = (phone: string, column: string) => Buffer.from(JSON.stringify(["contacts", phone, column]));

function sealWith(key: Buffer, about: Buffer, value: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce);
  cipher.setAAD(about);
  const text = Buffer.concat([cipher.update(value, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, text, cipher.getAuthTag()]).toString("base64");
}

function openWith({ id, key }: DataKey, about: Buffer, sealed: string, column: string): string {
  const bytes = Buffer.from(sealed, "base64");
  try {
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(about);
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    return text.toString("utf8");
  } catch {
    throw new CannotOpenError(
      `a sensitive value of the column ${JSON.stringify(column)} does not open with the data key ${id}: the row was changed beside Outdial, or another key has this id`,
      false,
    );
  }
}

const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/;

/** More keys than this at a time nobody needs: one that seals nothing any more is taken out. */
const MOST_KEYS = 20;

/**
 * Reads keys as the setting has them: `id:key` lines, the key as 32 bytes in base64, the current one first.
 *
 * @throws Error with what is wrong, and nothing of a key.
 */
export function readDataKeys(text: string): DataKey[] {
  const lines = text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const keys = lines.map((line, index) => {
    const place = `line ${index + 1}`;
    const at = line.indexOf(":");
    const [id, encoded] = [line.slice(0, at), line.slice(at + 1).trim()];
    if (at < 1 || !ID.test(id))
      throw new Error(
        `${place} must be id:key, the id of letters, digits, dots, dashes and underscores (40 at most)`,
      );
    const key = Buffer.from(encoded, "base64");
    if (key.length !== KEY_BYTES || !/^[A-Za-z0-9+/]{43}=$/.test(encoded))
      throw new Error(
        `the key ${id} must be 32 bytes in base64 (44 characters): \`outdial data-key new\` makes one`,
      );
    return { id, key };
  });
  if (new Set(keys.map(({ id }) => id)).size !== keys.length) throw new Error("two keys have one id");
  if (keys.length > MOST_KEYS) throw new Error(`there are more than ${MOST_KEYS} keys`);
  return keys;
}
