import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Command } from "commander";
import { onTestFinished } from "vitest";

import type { CliContext } from "../../src/cli/context.ts";
import { runProgram, wholeProgram } from "../../src/cli/program.ts";
import { readConfig } from "../../src/config.ts";
import type { CampaignWire, ProgressWire, ReportWire } from "../../src/http/wire/campaigns.ts";

export const AGENT = "11111111-1111-4111-8111-111111111111";

export function temporaryFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-cli-"));
  onTestFinished(() => {
    fs.rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

export function writeFile(folder: string, name: string, text: string): string {
  const file = path.join(folder, name);
  fs.writeFileSync(file, text);
  return file;
}

const unused = () => {
  throw new Error("nothing is done here");
};

/** Every command that does something. Their modules make them, and none is run. */
export async function allCommands(): Promise<Command[]> {
  const program = await wholeProgram({
    settings: unused,
    ports: {
      openLedger: unused,
      startSystem: unused,
      openPlatform: unused,
      runSandbox: unused,
      lookAtProvider: unused,
      lookForMissing: unused,
      provideTemporalServer: unused,
    },
    stdout: { write: unused },
    stderr: { write: unused },
    finish: unused,
  });
  const leaves = (command: Command): Command[] =>
    command.commands.length === 0 ? [command] : command.commands.flatMap((inner) => leaves(inner));
  return leaves(program);
}

interface CliEnd {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a command line in this process. What it could start is not there: commands that start nothing are tested so. */
export async function outdial(
  args: readonly string[],
  environment: Record<string, string> = {},
  ports: Partial<CliContext["ports"]> = {},
  stdin?: CliContext["stdin"],
): Promise<CliEnd> {
  let stdout = "";
  let stderr = "";
  const absent = (what: string) => async () => {
    throw new Error(`${what} is not there in this test`);
  };
  const code = await runProgram(
    {
      openSettings: async () => (dataDir) =>
        readConfig({ OUTDIAL_DATA_DIR: "/nowhere/at/all", ...environment }, { dataDir }),
      ports: {
        openLedger: absent("a ledger"),
        startSystem: absent("a system"),
        openPlatform: absent("a platform"),
        runSandbox: absent("a sandbox"),
        lookAtProvider: absent("a sandbox"),
        lookForMissing: async () => [],
        provideTemporalServer: absent("Temporal"),
        ...ports,
      },
      ...(stdin && { stdin }),
      stdout: {
        write: (text) => {
          stdout += text;
        },
      },
      stderr: {
        write: (text) => {
          stderr += text;
        },
      },
    },
    args,
    async () => false,
  );
  return { code, stdout, stderr };
}

const NOW = "2026-11-23T15:00:00.000Z";

const NOTHING_SPENT = {
  spent: 0,
  told: 0,
  held: 0,
  today: { spent: 0, held: 0 },
  total: null,
  per_day: null,
  zone: "UTC",
};

export function progressOf(changes: Partial<ProgressWire> = {}): ProgressWire {
  return {
    campaign_id: "c",
    name: "spring",
    run: 1,
    state: "running",
    state_reason: null,
    contacts: { total: 500, done: 290, excluded: 22, open: 188, leased: 20 },
    attempts: 512,
    dispositions: { answered: 180, voicemail: 60, no_answer: 50 },
    concurrency: 20,
    held_slots: 18,
    live_batches: 2,
    holds: [],
    agents: [],
    transfers: null,
    follow_ups: { open: 0 },
    callbacks: { open: 0 },
    money: NOTHING_SPENT,
    started_at: "2026-11-23T14:58:48.000Z",
    ended_at: null,
    now: NOW,
    ...changes,
  };
}

export function reportOf(changes: Partial<ReportWire> = {}): ReportWire {
  return {
    campaign_id: "c",
    name: "spring",
    run: 2,
    brand: "default",
    state: "completed",
    state_reason: null,
    policy_version: 1,
    presets: [],
    overrides: [],
    rows: { read: 520, rejected: 8, duplicate: 12 },
    contacts: { total: 500, done: 480, excluded: 20, open: 0, leased: 0 },
    contacts_dialed: 480,
    attempts: 812,
    dispositions: { answered: 400, no_answer: 80 },
    attempt_dispositions: { answered: 400, no_answer: 412 },
    excluded_reasons: { suppressed: 20 },
    variants: [],
    agent_versions: [],
    batches: { total: 30, unsettled: 0, held_slots: 0 },
    talk_seconds: 7_384,
    money: { ...NOTHING_SPENT, per_conversation: null },
    follow_ups: { open: 0, open_failed: 0, failed: 0, done: 0 },
    callbacks: { open: 0 },
    created_at: NOW,
    started_at: NOW,
    ended_at: "2026-11-23T15:03:12.000Z",
    ...changes,
  };
}

export function campaignOf(changes: Partial<CampaignWire> = {}): CampaignWire {
  return {
    id: "c",
    brand: "default",
    name: "spring",
    run: 1,
    state: "running",
    state_reason: null,
    policy_version: 1,
    concurrency: 20,
    contacts: { total: 10, done: 0, excluded: 0, open: 10, leased: 0 },
    attempts: 0,
    dispositions: {},
    standing: false,
    standing_key: null,
    parent_id: null,
    created_at: NOW,
    started_at: NOW,
    ended_at: null,
    archived_at: null,
    spec: { name: "spring", agent_id: AGENT, from_numbers: ["+12025550100"], concurrency: 20 },
    lists: [
      {
        digest: "aaaa",
        source_name: "list.csv",
        rows: { read: 10, rejected: 0, duplicate: 0, accepted: 10 },
        never_dialed: [],
        through_line: 11,
        completed_at: NOW,
      },
    ],
    held_slots: 0,
    live_batches: 0,
    ...changes,
  };
}
