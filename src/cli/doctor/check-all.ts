import type { Config } from "../../config.ts";
import type { CampaignSpec } from "../../domain/campaign-spec.ts";
import type { CliContext } from "../context.ts";
import type { Check } from "./check.ts";
import { checkLedger } from "./ledger.ts";
import { checkDataDir } from "./machine.ts";
import { checkNeeds } from "./needs.ts";
import { checkPlatform } from "./platform.ts";
import { checkProfile } from "./profile.ts";
import { checkSources } from "./sources.ts";
import { checkTemporal } from "./temporal.ts";
import { checkZoneData } from "./zone-data.ts";

/** What the settings name, one after the other: from this machine outwards. */
export async function checkAll(
  config: Config,
  ports: CliContext["ports"],
  spec: CampaignSpec | undefined,
): Promise<Check[]> {
  return [
    checkZoneData(config, Date.now()),
    ...(await checkDataDir(config)),
    ...(await checkLedger(config)),
    ...(await checkSources(config)),
    ...(await checkTemporal(config, ports)),
    ...(await checkPlatform(config, ports, spec)),
    ...(spec ? await checkNeeds(config, ports, spec) : []),
    checkProfile(config, Date.now()),
  ];
}
