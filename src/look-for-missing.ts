import type { Config } from "./config.ts";
import { automationsOf, missingOf, type Missing, type Places } from "./http/missing.ts";
import type { ActsFor } from "./domain/ground/secrets.ts";
import { createLog } from "./log.ts";
import { createAddressCheck } from "./outbound/address-check.ts";
import { createSecretStore } from "./outbound/secrets.ts";
import { openPlatform } from "./open-platform.ts";

/**
 * What a definition needs and does not have, by this machine's settings alone: a system that runs elsewhere may have
 * others. Without a platform in them nobody is asked for automations.
 */
export async function lookForMissing(
  config: Config,
  definition: unknown,
  sequenceState: Places["sequenceState"],
): Promise<Missing[]> {
  const { baseUrl, apiKey } = config.platform;
  const platform =
    baseUrl === undefined || apiKey === undefined
      ? undefined
      : openPlatform(config, createLog({ level: "silent" }));
  try {
    const places: Places = {
      secrets: createSecretStore(config.secrets),
      refusalOf: createAddressCheck({ allow: config.outboundAllow }),
      hasAutomation: platform ? automationsOf(platform) : async () => undefined,
      sequenceState,
      // What is declared in a system is asked for there, when a definition is put.
      hasDeclared: async () => undefined,
    };
    return await missingOf(places, definition, brandsNamedBy(definition));
  } finally {
    await platform?.close();
  }
}

/** Of a campaign's spec or a sequence, which are what is asked about. */
function brandsNamedBy(definition: unknown): ActsFor {
  const isGroup = typeof definition === "object" && definition !== null;
  const brand: unknown = isGroup && "brand" in definition ? definition.brand : undefined;
  return [typeof brand === "string" ? brand : "default"];
}
