import fs from "node:fs";
import os from "node:os";
import path from "node:path";

import { expect, onTestFinished, test, vi } from "vitest";

import { livekitServer } from "./livekit.ts";

test("where LiveKit's server can't be had, its tests are skipped loudly, and in CI that is a failure", async () => {
  const nothing = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-no-livekit-"));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    fs.rmSync(nothing, { recursive: true, force: true });
  });
  vi.stubEnv("PATH", nothing);
  vi.stubEnv("XDG_CACHE_HOME", nothing);
  vi.stubEnv("CI", "");
  const said = vi.spyOn(console, "warn").mockImplementation(() => {});
  expect(await livekitServer()).toBeNull();
  expect(said.mock.calls.join()).toMatch(
    /^SKIPPED: tests on a real LiveKit server\. .*neither.*nor a go on PATH/,
  );
  vi.stubEnv("CI", "true");
  await expect(livekitServer()).rejects.toThrow("nor a go on PATH");
});
