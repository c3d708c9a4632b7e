import fs from "node:fs";
import os from "node:os";
import path from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { findLivekit } from "../../../src/sandbox/rooms/livekit-executable.ts";
import { SandboxOptionsError } from "../../../src/sandbox/options-error.ts";

/** A machine whose PATH is one folder, and the cache that it has. */
function machine(programs: Readonly<Record<string, string>>) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-livekit-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  const bin = path.join(folder, "bin");
  const cacheDir = path.join(folder, "cache");
  fs.mkdirSync(bin);
  for (const [name, script] of Object.entries(programs))
    fs.writeFileSync(path.join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const said: string[] = [];
  const find = () =>
    findLivekit({
      searchPath: ["", bin].join(path.delimiter),
      cacheDir,
      onProgress: (message) => said.push(message),
    });
  const kept = () => (fs.existsSync(cacheDir) ? fs.readdirSync(cacheDir) : []);
  return { bin, cacheDir, find, kept, said };
}

/** The machine's own, which knows nothing else of PATH. */
const ENV = 'exec /usr/bin/env "$@"';

/** Says what it was asked, and makes what it was asked for. */
const GO = 'echo "#!/bin/sh" > "$GOBIN/server"; echo "# $*" >> "$GOBIN/server"';

test("one that is installed is taken, and none is built", async () => {
  const { bin, find, kept, said } = machine({ "livekit-server": "", go: "exit 1", env: ENV });
  expect(await find()).toBe(path.join(bin, "livekit-server"));
  expect([kept(), said]).toEqual([[], []]);
});

test("one that is built is whole, said, and kept for the next time", async () => {
  const { bin, find, kept, said } = machine({ go: GO, env: ENV });
  const [built, same] = await Promise.all([find(), find()]);
  expect(same).toBe(built);
  expect(kept()).toEqual([path.basename(built)]);
  expect(path.basename(built)).toMatch(
    new RegExp(`^livekit-server-v1\\.\\d+\\.\\d+-${process.platform}-${process.arch}$`),
  );
  expect(fs.readFileSync(built, "utf8")).toMatch(/# install .*livekit-server\/cmd\/server@v1\.\d+\.\d+\n$/);
  expect(fs.statSync(built).mode & 0o111).toBe(0o111);
  expect(said[0]).toMatch(/^building LiveKit's server v1\.\S+ with go install \(.* minutes, once\)$/);
  const tellings = said.length;
  fs.rmSync(path.join(bin, "go"));
  expect(await find()).toBe(built);
  expect(said).toHaveLength(tellings);
});

test("a machine that has neither it nor Go is told what to do", async () => {
  const { find, kept } = machine({ env: ENV });
  await expect(find()).rejects.toThrow(SandboxOptionsError);
  await expect(find()).rejects.toThrow(
    "rooms: there is neither a livekit-server nor a go on PATH: install one of them, or name an executable by --livekit-server PATH",
  );
  expect(kept()).toEqual([]);
});

test("a build that fails says why, without what is secret, and leaves nothing behind", async () => {
  const words = "go: reading https://me:letmein@modules.example.com/livekit: 403 Forbidden";
  const { find, kept } = machine({
    go: `echo half > "$GOBIN/server"; echo "${words}" >&2; exit 1`,
    env: ENV,
  });
  const error: unknown = await find().catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(SandboxOptionsError);
  expect(String(error)).toContain("modules.example.com/livekit: 403 Forbidden");
  expect(String(error)).toContain("--livekit-server PATH");
  expect(String(error)).not.toContain("letmein");
  expect(kept()).toEqual([]);
});

test("a go that makes nothing, and an executable that is none, are no server", async () => {
  const { cacheDir, find, kept } = machine({ go: "true", env: ENV });
  await expect(find()).rejects.toThrow(/could not be built with .*go \(/);
  expect(kept()).toEqual([]);
  // A file that was left without the right to run is built again.
  const { find: again, cacheDir: other } = machine({ go: GO, env: ENV });
  const built = await again();
  fs.chmodSync(built, 0o644);
  expect(await again()).toBe(built);
  expect(fs.statSync(built).mode & 0o111).toBe(0o111);
  expect(other).not.toBe(cacheDir);
});
