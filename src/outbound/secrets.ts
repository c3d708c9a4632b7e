import fs from "node:fs";
import path from "node:path";

import {
  secretNameSchema,
  UnknownSecretError,
  isSecretFor,
  secretKey,
  type ActsFor,
  type SecretBrands,
} from "../domain/ground/secrets.ts";

/** Where secrets stand, as the settings say. */
export interface SecretSources {
  /** Folder with a file a secret, named as the secret. */
  readonly dir: string | undefined;
  /** Values by the name as a variable has it: `hub-spot` is `HUB_SPOT`. */
  readonly variables: Readonly<Record<string, string>>;
  /** Files by the same names. */
  readonly files: Readonly<Record<string, string>>;
  /** Which brands each is for. */
  readonly brands: SecretBrands;
}

/** A rotated file is in force this soon; a burst of deliveries reads it once. */
const CACHE_MS = 5_000;

/** A key file of RSA's largest is smaller; more than this is some other file. */
const MAX_FILE_BYTES = 16_384;

/** A rotation needs two; every further one is a key that somebody forgot to take out. */
const MAX_VALUES = 10;

interface Cached {
  readonly values: readonly string[];
  readonly untilMs: number;
}

/**
 * Secrets by name: from `OUTDIAL_SECRET_<NAME>`, else the file that `OUTDIAL_SECRET_<NAME>_FILE` names, else the
 * file of that name in `OUTDIAL_SECRETS_DIR`. One value a line, newest first. Files are read again when they are
 * used, so that a rotation needs no restart. Whoever asks says for which brands: a secret of others is not read.
 *
 * `read` @throws UnknownSecretError, which says what to set or to create, and never what a value is.
 */
export function createSecretStore(
  sources: SecretSources,
  now: () => number = Date.now,
): { read(name: string, actsFor: ActsFor): readonly string[] } {
  const cache = new Map<string, Cached>();
  return {
    read: (name, actsFor) => {
      if (!secretNameSchema.safeParse(name).success) {
        throw new UnknownSecretError(name.slice(0, 63), "a secret's name is made of a-z, 0-9, - and _");
      }
      if (!isSecretFor(sources.brands, name, actsFor)) throw othersSecret(name, actsFor);
      const cached = cache.get(name);
      // A clock that was set back must not keep a value that was taken out.
      if (cached !== undefined && now() < cached.untilMs && cached.untilMs - now() <= CACHE_MS) {
        return cached.values;
      }
      cache.delete(name);
      const values = valuesOf(name, sources);
      cache.set(name, { values, untilMs: now() + CACHE_MS });
      return values;
    },
  };
}

function othersSecret(name: string, actsFor: ActsFor): UnknownSecretError {
  const whom =
    actsFor === "every" || actsFor.length === 0 ? "what names no brand" : `brand ${actsFor.join(", ")}`;
  return new UnknownSecretError(
    name,
    `there is no secret "${name}" for ${whom}: name one that is, or let OUTDIAL_BRANDS_OF_SECRETS give it this one`,
  );
}

function valuesOf(name: string, sources: SecretSources): readonly string[] {
  const key = secretKey(name);
  const variable = `OUTDIAL_SECRET_${key}`;
  const inline = sources.variables[key];
  if (inline !== undefined) return linesOf(name, variable, inline);
  const named = sources.files[key];
  if (named !== undefined) return linesOf(name, `${variable}_FILE`, readSmallFile(name, named));
  if (sources.dir === undefined) {
    throw new UnknownSecretError(
      name,
      `there is no secret "${name}": set ${variable} or ${variable}_FILE, or OUTDIAL_SECRETS_DIR to a folder with a file ${name}`,
    );
  }
  const file = path.join(sources.dir, name);
  if (!fs.existsSync(file)) {
    throw new UnknownSecretError(
      name,
      `there is no secret "${name}": create ${file}, or set ${variable} or ${variable}_FILE`,
    );
  }
  return linesOf(name, file, readSmallFile(name, file));
}

function linesOf(name: string, source: string, text: string): readonly string[] {
  const values = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  if (values.length === 0) {
    throw new UnknownSecretError(name, `secret "${name}" is empty: put its value into ${source}`);
  }
  if (values.length > MAX_VALUES) {
    throw new UnknownSecretError(
      name,
      `secret "${name}" has ${values.length} lines, ${MAX_VALUES} values at most are meant: check ${source}`,
    );
  }
  return values;
}

/** Reads a regular file within the bound; opened so that a pipe can't make us wait. */
function readSmallFile(name: string, file: string): string {
  let descriptor: number | undefined;
  try {
    descriptor = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    const status = fs.fstatSync(descriptor);
    if (!status.isFile()) throw new UnknownSecretError(name, `${file} is not a file`);
    const bytes = Buffer.alloc(MAX_FILE_BYTES + 1);
    const length = fs.readSync(descriptor, bytes, 0, bytes.length, 0);
    if (length > MAX_FILE_BYTES) {
      throw new UnknownSecretError(name, `${file} has more than ${MAX_FILE_BYTES} bytes: it is no secret`);
    }
    return bytes.toString("utf8", 0, length);
  } catch (error) {
    if (error instanceof UnknownSecretError) throw error;
    const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
    throw new UnknownSecretError(name, `secret "${name}" can't be read from ${file} (${code})`);
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}
