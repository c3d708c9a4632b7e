import { type Config, ConfigError } from "../../config.ts";
import type { CliContext, CliPorts } from "../context.ts";
import type { Caller } from "./caller.ts";
import { checkApi } from "./api.ts";
import { type Check, fail, ok, warn } from "./check.ts";
import { checkLedger } from "./ledger.ts";
import { checkDataDir } from "./machine.ts";
import { checkPlatform } from "./platform.ts";
import { checkProfile } from "./profile.ts";
import { checkBuilds } from "./builds.ts";
import { checkRoutes } from "./routes.ts";
import { checkSources } from "./sources.ts";
import { checkDataKeys, checkSecretBrands, checkSecretsDir } from "./secrets.ts";
import { checkSignIn } from "./sign-in.ts";
import { checkTemporal } from "./temporal.ts";
import { needsOf } from "../../domain/ground/needs.ts";
import { findMissing } from "../find-missing.ts";
import { countText } from "../view/words.ts";
import { isOldZoneData, OLD_ZONE_DATA_REMEDY, zoneDataText } from "../../domain/time/zone-age.ts";
import { goByZoneData } from "../../zone-package.ts";

/** What the settings name, one after the other: from this machine outwards. */
export async function checkAll(
  config: Config,
  ports: CliContext["ports"],
  caller: Caller | undefined,
): Promise<Check[]> {
  return [
    checkZoneData(config, Date.now()),
    ...(await checkDataDir(config)),
    ...checkApi(config, Date.now()),
    ...(await checkSignIn(config, ports)),
    ...(await checkLedger(config)),
    ...(await checkRoutes(config)),
    ...(await checkSources(config)),
    ...(await checkSecretsDir(config)),
    ...(await checkSecretBrands(config)),
    ...checkDataKeys(config),
    ...(await checkTemporal(config, ports)),
    ...(await checkBuilds(config, ports)),
    ...(await checkPlatform(config, ports, caller)),
    ...(caller ? await checkNeeds(config, ports, caller.definition) : []),
    checkProfile(config, Date.now()),
  ];
}

/** Whether what a definition needs is there: hosts, secrets, automations and sequences. */
export async function checkNeeds(config: Config, ports: CliPorts, definition: unknown): Promise<Check[]> {
  const needs = needsOf(definition);
  if (needs.length === 0) return [];
  const missing = await findMissing(config, ports, definition);
  if (missing.length === 0)
    return [
      ok("needs", `${countText(needs.length, "field")} that need something: nothing is known to be missing`),
    ];
  return missing.map(({ field, problem }) =>
    fail("needs", `${field}: ${problem}`, "mend it before the first call: what needs it fails for everybody"),
  );
}

/** Which rules of time zones calling hours go by, and whether they are old. */
export function checkZoneData(config: Config, nowMs: number): Check {
  try {
    const zones = goByZoneData(config);
    if (!isOldZoneData(zones, nowMs)) return ok("time zones", zoneDataText(zones));
    return warn("time zones", `${zoneDataText(zones)}, older than half a year`, OLD_ZONE_DATA_REMEDY);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return fail("time zones", error.problems.join("; "), "correct OUTDIAL_ZONE_DATA, or unset it");
  }
}
