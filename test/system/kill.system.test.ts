import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";

import { openEmbeddedLedger } from "../../src/ledger/ground/embedded.ts";
import { openPostgresLedger } from "../../src/ledger/ground/postgres.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import { provideTemporalServer } from "../../src/temporal/server/index.ts";
import { readState } from "../../src/temporal/server/state-file.ts";
import { expectAccounted } from "../support/accounts.ts";
import { phoneNumbers, until } from "../support/engine.ts";
import { freshDataDir, given } from "../support/ledgers.ts";
import { sized } from "../support/long.ts";
import { createDatabase } from "../support/postgres.ts";
import { startOutdial, type OutdialProcess } from "../support/processes.ts";
import { seededRandom } from "../support/random.ts";
import { cacheDir } from "../support/setup-temporal.ts";

const CONTACTS = sized({ short: 600, long: 2_000 });
const SPEED = 200;
const KILLS = sized({ short: 3, long: 6 });
/** The kill that takes Temporal along, where it is not lost altogether. */
const KILL_OF_TEMPORAL = sized({ short: 2, long: 4 });
/** Between two kills, at most: half of the campaign is left for what goes on while processes come back. */
const DIALS_BETWEEN = Math.floor(CONTACTS / (2 * KILLS));

const SPEC = `
name: kill test
agent_id: 11111111-1111-4111-8111-111111111111
from_numbers: ["+12025550100"]
concurrency: ${CONTACTS / 20}
default_region: US
retry: { max_attempts: 3, delays: { no_answer: 2s, busy: 1s, failed: 1s, voicemail: 3s } }
window: always
`;

/** The last line of standard output, as `--json` promises it. */
interface FinalLine {
  campaign_id: string;
  state: string;
  contacts: { total: number; done: number; excluded: number; open: number };
  attempts: number;
  dispositions: Record<string, number>;
}

function finalLine(process: OutdialProcess): FinalLine {
  return JSON.parse(given(process.stdout().trimEnd().split("\n").at(-1))) as FinalLine;
}

