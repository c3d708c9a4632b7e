import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

import { paceAt, type ActivityDeps } from "../../src/activities/deps.ts";
import { readScheduleDefinition } from "../../src/domain/schedules/schedule.ts";
import type { Ledger } from "../../src/ledger/ground/connection.ts";
import { runNow } from "../../src/ledger/schedules/schedule-commands.ts";
import type { ScheduleRun } from "../../src/ledger/schedules/schedule-runs.ts";
import { putSchedule } from "../../src/ledger/schedules/schedule-changes.ts";
import { createDownloads } from "../../src/outbound/download.ts";
import { createPlatform } from "../../src/platform/index.ts";
import { noFollowUpPorts } from "./ports.ts";
import { secretsOf } from "./secrets.ts";

/** What the runs of recurring campaigns are loaded with: folders of their own, and downloads from this machine. */
export interface Recurring {
  deps: ActivityDeps;
  listsDir: string;
  spoolDir: string;
  /** Puts a list where the source `{ file: name }` finds it. */
  list: (name: string, text: string) => void;
}

export function recurringOn(
  ledger: Ledger,
  changes: { databases?: Record<string, string>; secrets?: Record<string, string>; brands?: string } = {},
): Recurring {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-recurring-"));
  const listsDir = path.join(folder, "lists");
  const spoolDir = path.join(folder, "spool");
  fs.mkdirSync(listsDir);
  const downloads = createDownloads({ allow: ["127.0.0.1"] });
  // Nothing here asks it for anything.
  const platform = createPlatform({ baseUrl: "http://127.0.0.1:9", apiKey: "none" });
  onTestFinished(async () => {
    await downloads.close();
    await platform.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });
  return {
    listsDir,
    spoolDir,
    list: (name, text) => fs.writeFileSync(path.join(listsDir, name), text),
    deps: {
      ...noFollowUpPorts(),
      ledger,
      platform,
      wake: { campaign() {}, batch() {} },
      secrets: secretsOf(changes.secrets ?? {}, changes.brands),
      lists: { dir: listsDir, spoolDir, databases: changes.databases ?? {}, downloads },
      pace: { ...paceAt(1), lookMs: 1 },
      log: { info() {}, warn() {}, error() {} },
      now: Date.now,
    },
  };
}

let names = 0;

export const RECURRING_SPEC = {
  agent_id: "11111111-1111-4111-8111-111111111111",
  from_numbers: ["+12025550100"],
  concurrency: 5,
  window: "always",
  least_gap: "0s",
} as const;

/** A schedule of a campaign with a name of its own, which is not due by itself. */
export async function recurringSchedule(
  ledger: Ledger,
  run: Record<string, unknown>,
  changes: Record<string, unknown> = {},
  nowMs = Date.now(),
): Promise<{ id: string; name: string; campaign: string }> {
  names += 1;
  const campaign = typeof run["campaign"] === "string" ? run["campaign"] : `recurring ${names}`;
  const reading = readScheduleDefinition({
    name: `recurring-${names}`,
    cron: "0 0 1 1 *",
    run: { campaign, spec: RECURRING_SPEC, ...run },
    ...changes,
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  const { definition } = reading;
  const { schedule } = await ledger.transaction((tx) =>
    putSchedule(tx, { definition, actor: "test", nowMs }),
  );
  return { id: schedule.id, name: schedule.name, campaign };
}

/** A run of it that is under way. */
export function runOf(ledger: Ledger, { name }: { name: string }): Promise<ScheduleRun> {
  const input = { name, commandId: randomUUID(), actor: "test", nowMs: Date.now() };
  return ledger.transaction((tx) => runNow(tx, input));
}
