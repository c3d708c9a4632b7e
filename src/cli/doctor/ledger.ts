import fs from "node:fs";
import path from "node:path";

import { reasonWords } from "../../domain/ground/reason-words.ts";
import type { Config } from "../../config.ts";
import { LedgerLockedError, readLockRecord } from "../../ledger/ground/lock-record.ts";
import { openEmbeddedLedger } from "../../ledger/ground/embedded.ts";
import type { MigrationStatus } from "../../ledger/ground/migrate.ts";
import { inspectLedger, inspectPostgres, type Inspection } from "../../ledger/ground/inspection.ts";
import type { SystemWire } from "../../http/wire/system.ts";
import { openApi } from "../api/client.ts";
import { addressOfHolder } from "../running-system.ts";
import { goOnText, namedDir, type Place } from "../hints.ts";
import { saidAndRemedy } from "../said.ts";
import { sweepLines } from "../recovery/sweep.ts";
import { fail, ok, warn, type Check } from "./check.ts";

/** Calling windows are kept to the minute; dialing stops where clocks differ by more than this. */
const CLOCK_BOUND_MS = 30_000;

export async function checkLedger(config: Config): Promise<Check[]> {
  const place = { dataDir: namedDir(config) };
  if (config.databaseUrl !== undefined)
    return checkPostgres(config.databaseUrl, config.migrate === "never", place);
  const holder = readLockRecord(config.dataDir);
  const address = holder && addressOfHolder(config, holder);
  if (address) return checkRunning(address, holder.pid, place);
  if (!fs.existsSync(path.join(config.dataDir, "ledger", "PG_VERSION"))) {
    return [ok("ledger", "embedded, made at the first run")];
  }
  try {
    // As every start does: brings its schema up to date, and notices a machine that went down.
    const ledger = await openEmbeddedLedger(config.dataDir);
    try {
      return inspectionChecks("embedded", await inspectLedger(ledger.db), place);
    } finally {
      await ledger.close();
    }
  } catch (error) {
    if (error instanceof LedgerLockedError)
      return [warn("ledger", error.message, "wait until that process answers")];
    return [
      fail("ledger", reasonWords(error), "make room on the disk, or restore the data folder from a backup"),
    ];
  }
}

async function checkRunning(
  address: { url: string; token: string | undefined },
  pid: number,
  place: Place,
): Promise<Check[]> {
  const api = openApi(address);
  try {
    const system = await api.system.get();
    return [
      ok("ledger", `${system.ledger.kind}, in use by process ${pid}, which answers at ${address.url}`),
      ...switchChecks(system.stopped?.reason, system.recovery ?? undefined, place),
      ...attentionChecks(system),
      ...sweepChecks(system),
    ];
  } catch (error) {
    return [
      fail(
        "ledger",
        `in use by process ${pid}, which does not answer: ${reasonWords(error)}`,
        `end process ${pid}, or set OUTDIAL_API_TOKEN to its token`,
      ),
    ];
  } finally {
    await api.close();
  }
}

export function attentionChecks({ attention }: Pick<SystemWire, "attention">): Check[] {
  const kinds = Object.entries(attention);
  if (kinds.length === 0) return [ok("attention", "nothing waits for a person")];
  const told = kinds.map(([kind, n]) => `${n} ${kind}`).join(", ");
  return [warn("attention", `waits for a person: ${told}`, "see `outdial attention list`")];
}

export function sweepChecks({
  last_sweep: last,
  outbox,
}: Pick<SystemWire, "last_sweep" | "outbox">): Check[] {
  const failing = outbox.reduce((sum, row) => sum + row.failing, 0);
  return [
    ...(last === null ? [] : [ok("sweeper", `${last.at}: ${sweepLines(last).join("; ")}`)]),
    ...(failing === 0
      ? []
      : [
          warn(
            "outbox",
            `${failing} accepted things could not be handed on yet`,
            "they are tried again by themselves; the log names what fails",
          ),
        ]),
  ];
}

async function checkPostgres(url: string, isOthers: boolean, place: Place): Promise<Check[]> {
  try {
    return inspectionChecks("a server", await inspectPostgres(url), place, isOthers);
  } catch (error) {
    const { problem, remedy } = saidAndRemedy(reasonWords(error));
    return [
      fail(
        "ledger",
        problem,
        remedy ?? "check DATABASE_URL, and that the server runs and lets this machine in",
      ),
    ];
  }
}

export function inspectionChecks(
  kind: string,
  { serverVersion, migrations, mayMigrate, installation, clockDifferenceMs }: Inspection,
  place: Place,
  isOthers = false,
): Check[] {
  return [
    Number.parseInt(serverVersion, 10) < 15
      ? fail("ledger", `${kind}, PostgreSQL ${serverVersion}`, "use PostgreSQL 15 or later")
      : ok("ledger", `${kind}, PostgreSQL ${serverVersion}`),
    migrationCheck(migrations, mayMigrate, isOthers),
    clockCheck("ledger's clock", clockDifferenceMs),
    ...switchChecks(installation?.stopped?.reason, installation?.recoveryReason, place),
  ];
}

function migrationCheck(migrations: MigrationStatus, mayMigrate: boolean, isOthers: boolean): Check {
  const { applied, known, unknown, isBorne, pending } = migrations;
  if (!isBorne) {
    return fail(
      "migrations",
      `${applied} applied, of which this version does not know ${unknown}`,
      "run the version of Outdial that wrote the ledger, or a newer one",
    );
  }
  if (pending.length > 0 && (isOthers || !mayMigrate)) {
    return fail(
      "migrations",
      `${applied} of ${known}, and ${isOthers ? "OUTDIAL_MIGRATE is never" : "the user of DATABASE_URL may not make tables"}`,
      "run `outdial migrate` with the DATABASE_URL of the user who owns the tables",
    );
  }
  if (pending.length > 0)
    return ok("migrations", `${applied} of ${known}; the rest is applied at the next start`);
  const more = unknown === 0 ? "" : `, ${unknown} of them newer than this version, which may go on with them`;
  return ok("migrations", `${applied}, all applied${more}`);
}

/** What holds all dialing. */
function switchChecks(
  stoppedReason: string | undefined,
  recoveryReason: string | undefined,
  place: Place,
): Check[] {
  return [
    ...(stoppedReason === undefined
      ? []
      : [warn("dialing", `everything is stopped: ${stoppedReason}`, `go on with \`${goOnText(place)}\``)]),
    ...(recoveryReason === undefined
      ? []
      : [fail("dialing", `held: ${recoveryReason}`, "run `outdial recover`")]),
  ];
}

export function clockCheck(name: string, differenceMs: number): Check {
  const text = `${Math.abs(differenceMs) < 1_000 ? "within a second" : `${Math.round(differenceMs / 1_000)} s off`} of this machine's`;
  return Math.abs(differenceMs) > CLOCK_BOUND_MS
    ? fail(name, text, "set the clocks (NTP): nobody is dialed while they differ by more than 30 s")
    : ok(name, text);
}
