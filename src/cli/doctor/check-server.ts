import type { Config } from "../../config.ts";
import { reasonWords } from "../../domain/ground/reason-words.ts";
import { countAttention } from "../../ledger/ground/attention.ts";
import type { Ledger } from "../../ledger/ground/connection.ts";
import { inspectLedger } from "../../ledger/ground/inspection.ts";
import { countOutbox } from "../../ledger/ground/outbox.ts";
import { readLastSweep } from "../../ledger/ground/sweeps.ts";
import { isoOf } from "../../http/wire/instant.ts";
import type { Platform } from "../../platform/index.ts";
import { namedDir } from "../hints.ts";
import { checkApi } from "./api.ts";
import { fail, ok, type Check } from "./check.ts";
import { checkZoneData } from "./check-all.ts";
import { attentionChecks, inspectionChecks, sweepChecks } from "./ledger.ts";
import { checkDataDir, checkNode } from "./machine.ts";
import { platformChecks } from "./platform.ts";
import { checkProfile } from "./profile.ts";
import { checkSecretsDir } from "./secrets.ts";
import { checkSources } from "./sources.ts";

/** What a process that runs has open already. */
export interface RunningParts {
  ledger: Ledger;
  platform: Platform;
  /** @throws where Temporal does not answer */
  probeTemporal: () => Promise<void>;
  /** As clients are told of it. */
  temporalAddress: string;
}

/**
 * What `outdial doctor` says, of the installation that a server is: asked through what the server has open, so that it is
 * told of itself and not of whoever asks.
 */
export async function checkServer(config: Config, parts: RunningParts): Promise<Check[]> {
  const { ledger, platform } = parts;
  const nowMs = Date.now();
  return [
    checkNode(process.versions.node),
    ok("settings", "read"),
    checkZoneData(config, nowMs),
    ...(await checkDataDir(config)),
    ...checkApi(config, nowMs),
    ...(await checkOwnLedger(config, ledger)),
    ...(await checkSources(config)),
    ...(await checkSecretsDir(config)),
    await checkOwnTemporal(parts),
    ...(await platformChecks(config, platform, undefined)),
    checkProfile(config, nowMs),
  ];
}

async function checkOwnLedger(config: Config, { db, kind }: Ledger): Promise<Check[]> {
  try {
    const lastSweep = await readLastSweep(db);
    const attention = Object.fromEntries(
      Object.entries(await countAttention(db)).map(([word, n]) => [word, n ?? 0]),
    );
    return [
      ...inspectionChecks(
        kind === "postgres" ? "a server" : "embedded",
        await inspectLedger(db),
        { dataDir: namedDir(config) },
        config.migrate === "never",
      ),
      ...attentionChecks({ attention }),
      ...sweepChecks({
        last_sweep: lastSweep ? { ...lastSweep, at: isoOf(lastSweep.atMs) } : null,
        outbox: (await countOutbox(db)).map(({ oldestMs, ...row }) => ({ ...row, oldest: isoOf(oldestMs) })),
      }),
    ];
  } catch (error) {
    return [fail("ledger", reasonWords(error), "check the database, and that it lets this machine in")];
  }
}

async function checkOwnTemporal({ probeTemporal, temporalAddress }: RunningParts): Promise<Check> {
  try {
    await probeTemporal();
    return ok("Temporal", `${temporalAddress} answers`);
  } catch (error) {
    return fail("Temporal", reasonWords(error), "start it, or correct the settings TEMPORAL_...");
  }
}
