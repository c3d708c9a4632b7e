import { afterAll, beforeAll, expect, it, vi } from "vitest";

import { phoneNumbers } from "../support/engine.ts";
import { closedPort, openStage, type Stage } from "../system/support/stage.ts";

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await stage.close();
});

it("examples/api/run-campaign.ts has people called by a server, and prints what came of each", async () => {
  const phones = phoneNumbers(4, 9_000);
  const [first = "", second = ""] = phones;
  for (const phone of phones) stage.sandbox.outcomes.force(phone, ["answered"]);
  stage.sandbox.outcomes.force(second, ["voicemail"]);
  const port = await closedPort();
  const own = { OUTDIAL_API_PORT: String(port), OUTDIAL_API_TOKEN: "the-token-of-this-test-0123456789" };
  const server = stage.start(
    ["server"],
    stage.settings(stage.dataDir(), { ...own, OUTDIAL_LOG_LEVEL: "info" }),
  );
  await server.waitFor(/the server runs/);

  const said = vi.spyOn(console, "log").mockImplementation(() => {});
  const given = { ...own, OUTDIAL_API_URL: `http://127.0.0.1:${port}`, CAMPAIGN: "by a program" };
  for (const [name, value] of Object.entries(given)) vi.stubEnv(name, value);
  const { argv } = process;
  process.argv = ["node", "run-campaign.ts", ...phones];
  await import("../../examples/api/run-campaign.ts");
  process.argv = argv;

  const lines = said.mock.calls.map((words) =>
    words.map((word) => (typeof word === "object" ? JSON.stringify(word) : String(word))).join(" "),
  );
  expect(lines[0]).toBe("4 of 4 people are to be called");
  expect(lines).toContain(`contact.finished ${first} answered`);
  expect(lines).toContain(`contact.finished ${second} voicemail`);
  expect(lines).toContain('4 people were called in 4 calls: {"answered":3,"voicemail":1}');
  const results = lines.at(-1)?.trim().split("\n") ?? [];
  expect(results).toHaveLength(5);
  for (const phone of phones) expect(results.filter((line) => line.includes(phone))).toHaveLength(1);
  expect(
    stage.sandbox.dialLog
      .entries()
      .map(({ phone }) => phone)
      .toSorted(),
  ).toEqual(phones.toSorted());
});