describe("a campaign of hundreds of contacts whose processes are killed at random moments", () => {
  let folder: string;
  let sandbox: Sandbox;
  beforeEach(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-kill-"));
    sandbox = await createSandbox({ speed: SPEED, seed: 5 });
    fs.writeFileSync(path.join(folder, "campaign.yaml"), SPEC);
    const rows = phoneNumbers(CONTACTS, 500_000).map((phone, index) => `${phone},Contact ${index}`);
    fs.writeFileSync(path.join(folder, "list.csv"), `phone,name\n${rows.join("\n")}\n`);
  });
  afterEach(async () => {
    await sandbox.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  const environment = (): Record<string, string> => ({
    OUTDIAL_DATA_DIR: path.join(folder, "data"),
    PLATFORM_BASE_URL: sandbox.url,
    PLATFORM_API_KEY: sandbox.apiKey,
    OUTDIAL_SPEED: String(SPEED),
    OUTDIAL_LOG_LEVEL: "warn",
  });
  /** What everybody would come to if nothing were killed: outcomes depend on the number and its dials alone. */
  const expectSameKindOfReport = (line: FinalLine) => {
    expect(line.state).toBe("completed");
    expect(line.contacts).toMatchObject({ total: CONTACTS, done: CONTACTS, excluded: 0, open: 0 });
    // Every kill may leave starts whose fate stays unknown; more than a few would be a leak.
    expect(line.dispositions["unknown"] ?? 0).toBeLessThan(CONTACTS / 20);
    expect(line.dispositions["answered"]).toBeGreaterThan(CONTACTS * 0.7);
  };

  it("is carried on by the same command on the embedded ledger, and dials each attempt once", async () => {
    const random = seededRandom("kill, embedded");
    const run = () =>
      startOutdial(
        ["run", path.join(folder, "campaign.yaml"), "--contacts", path.join(folder, "list.csv"), "--json"],
        environment(),
      );
    let current = run();
    let dials = 0;
    for (let kill = 1; kill <= KILLS; kill += 1) {
      // Some before the first dial: while it imports, creates or starts.
      dials += kill === 1 ? 0 : Math.floor(random() * DIALS_BETWEEN) + 1;
      await until("more dials", () => sandbox.dialLog.length >= dials || current.child.exitCode !== null);
      if (current.child.exitCode !== null) break;
      await current.kill();
      if (kill === KILL_OF_TEMPORAL) await killTemporal(folder);
      dials = sandbox.dialLog.length;
      current = run();
      await current.waitFor(/running|completed|carr/i);
    }
    const { code } = await current.exited;
    expect(code, current.stderr()).toBe(0);
    const line = finalLine(current);
    expectSameKindOfReport(line);
    const ledger = await openEmbeddedLedger(path.join(folder, "data"));
    await expectAccounted({ ledger, sandbox }, line.campaign_id);
    await ledger.close();
    // Finished: the same command prints the report and dials nobody.
    const dialsAtEnd = sandbox.dialLog.length;
    const again = run();
    expect((await again.exited).code).toBe(0);
    expect(finalLine(again)).toMatchObject({ campaign_id: line.campaign_id, attempts: line.attempts });
    expect(sandbox.dialLog.length).toBe(dialsAtEnd);
  });

  it("is carried on when Temporal's data is lost altogether", async () => {
    fs.renameSync(freshDataDir(), path.join(folder, "data"));
    const run = () =>
      startOutdial(
        ["run", path.join(folder, "campaign.yaml"), "--contacts", path.join(folder, "list.csv"), "--json"],
        environment(),
      );
    const first = run();
    await until("some dials", () => sandbox.dialLog.length > CONTACTS / 3);
    await first.kill();
    await killTemporal(folder);
    for (const file of fs.readdirSync(path.join(folder, "data"))) {
      if (file.startsWith("temporal.db")) fs.rmSync(path.join(folder, "data", file));
    }
    const second = run();
    const { code } = await second.exited;
    expect(code, second.stderr()).toBe(0);
    const line = finalLine(second);
    expectSameKindOfReport(line);
    const ledger = await openEmbeddedLedger(path.join(folder, "data"));
    await expectAccounted({ ledger, sandbox }, line.campaign_id);
    await ledger.close();
  });

  it.skipIf(inject("postgresUrl") === undefined)(
    "is carried on by other workers on PostgreSQL, and survives its Temporal server's death",
    async () => {
      const random = seededRandom("kill, PostgreSQL");
      const databaseUrl = await createDatabase(given(inject("postgresUrl")));
      const temporalDir = path.join(folder, "temporal");
      const provide = () =>
        provideTemporalServer({
          searchPath: process.env["PATH"] ?? "",
          cacheDir: cacheDir(),
          dataDir: temporalDir,
          headless: true,
          onProgress: () => {},
        });
      let temporal = await provide();
      const shared = {
        ...environment(),
        DATABASE_URL: databaseUrl,
        TEMPORAL_ADDRESS: temporal.address,
        OUTDIAL_API_PORT: "0",
      };
      const worker = () => startOutdial(["worker"], shared);
      const server = startOutdial(["server"], { ...shared, OUTDIAL_LOG_LEVEL: "info" });
      const [, apiUrl] = await server.waitFor(/"apiUrl":"([^"]+)"/);
      const client = { ...shared, OUTDIAL_API_URL: given(apiUrl) };
      const tell = async (...args: string[]) => {
        const told = startOutdial(args, client);
        const { code } = await told.exited;
        expect(code, `${args.join(" ")}: ${told.stderr()}`).toBe(0);
        return told;
      };
      let workers = [worker(), worker()];
      await tell(
        "campaign",
        "create",
        path.join(folder, "campaign.yaml"),
        "--contacts",
        path.join(folder, "list.csv"),
      );
      await tell("campaign", "start", "kill test");
      let dials = 0;
      for (let kill = 1; kill <= KILLS; kill += 1) {
        dials = sandbox.dialLog.length + Math.floor(random() * DIALS_BETWEEN) + 1;
        await until("more dials", () => sandbox.dialLog.length >= dials);
        const victim = random() < 0.5 ? 0 : 1;
        await given(workers[victim]).kill();
        if (kill === KILL_OF_TEMPORAL) {
          await temporal.kill();
          temporal = await provide();
          expect(temporal.address).toBe(shared.TEMPORAL_ADDRESS);
        }
        workers = workers.map((one, index) => (index === victim ? worker() : one));
      }
      const watched = await tell("campaign", "watch", "kill test", "--json");
      const line = finalLine(watched);
      expectSameKindOfReport(line);
      for (const one of [...workers, server]) expect(await one.end()).toBe(0);
      const ledger = await openPostgresLedger({ url: databaseUrl, maxConnections: 2 });
      await expectAccounted({ ledger, sandbox }, line.campaign_id);
      await ledger.close();
      await temporal.stop();
    },
  );
});

/** The Temporal server that `outdial run` provided outlives a killed `run`; this kills it, too. */
async function killTemporal(folder: string): Promise<void> {
  const state = readState(path.join(folder, "data"));
  if (state?.state !== "running") throw new Error("no Temporal server is recorded");
  const { pid } = state.server;
  process.kill(pid, "SIGKILL");
  await until("the Temporal server to be gone", () => {
    try {
      process.kill(pid, 0);
      return false;
    } catch {
      return true;
    }
  });
}
