import type { Config } from "../../config.ts";
import type { CliContext } from "../context.ts";
import type { Caller } from "./caller.ts";
import type { Check } from "./check.ts";
import { checkLedger } from "./ledger.ts";
import { checkDataDir } from "./machine.ts";
import { checkNeeds } from "./needs.ts";
import { checkPlatform } from "./platform.ts";
import { checkProfile } from "./profile.ts";
import { checkSources } from "./sources.ts";
import { checkSecretsDir } from "./secrets.ts";
import { checkTemporal } from "./temporal.ts";
import { checkZoneData } from "./zone-data.ts";

/** What the settings name, one after the other: from this machine outwards. */
export async function checkAll(
  config: Config,
  ports: CliContext["ports"],
  caller: Caller | undefined,
): Promise<Check[]> {
  return [
    checkZoneData(config, Date.now()),
    ...(await checkDataDir(config)),
    ...(await checkLedger(config)),
    ...(await checkSources(config)),
    ...(await checkSecretsDir(config)),
    ...(await checkTemporal(config, ports)),
    ...(await checkPlatform(config, ports, caller)),
    ...(caller ? await checkNeeds(config, ports, caller.definition) : []),
    checkProfile(config, Date.now()),
  ];
}
