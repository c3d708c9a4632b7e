import { createPlatform } from "../../../src/platform/index.ts";
import type { CliContext } from "../../../src/cli/context.ts";
import { findRunningSystem } from "../../../src/cli/running-system.ts";
import { openSession } from "../../../src/cli/campaigns/run/session.ts";
import { readConfig } from "../../../src/config.ts";
import type { System } from "../../../src/system.ts";
import { expect, test } from "vitest";
import { temporaryFolder, writeFile } from "../support.ts";

const platform = () => createPlatform({ baseUrl: "http://127.0.0.1:1", apiKey: "k" });

/** A command that starts a system of its own, which answers nobody. */
async function sessionOn(dataDir: string, worker: boolean) {
  const config = readConfig({ OUTDIAL_DATA_DIR: dataDir, DATABASE_URL: "postgres://db/outdial" });
  const said: string[] = [];
  const system = {
    apiUrl: "http://127.0.0.1:41234",
    apiToken: undefined,
    stop: async () => {},
  } as Partial<System> as System;
  const session = await openSession(
    { ports: { openPlatform: async () => platform(), startSystem: async () => system } } as Partial<
      Record<keyof CliContext, unknown>
    > as CliContext,
    {
      config,
      worker,
      mustBeOurs: false,
      say: (message) => said.push(message),
      signal: new AbortController().signal,
    },
  );
  return { config, session, said };
}

test("a run on a database is found by the commands that it names, until it ends", async () => {
  const { config, session, said } = await sessionOn(temporaryFolder(), true);
  expect(findRunningSystem(config)?.url).toBe("http://127.0.0.1:41234");
  await session.close();
  expect(findRunningSystem(config)?.url).toBe("http://127.0.0.1:8480");
  expect(said).toEqual([]);
});

test("a system that dials nobody, which one command starts for itself, is nobody's to find", async () => {
  const { config, session } = await sessionOn(temporaryFolder(), false);
  expect(findRunningSystem(config)?.url).toBe("http://127.0.0.1:8480");
  await session.close();
});

test("a run that can't say where it is goes on, and says so", async () => {
  const dataDir = temporaryFolder();
  writeFile(dataDir, "systems", "in the way");
  const { session, said } = await sessionOn(dataDir, true);
  expect(said.join()).toMatch(/will not find this run .* set OUTDIAL_API_URL=http:\/\/127\.0\.0\.1:41234/);
  await session.close();
});
