/** Large files between the real client and the real sandbox, each in a process of its own that counts its memory. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { builtFolder } from "../support/build.ts";
import { given } from "./support/world.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

const SIZE_BYTES = 200 * 1024 * 1024;
const MOST_GROWTH_BYTES = 150 * 1024 * 1024;

/** Before both programs: the most memory that the process has, above what it has once everything is loaded. */
const PRELUDE = `
  import { createInterface } from "node:readline";
  const ARGS = JSON.parse(process.argv[1]);
  const say = (value) => process.stdout.write(JSON.stringify(value) + "\\n");
  const load = (file) => import(ARGS.folder + "/" + file);
  let base = 0, most = 0;
  const look = () => { most = Math.max(most, process.memoryUsage.rss()); };
  setInterval(look, 5).unref();
  const begin = () => { base = most = process.memoryUsage.rss(); };
  const growth = () => { look(); return most - base; };
`;

const SANDBOX = `${PRELUDE}
  const { createSandbox } = await load("sandbox/sandbox.js");
  const sandbox = await createSandbox({ speed: 10_000, rooms: "simulated", recordingBytes: ARGS.sizeBytes });
  begin();
  say({ url: sandbox.url, key: sandbox.apiKey });
  for await (const _line of createInterface(process.stdin)) say({ growth: growth() });
  process.exit();
`;

const CLIENT = `${PRELUDE}
  const { createPlatform } = await load("platform/index.js");
  const platform = createPlatform({ baseUrl: ARGS.url, apiKey: ARGS.key });
  await platform.config.defaults();
  begin();
  if (ARGS.deed === "upload") {
    const { id } = await platform.knowledgeBases.create({ name: "big" });
    const document = await platform.knowledgeBases.addDocument(id, { path: ARGS.file });
    say({ bytes: document.file_size_bytes, growth: growth() });
  } else {
    const { call_id: id } = await platform.calls.web({ agent_id: "11111111-1111-4111-8111-111111111111" });
    while ((await platform.calls.get(id)).processing_status !== "completed") await new Promise((go) => setTimeout(go, 10));
    const { body } = await platform.calls.recording(id);
    let bytes = 0;
    for await (const chunk of body) bytes += chunk.length;
    say({ bytes, growth: growth() });
  }
  process.exit();
`;

let folder: string | undefined;
let built: string | undefined;

beforeAll(async () => {
  built = await builtFolder();
  folder = await mkdtemp(path.join(tmpdir(), "outdial-contract-test-"));
}, 60_000);

afterAll(async () => {
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

/** A process that runs a program and answers in lines of JSON. It ends with the test. */
function start(program: string, args: object) {
  const given = JSON.stringify({ folder: built, sizeBytes: SIZE_BYTES, ...args });
  const child = spawn(process.execPath, ["--input-type=module", "-e", program, given], {
    cwd: root,
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill());
  const reader = createInterface(child.stdout);
  const ended = once(child, "exit").then(() => {
    throw new Error("the process ended without an answer");
  });
  ended.catch(() => {});
  const answer = async <T>(shape: z.ZodType<T>): Promise<T> => {
    const [line] = await Promise.race([once(reader, "line"), ended]);
    return shape.parse(JSON.parse(String(line)));
  };
  return { answer, ask: () => child.stdin.write("\n") };
}

const begun = z.object({ url: z.string(), key: z.string() });
const moved = z.object({ bytes: z.number(), growth: z.number() });
const grown = z.object({ growth: z.number() });

test.each(["upload", "download"])(
  "%s: 200 MB go through, and neither side grows by 150 MB",
  async (deed) => {
    const file = path.join(given(folder), "big.bin");
    await writeFile(file, "");
    await truncate(file, SIZE_BYTES); // Sparse: takes no room on the disk.
    const sandbox = start(SANDBOX, {});
    const { url, key } = await sandbox.answer(begun);
    const client = await start(CLIENT, { url, key, deed, file }).answer(moved);
    expect(client.bytes).toBeGreaterThanOrEqual(SIZE_BYTES);
    expect(client.bytes).toBeLessThan(SIZE_BYTES * 1.01);
    sandbox.ask();
    const server = await sandbox.answer(grown);
    console.log(
      `${deed}: client +${Math.round(client.growth / 2 ** 20)} MB, sandbox +${Math.round(server.growth / 2 ** 20)} MB`,
    );
    expect(client.growth).toBeLessThan(MOST_GROWTH_BYTES);
    expect(server.growth).toBeLessThan(MOST_GROWTH_BYTES);
  },
  60_000,
);
