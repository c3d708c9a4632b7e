import fs from "node:fs";
import path from "node:path";

import { reasonWords } from "../../domain/ground/reason-words.ts";
import type { Config } from "../../config.ts";
import { probeDatabase } from "../../contacts/sources/probe-database.ts";
import { fail, ok, warn, type Check } from "./check.ts";

/** Where recurring campaigns get their contacts from, as far as this machine sees it. */
export async function checkSources({ lists, dataDir }: Pick<Config, "lists" | "dataDir">): Promise<Check[]> {
  const checks = [await checkListsDir(lists.dir, path.resolve(dataDir, "lists"))];
  for (const [name, url] of Object.entries(lists.databases).sort(([a], [b]) => a.localeCompare(b)))
    checks.push(await checkDatabase(name, url));
  return checks;
}

const FOLDER = "lists folder";

async function checkListsDir(dir: string, usual: string): Promise<Check> {
  try {
    const status = await fs.promises.stat(dir);
    if (!status.isDirectory())
      return fail(
        FOLDER,
        `${dir} is no folder`,
        "set OUTDIAL_LISTS_DIR to the folder that lists are put into",
      );
    await fs.promises.access(dir, fs.constants.R_OK | fs.constants.X_OK);
    return ok(FOLDER, dir);
  } catch (error) {
    const isAbsent = error instanceof Error && "code" in error && error.code === "ENOENT";
    // Most campaigns need none.
    if (isAbsent && path.resolve(dir) === usual)
      return ok(FOLDER, `${dir}, not made: no list is taken from it`);
    const why = isAbsent ? "is not there" : `can't be read (${reasonWords(error)})`;
    return fail(FOLDER, `${dir} ${why}`, "make it readable, or set OUTDIAL_LISTS_DIR to another folder");
  }
}

async function checkDatabase(name: string, url: string): Promise<Check> {
  const named = `database ${name.toLowerCase()}`;
  const probe = await probeDatabase(url);
  if (!probe.ok)
    return fail(
      named,
      probe.problem,
      `check OUTDIAL_DATABASE_${name}, and that the server runs and lets this machine in`,
    );
  const text = `PostgreSQL ${probe.version}, as ${probe.user}`;
  return probe.isSuperuser
    ? warn(
        named,
        `${text}, a superuser`,
        `give OUTDIAL_DATABASE_${name} a user who may read what the queries need, and no more`,
      )
    : ok(named, text);
}
