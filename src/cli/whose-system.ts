import type { Config } from "../config.ts";
import { databaseName, findInstallation, type FoundInstallation } from "../ledger/ground/installation-id.ts";
import type { Api } from "./api/client.ts";
import { CliError } from "./errors.ts";
import { EXIT } from "./exit-codes.ts";

/*
 * A port says nothing of who listens there: several installations may share a machine, a token and the usual port.
 * What the settings name is the database. So whoever was found by less than its name is asked which ledger it works
 * on, and the database, which it is.
 */

/** For a database somewhere else on a busy day; what is asked next needs it, too. */
const DATABASE_WITHIN_MS = 5_000;

export interface WhoseBounds {
  /** For each of the two answers. Milliseconds. */
  withinMs?: number;
}

type Whose =
  | { kind: "ours" }
  | { kind: "another"; theirs: string; named: Exclude<FoundInstallation, { kind: "unreadable" }> }
  | { kind: "untold"; why: string };

/** @throws ApiProblemError or ApiUnreachableError where the system does not say. */
export async function whoseSystem(
  api: Api,
  databaseUrl: string,
  { withinMs }: WhoseBounds = {},
): Promise<Whose> {
  const [answer, named] = await Promise.all([
    api.system.installation(withinMs === undefined ? {} : { answerWithinMs: withinMs }),
    findInstallation(databaseUrl, withinMs ?? DATABASE_WITHIN_MS),
  ]);
  if (named.kind === "unreadable") return { kind: "untold", why: named.why };
  const theirs = answer.installation_id;
  return named.kind === "found" && named.id === theirs
    ? { kind: "ours" }
    : { kind: "another", theirs, named };
}

/** @throws CliError where the system is not that of the settings' database, or nobody can tell. */
export async function refuseAnotherSystem(api: Api, { databaseUrl }: Config): Promise<void> {
  if (databaseUrl === undefined) return;
  const { url } = api.address;
  const database = databaseName(databaseUrl);
  const whose = await whoseSystem(api, databaseUrl);
  switch (whose.kind) {
    case "ours":
      return;
    case "another":
      throw new CliError(
        `the system at ${url} works on another ledger (installation ${whose.theirs}) than the one that DATABASE_URL names (${database}: ${namedText(whose.named)}): set OUTDIAL_API_URL to the system of that database, start one with \`outdial server\` at an OUTDIAL_API_PORT of its own, or set OUTDIAL_API_URL=${url} if you mean the other one`,
        EXIT.failed,
        { code: "another_system" },
      );
    case "untold":
      throw new CliError(
        `whether the system at ${url} is that of the database ${database} can't be told (${whose.why}): check DATABASE_URL and that its server lets this machine in, or set OUTDIAL_API_URL=${url} if that is the system that you mean`,
        EXIT.failed,
        { code: "another_system" },
      );
  }
}

function namedText(named: Exclude<FoundInstallation, { kind: "unreadable" }>): string {
  if (named.kind === "none") return "no ledger";
  return named.id === undefined ? "a ledger that nobody used yet" : `installation ${named.id}`;
}
