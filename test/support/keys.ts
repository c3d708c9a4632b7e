import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

import { paceAt, type ActivityDeps } from "../../src/activities/deps.ts";
import { beginRotation } from "../../src/activities/keys/key-in-use.ts";
import { tendKeyRotation } from "../../src/activities/keys/tend.ts";
import type { Ledger } from "../../src/ledger/ground/connection.ts";
import { readKeyRotation, type KeyRotation } from "../../src/ledger/keys/key-rotations.ts";
import { createPlatform, openKeyFile, type PlatformKey } from "../../src/platform/index.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { given } from "./ledgers.ts";
import { noFollowUpPorts } from "./ports.ts";

/** A folder with a file that holds a key. */
export function keyFileWith(key: string): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-key-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, "platform-key");
  fs.writeFileSync(file, `${key}\n`, { mode: 0o600 });
  return file;
}

export function readKey(file: string): string {
  return fs.readFileSync(file, "utf8").trim();
}

/** A clock that is put forward instead of waiting. */
export interface TravelClock {
  aheadMs: number;
  now: () => number;
}

export function travelClock(): TravelClock {
  const clock: TravelClock = { aheadMs: 0, now: () => Date.now() + clock.aheadMs };
  return clock;
}

export interface KeyProcess {
  deps: ActivityDeps;
  key: PlatformKey;
  logged: string[];
}

/** A process with the key of a file, as the composition roots wire it. */
export function keyProcess(
  ledger: Ledger,
  sandbox: Sandbox,
  file: string,
  clock: TravelClock,
  changes: Partial<ActivityDeps> = {},
): KeyProcess {
  const key = openKeyFile(file, readKey(file));
  const open = (apiKey: string | (() => string)) => {
    const platform = createPlatform({
      baseUrl: sandbox.url,
      apiKey,
      hooks: {
        onResponse: ({ status }) => {
          if (status === 401) key.reread();
        },
      },
    });
    onTestFinished(() => platform.close());
    return platform;
  };
  const logged: string[] = [];
  const note = (fields: object, message: string) => void logged.push(`${message} ${JSON.stringify(fields)}`);
  const deps: ActivityDeps = {
    ledger,
    platform: open(() => key.current()),
    keys: { inUse: key, open },
    wake: { campaign() {}, batch() {} },
    ...noFollowUpPorts(),
    pace: paceAt(1),
    log: { info: note, warn: note, error: note },
    now: clock.now,
    ...changes,
  };
  return { deps, key, logged };
}

let rotations = 0;

export async function begin(deps: ActivityDeps, graceHours = 24): Promise<string> {
  rotations += 1;
  const rotationId = `00000000-0000-4000-8000-${String(rotations).padStart(12, "0")}`;
  await beginRotation(deps, { rotationId, graceHours, actor: "test" });
  return rotationId;
}

export async function rotationOf(ledger: Ledger, rotationId: string): Promise<KeyRotation> {
  return given(await readKeyRotation(ledger.db, rotationId));
}

/** More turns than a rotation takes whatever happens to it. */
const MOST_TURNS = 200;

/** Takes a rotation on as its workflow does, until `enough`; waits are travelled. */
export async function tendUntil(
  deps: ActivityDeps,
  clock: TravelClock,
  rotationId: string,
  enough: (rotation: KeyRotation) => boolean = ({ endedAtMs }) => endedAtMs !== undefined,
): Promise<KeyRotation> {
  for (let turns = 0; turns < MOST_TURNS; turns += 1) {
    const turn = await tendKeyRotation(deps, { rotationId });
    const rotation = await rotationOf(deps.ledger, rotationId);
    if (enough(rotation)) return rotation;
    if (turn.next === "wait") clock.aheadMs += turn.waitMs;
  }
  throw new Error("the rotation does not come to where it should");
}
