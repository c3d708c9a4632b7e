import { sql } from "drizzle-orm";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

import { openEmbeddedLedger } from "../../src/ledger/ground/embedded.ts";
import { rows } from "../../src/ledger/ground/connection.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import { expectInvariants } from "../ledger/support/invariants.ts";
import { expectAccounted } from "../support/accounts.ts";
import { phoneNumbers, until } from "../support/engine.ts";
import { given } from "../support/ledgers.ts";
import { startOutdial, type OutdialProcess } from "../support/processes.ts";
import { seededRandom } from "../support/random.ts";

/*
 * What people tell a campaign while it calls is in force or it is not, whenever the process that takes it is killed: the
 * same command again makes sure that it is.
 */

const CONTACTS = 400;
const SPEED = 100;
const PHONES = phoneNumbers(CONTACTS, 600_000);
/** Who is taken out under way. */
const WITHDRAWN = PHONES.slice(CONTACTS / 4, CONTACTS / 2);

const spec = (concurrency: number) => `
name: told and killed
agent_id: 11111111-1111-4111-8111-111111111111
from_numbers: ["+12025550100"]
concurrency: ${concurrency}
default_region: US
retry: { max_attempts: 3, delays: { no_answer: 2s, busy: 1s, failed: 1s, voicemail: 3s } }
window: always
`;

let folder: string;
let sandbox: Sandbox;
beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-kill-commands-"));
  sandbox = await createSandbox({ speed: SPEED, seed: 7 });
  const list = (phones: readonly string[]) => `phone\n${phones.join("\n")}\n`;
  fs.writeFileSync(path.join(folder, "campaign.yaml"), spec(10));
  fs.writeFileSync(path.join(folder, "wider.yaml"), spec(25));
  fs.writeFileSync(path.join(folder, "list.csv"), list(PHONES));
  fs.writeFileSync(path.join(folder, "withdrawn.csv"), list(WITHDRAWN));
});
afterEach(async () => {
  await sandbox.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

it("a campaign whose process is killed while it is amended, while people are withdrawn and while it is cancelled loses nobody and no slot", async () => {
  const random = seededRandom("kill, commands");
  const environment = {
    OUTDIAL_DATA_DIR: path.join(folder, "data"),
    PLATFORM_BASE_URL: sandbox.url,
    PLATFORM_API_KEY: sandbox.apiKey,
    OUTDIAL_SPEED: String(SPEED),
    OUTDIAL_API_PORT: "0",
    OUTDIAL_LOG_LEVEL: "info",
  };
  const file = (name: string) => path.join(folder, name);
  const begin = async (): Promise<OutdialProcess> => {
    const server = startOutdial(["server"], environment);
    await server.waitFor(/"apiUrl":"([^"]+)"/);
    return server;
  };
  let current = await begin();
  const tell = async (...command: string[]) => {
    const told = startOutdial(command, environment);
    expect((await told.exited).code, `${command.join(" ")}: ${told.stderr()}`).toBe(0);
  };
  await tell("campaign", "create", file("campaign.yaml"), "--contacts", file("list.csv"));
  await tell("campaign", "start", "told and killed");
  const isOver = () => current.child.exitCode !== null;
  const moreDials = async (count: number) => {
    const enough = sandbox.dialLog.length + count;
    await until("more dials", () => sandbox.dialLog.length >= enough || isOver());
    expect(isOver(), current.stderr()).toBe(false);
  };
  /** Gives a command, kills who takes it a moment later, and gives it again to who comes after. */
  const tellAndKill = async (...command: string[]) => {
    const first = startOutdial(command, environment);
    // A command takes about a second to reach whom it tells: before that, while it is carried out, or just after.
    await new Promise((resolve) => setTimeout(resolve, 700 + random() * 900));
    await current.kill();
    await first.exited;
    current = await begin();
    await tell(...command);
  };

  await moreDials(20);
  await tellAndKill("campaign", "amend", file("wider.yaml"));
  await moreDials(20);
  const reason = ["--reason", "asked in the shop"];
  await tellAndKill(
    "campaign",
    "withdraw",
    "told and killed",
    "--contacts",
    file("withdrawn.csv"),
    ...reason,
  );
  await moreDials(20);
  await tellAndKill("campaign", "cancel", "told and killed");
  // Of one that was cancelled it ends with an error, once all calls are over.
  await startOutdial(["campaign", "watch", "told and killed"], environment).exited;
  expect(await current.end()).toBe(0);

  const ledger = await openEmbeddedLedger(file("data"));
  try {
    const [campaign] = await rows<{ id: string; state: string; concurrency: number }>(
      ledger.db,
      sql`select id, state, concurrency from campaigns where name = 'told and killed'`,
    );
    const { id, ...told } = given(campaign);
    expect(told).toEqual({ state: "cancelled", concurrency: 25 });
    await expectAccounted({ ledger, sandbox }, id);
    await expectInvariants(ledger);
    const ends = await rows<{ phone: string; state: string; reason: string | null }>(
      ledger.db,
      sql`select phone, state, reason from contacts where campaign_id = ${id}::uuid`,
    );
    expect(ends).toHaveLength(CONTACTS);
    const gone = new Set(WITHDRAWN);
    const otherwise = ends.filter(
      ({ phone, state, reason: why }) =>
        state === "excluded" && why !== (gone.has(phone) ? "withdrawn" : "cancelled"),
    );
    expect(otherwise, "left out for another reason than was told").toEqual([]);
  } finally {
    await ledger.close();
  }
});
