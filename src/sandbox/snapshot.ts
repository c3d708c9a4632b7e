import { readFileSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import path from "node:path";
import { performance } from "node:perf_hooks";

import { z } from "zod";

import { SandboxOptionsError } from "./options-error.ts";
import type { Clock } from "./clock.ts";
import type { DialLog } from "./dial-log.ts";
import type { Outcomes } from "./outcomes.ts";
import type { BatchRun } from "./state/batch-run.ts";
import type { CallRun } from "./state/call-run.ts";
import type { Organization } from "./state/organization.ts";
import type { WorkflowRun } from "./state/workflow-run.ts";
import type { Webhooks } from "./webhooks.ts";
import { dumpDialing, restoreDialing } from "./state/saved-dialing.ts";
import type { SavedDialing } from "./state/saved-dialing.ts";

const FORMAT = "outdial-sandbox";

/** Goes up whenever a file of before could not be read any more. */
const VERSION = 1;

/**
 * The data file: everything that organizations own and the log of dials. Faults, outcomes set by hand, statistics
 * and open connections are no state of the platform, and end with the process.
 */
const snapshotSchema = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  seed: z.number(),
  epoch_ms: z.number(),
  /** When it was saved, since the epoch; where there are calls in rooms, which last as long as there is somebody. */
  saved_at_ms: z.number().optional(),
  organizations: z.array(z.object({ parts: z.record(z.string(), z.unknown()), dialing: z.unknown() })).min(1),
  /** By organization and index of the call. */
  dial_log: z.array(z.tuple([z.int(), z.int()])),
});

export type Snapshot = z.output<typeof snapshotSchema>;

/**
 * Reads a data file; null if there is none yet. Throws if it is something else, of another version, or made with
 * another seed, from which its ids would not follow.
 */
export function readSnapshot(file: string, seed: number): Snapshot | null {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      return null;
    }
    throw error;
  }
  const parsed = snapshotSchema.safeParse(jsonOf(text));
  if (!parsed.success) {
    throw new SandboxOptionsError(
      `sandbox: ${file} is no data file of this version of the sandbox; move it away to begin anew`,
    );
  }
  if (parsed.data.seed !== seed) {
    throw new SandboxOptionsError(
      `sandbox: ${file} was made with seed ${parsed.data.seed}, not ${seed}: give it with --seed, or move the file away to begin anew`,
    );
  }
  return parsed.data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** What a snapshot is made of. */
interface Saved {
  readonly seed: number;
  readonly clock: Clock;
  readonly organizations: readonly Organization[];
  readonly dialLog: DialLog;
  readonly callRun: CallRun;
}

/** What goes on from one. */
interface Restored extends Saved {
  readonly outcomes: Outcomes;
  readonly batchRun: BatchRun;
  readonly workflowRun: WorkflowRun;
  readonly webhooks: Webhooks;
}

function snapshotOf({ seed, clock, organizations, dialLog, callRun }: Saved): Snapshot {
  return {
    format: FORMAT,
    version: VERSION,
    seed,
    epoch_ms: clock.epochMs,
    ...(callRun.active().some(({ talk }) => talk !== null) && { saved_at_ms: clock.now() }),
    organizations: organizations.map((organization) => ({
      parts: Object.fromEntries(
        Object.entries(organization.kept()).map(([name, part]) => [name, part.dump()]),
      ),
      dialing: dumpDialing(organization, clock),
    })),
    dial_log: dialLog.calls().map((call) => [call.organization.ordinal, call.index]),
  };
}

/** Takes a snapshot back into a new core, and goes on with what was going on. */
export function restoreSnapshot(core: Restored, snapshot: Snapshot): void {
  const unfinished = core.organizations.flatMap((organization, ordinal) => {
    const saved = snapshot.organizations[ordinal];
    return saved === undefined ? [] : [restoreOrganization(organization, saved)];
  });
  for (const organization of core.organizations) {
    core.workflowRun.goOn(organization);
  }
  const calls = core.organizations.map((organization) => organization.calls.everyone());
  for (const [ordinal, index] of snapshot.dial_log) {
    const call = calls[ordinal]?.[index];
    if (call !== undefined) {
      core.dialLog.append(call);
      core.outcomes.book(call.phone);
    }
  }
  for (const call of calls.flat()) {
    const processing = call.organization.calls.processingStatusOf(call);
    if (call.phase === "ended" && (processing === "pending" || processing === "processing")) {
      core.webhooks.goOn(call);
    }
  }
  for (const { calls, batches } of unfinished) {
    for (const { call, dueAt } of calls) {
      core.callRun.goOn(call, dueAt, snapshot.saved_at_ms);
    }
    for (const { batch, pickupDueAt } of batches) {
      core.batchRun.goOn(batch, pickupDueAt);
    }
  }
}

function restoreOrganization(organization: Organization, saved: Snapshot["organizations"][number]) {
  for (const [name, part] of Object.entries(organization.kept())) {
    if (saved.parts[name] !== undefined) {
      part.restore(saved.parts[name]);
    }
  }
  // Written by `snapshotOf` of the version that was checked.
  return restoreDialing(organization, saved.dialing as SavedDialing);
}

/** Between two looks at the state, at least; what a killed process loses at most, while its state is small. */
const SAVE_EVERY_MS = 250;

/** Saving may take a twentieth of the time: a large state is saved less often. */
const SHARE_OF_TIME = 20;

/** Keeps the data file up to date: whole, under another name first, so that a kill leaves the old one or the new one. */
export class SnapshotWriter {
  readonly #core: Saved;
  readonly #file: string;
  readonly #onTrouble: (error: unknown) => void;
  #isTroubled = false;
  #written = "";
  #timer: NodeJS.Timeout | null = null;
  #saving: Promise<void> = Promise.resolve();

  constructor(core: Saved, file: string, onTrouble: (error: unknown) => void) {
    this.#core = core;
    this.#file = file;
    this.#onTrouble = onTrouble;
  }

  /** Saves now and from time to time. Rejects if the file cannot be written. */
  async begin(): Promise<void> {
    await this.#save();
    this.#again(SAVE_EVERY_MS);
  }

  /** Saves once more, and no more after that. Rejects if the file cannot be written. */
  async end(): Promise<void> {
    this.abandon();
    await this.#saving;
    await this.#save();
  }

  /** Saves no more. */
  abandon(): void {
    if (this.#timer !== null) {
      clearTimeout(this.#timer);
    }
    this.#timer = null;
  }

  #again(delayMs: number): void {
    this.#timer = setTimeout(() => {
      const startedMs = performance.now();
      this.#saving = this.#save()
        .then(
          () => this.#tell(null),
          (error: unknown) => this.#tell(error),
        )
        .then(() => {
          if (this.#timer !== null) {
            this.#again(Math.max(SAVE_EVERY_MS, (performance.now() - startedMs) * SHARE_OF_TIME));
          }
        });
    }, delayMs);
  }

  /** Once when it begins, and once when it is over. */
  #tell(trouble: unknown): void {
    if (this.#isTroubled === (trouble !== null)) {
      return;
    }
    this.#isTroubled = trouble !== null;
    this.#onTrouble(trouble);
  }

  async #save(): Promise<void> {
    const text = JSON.stringify(snapshotOf(this.#core));
    if (text === this.#written) {
      return;
    }
    const next = `${this.#file}.next`;
    const handle = await open(next, "w", 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(next, this.#file);
    const folder = await open(path.dirname(path.resolve(this.#file)), "r");
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
    this.#written = text;
  }
}
