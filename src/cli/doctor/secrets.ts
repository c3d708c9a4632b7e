import fs from "node:fs";
import path from "node:path";

import type { Config } from "../../config.ts";
import { reasonWords } from "../../domain/ground/reason-words.ts";
import { secretNameSchema, OTHER_SECRETS, secretKey } from "../../domain/ground/secrets.ts";
import { countText } from "../view/words.ts";
import { fail, ok, warn, type Check } from "./check.ts";

const NAME = "secrets folder";
const BRANDS = "brands of secrets";

/** Of files in one check: a folder of secrets holds a few. */
const FILES_SHOWN = 5;

/** Of entries in all: a folder that holds more is another one. */
const MOST_LOOKED_AT = 1_000;

/** Any other user of the machine may read it. */
const WORLD_READABLE = 0o004;

/** Whether secrets can be read from the folder that is named; where none is, they are in variables alone. */
export async function checkSecretsDir({ secrets: { dir } }: Pick<Config, "secrets">): Promise<Check[]> {
  if (dir === undefined) return [];
  try {
    const status = await fs.promises.stat(dir);
    if (!status.isDirectory())
      return [
        fail(NAME, `${dir} is no folder`, "set OUTDIAL_SECRETS_DIR to the folder of the secrets' files"),
      ];
    await fs.promises.access(dir, fs.constants.R_OK | fs.constants.X_OK);
    return [await checkFiles(dir)];
  } catch (error) {
    const isAbsent = error instanceof Error && "code" in error && error.code === "ENOENT";
    const why = isAbsent ? "is not there" : `can't be read (${reasonWords(error)})`;
    return [fail(NAME, `${dir} ${why}`, "make it readable, or set OUTDIAL_SECRETS_DIR to another folder")];
  }
}

/**
 * Whether every secret to which OUTDIAL_BRANDS_OF_SECRETS gives brands is one here. A name with a slip in it limits
 * nothing, and the secret that was meant is for whoever the others are for.
 */
export async function checkSecretBrands({ secrets }: Pick<Config, "secrets">): Promise<Check[]> {
  const { dir, variables, files, brands } = secrets;
  if (brands.size === 0) return [];
  const inFolder = dir === undefined ? [] : await fs.promises.readdir(dir).catch(() => []);
  const there = new Set([...Object.keys(variables), ...Object.keys(files), ...inFolder.map(secretKey)]);
  const unknown = [...brands.keys()].filter((key) => key !== OTHER_SECRETS && !there.has(key));
  if (unknown.length === 0) return [ok(BRANDS, `${countText(brands.size, "rule")} of who has a secret`)];
  return [
    warn(
      BRANDS,
      `OUTDIAL_BRANDS_OF_SECRETS speaks of ${listed(unknown.map((key) => key.toLowerCase()))}, and there is no such secret here`,
      `correct the name: ${brands.has(OTHER_SECRETS) ? "what was meant is among the others (*)" : "as it is, it keeps nothing from anybody"}`,
    ),
  ];
}

/** Which key encrypts sensitive values; where there is none, no campaign has to have one. */
export function checkDataKeys({ dataKeys }: Pick<Config, "dataKeys">): Check[] {
  const [current, ...older] = dataKeys.ids;
  if (current === undefined) return [];
  const opens = older.length === 0 ? "" : `; ${older.join(", ")} still open what they encrypted`;
  return [ok("data keys", `${current} encrypts${opens}: \`outdial data-key status\` says how much`)];
}

async function checkFiles(dir: string): Promise<Check> {
  const names = (await fs.promises.readdir(dir)).filter((name) => secretNameSchema.safeParse(name).success);
  const unreadable: string[] = [];
  const open: string[] = [];
  for (const name of names.slice(0, MOST_LOOKED_AT).toSorted()) {
    const file = path.join(dir, name);
    try {
      const status = await fs.promises.stat(file);
      if (!status.isFile()) continue;
      await fs.promises.access(file, fs.constants.R_OK);
      if ((status.mode & WORLD_READABLE) !== 0) open.push(name);
    } catch {
      unreadable.push(name);
    }
  }
  if (unreadable.length > 0)
    return fail(
      NAME,
      `${listed(unreadable)} in ${dir} can't be read`,
      "let the user who runs this read them",
    );
  // Of a folder that nobody else may enter, its files' own modes let nobody in; Windows has none.
  if (open.length > 0 && process.platform !== "win32" && (await isEntered(dir)))
    return warn(
      NAME,
      `${listed(open)} in ${dir} can be read by every user of this machine`,
      `take that away, such as by chmod o-rx ${dir}`,
    );
  return ok(NAME, dir);
}

async function isEntered(dir: string): Promise<boolean> {
  const { mode } = await fs.promises.stat(dir);
  return (mode & 0o001) !== 0;
}

function listed(names: readonly string[]): string {
  const more = names.length - FILES_SHOWN;
  return `${names.slice(0, FILES_SHOWN).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
