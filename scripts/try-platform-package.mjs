// The client's own package, installed alone into an empty folder of ECMAScript modules and into one of CommonJS: what it
// brings along, how large that is, whether strict programs compile, and whether they do what they say against the
// sandbox of the main package. A part of try-package.mjs.
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";

import { root } from "./prepare.mjs";

const read = (file) => JSON.parse(fs.readFileSync(file, "utf8"));
const { devDependencies } = read(path.join(root, "package.json"));
const { name, version } = read(path.join(root, "packages/platform/package.json"));

/** The package with all that it needs. */
const MOST_BYTES = 5_000_000;

function must(holds, message) {
  if (!holds) throw new Error(message);
}

/** Every file in a folder, as large as it says. */
function bytesIn(folder) {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + fs.statSync(path.join(entry.parentPath ?? entry.path, entry.name)).size, 0);
}

/** A program that finds its platform in the environment. */
const PROGRAM = `import { createPlatform, NotFoundError, PlatformError, type Call, type PlatformClient } from "${name}";

async function main(): Promise<void> {
  const platform: PlatformClient = createPlatform();
  const { items: agents } = await platform.agents.list();
  const agent = agents.find((one) => one.published_version !== undefined);
  const { items: numbers } = await platform.phoneNumbers.list();
  const call: Call = await platform.calls.phone({
    agent_id: agent?.agent_id ?? "",
    from_number: numbers[0]?.phone_number ?? "",
    to_number: "+12125550143",
  });
  const ended = await platform.calls.waitUntilEnded(call.call_id, { everyMs: 20 });
  const { items, isAll } = await platform.calls.list({ limit: 1 }).gather({ atMost: 10 });
  const { status } = await platform.batchCalls.list().withResponse();
  // @ts-expect-error: no field of a call
  if (ended.stauts !== undefined) throw new Error("a misspelt field");
  // @ts-expect-error: no field of an agent
  const misspelt = () => platform.agents.create({ agent_name: "Ann", temprature: 0.2 });
  const refused = await misspelt().catch((error: unknown) => error);
  const absent = await platform.calls.get("no-such-call").catch((error: unknown) => error);
  const zones = await platform.workflows.setSchedule("w", { cron: "0 9 * * *", timezone: "Mars/Olympus" }).catch(String);
  console.log(
    "alone:",
    ended.status,
    items.length > 0 && isAll,
    status,
    refused instanceof PlatformError && refused.code,
    absent instanceof NotFoundError && absent.effect,
    String(zones).includes("must be a time zone"),
  );
  await platform.close();
}

void main();
`;

const SAYS = "alone: ended true 200 invalid_request none true";

const RTC = "@livekit/rtc-node";

/** A program that joins a room, or is told what it lacks to do so. */
const IN_A_ROOM = `import { createPlatform, PlatformError } from "${name}";

async function main(): Promise<void> {
  const platform = createPlatform();
  const { items: agents } = await platform.agents.list();
  const agent = agents.find((one) => one.published_version !== undefined);
  const session = await platform.chat.create({ agent_id: agent?.agent_id ?? "", transport: "livekit" });
  const room = await platform.chat.join(session).catch((error: unknown) => error);
  if (room instanceof Error) {
    console.log("no room:", room instanceof PlatformError && room.code, room.message.includes("npm install ${RTC}"));
  } else {
    let heard = 0;
    for await (const { content } of room as Awaited<ReturnType<typeof platform.chat.join>>) {
      heard += 1;
      if (content !== "" && heard === 1) await (room as Awaited<ReturnType<typeof platform.chat.join>>).send("Goodbye");
    }
    const { close_reason: reason } = await platform.chat.get(session.session_id);
    console.log("in a room:", heard, reason);
  }
  await platform.close();
}

void main();
`;

/** A LiveKit server's executable; null where there is none and no Go to build it with, which is said. */
async function livekitServer(project, env) {
  const module = path.join(project, "node_modules/outdial/dist/sandbox/rooms/livekit-executable.js");
  const { findLivekit } = await import(pathToFileURL(module).href);
  try {
    return await findLivekit({
      searchPath: env.PATH,
      cacheDir: path.join(env.XDG_CACHE_HOME, "outdial/livekit"),
      onProgress: (message) => console.log(message),
    });
  } catch (error) {
    if (process.env.CI && !error.message.includes("neither a livekit-server nor a go on PATH")) throw error;
    console.warn(`SKIPPED: the client alone in a room. ${error.message}`);
    return null;
  }
}

/** The sandbox as a program of its own has it, from the package that is installed in `project`. */
async function sandboxOf(project, env, rooms) {
  const program = `import { startSandbox } from "outdial/sandbox";
const sandbox = await startSandbox(${JSON.stringify({ seed: 7, speed: 1_000, rooms })});
sandbox.answer("+12125550143", "answered");
console.log(JSON.stringify({ url: sandbox.baseUrl, key: sandbox.apiKey }));
process.stdin.resume().once("end", () => sandbox.close());
`;
  const file = path.join(project, "sandbox-of-the-client.mjs");
  fs.writeFileSync(file, program);
  const child = spawn(process.execPath, [file], { cwd: project, env, stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const told = await new Promise((resolve, reject) => {
    let said = "";
    child.stdout.on("data", (part) => {
      said += part;
      if (said.includes("\n")) resolve(JSON.parse(said));
    });
    child.once("close", (code) => reject(new Error(`the sandbox ended with exit code ${code}`)));
  });
  return {
    env: { PLATFORM_BASE_URL: told.url, PLATFORM_API_KEY: told.key },
    async end() {
      child.stdin.end();
      await ended;
    },
  };
}

/** Installs it alone, and holds what that is. */
async function install(folder, tarball, type, run) {
  fs.mkdirSync(folder);
  fs.writeFileSync(path.join(folder, "package.json"), JSON.stringify({ private: true, type }));
  await run("npm", ["install", tarball], { cwd: folder });
  const modules = path.join(folder, "node_modules");
  const found = fs.readdirSync(modules).filter((one) => !one.startsWith("."));
  const wanted = [name, "undici", "ws"];
  must(
    isDeepStrictEqual(new Set(found), new Set(wanted)),
    `${name} brought ${found.join(", ")}, and not ${wanted.join(", ")}`,
  );
  const bytes = wanted.reduce((sum, one) => sum + bytesIn(path.join(modules, one)), 0);
  must(
    bytes < MOST_BYTES,
    `${name} takes ${bytes} bytes with what it needs, and not less than ${MOST_BYTES}`,
  );
  console.log(`${name} takes ${(bytes / 1e6).toFixed(2)} MB with ${found.length - 1} dependencies`);
  const { typescript, "@types/node": nodeTypes } = devDependencies;
  await run("npm", ["install", "--save-dev", `typescript@${typescript}`, `@types/node@${nodeTypes}`], {
    cwd: folder,
  });
}

async function compile(folder, file, run) {
  const compilerOptions = {
    module: "nodenext",
    target: "es2023",
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    // Our own declarations, too.
    skipLibCheck: false,
    types: ["node"],
  };
  fs.writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [file] }));
  await run("npx", ["--no", "--", "tsc", "-p", "."], { cwd: folder });
}

/**
 * @param {string} options.folder Empty, for what is made.
 * @param {string} options.project Where the main package is installed.
 * @param {Function} options.run Runs a program to its end and gives what it said.
 */
export async function tryPlatformPackage({ folder, project, environment, run }) {
  await run("npm", ["pack", "--loglevel=error", "--pack-destination", folder], {
    cwd: path.join(root, "packages/platform"),
  });
  const tarball = path.join(folder, `${name}-${version}.tgz`);
  for (const type of ["module", "commonjs"]) {
    const place = path.join(folder, type);
    await install(place, tarball, type, run);
    fs.writeFileSync(path.join(place, "program.ts"), PROGRAM);
    await compile(place, "program.ts", run);
    const sandbox = await sandboxOf(project, environment);
    try {
      const said = await run(process.execPath, ["program.js"], { cwd: place, env: sandbox.env });
      must(said.includes(SAYS), `the program of type ${type} does not say ${JSON.stringify(SAYS)}`);
      if (type === "module") await tryPage(place, sandbox.env, run);
    } finally {
      await sandbox.end();
    }
    await tryRoom({ place, project, environment, run });
  }
}

/** Without LiveKit's library it says how to have it, and with it is in the room. */
async function tryRoom({ place, project, environment, run }) {
  const server = await livekitServer(project, environment);
  if (server === null) return;
  const wanted = `${RTC}@${devDependencies[RTC]}`;
  // The sandbox needs it, too.
  await run("npm", ["install", "--no-save", wanted], { cwd: project });
  fs.writeFileSync(path.join(place, "room.ts"), IN_A_ROOM);
  await compile(place, "room.ts", run);
  const sandbox = await sandboxOf(project, environment, { server });
  try {
    const program = () => run(process.execPath, ["room.js"], { cwd: place, env: sandbox.env });
    const without = await program();
    must(without.includes("no room: invalid_request true"), `without ${RTC} it does not say how to have it`);
    await run("npm", ["install", wanted], { cwd: place });
    must((await program()).includes("in a room: 2 agent_end_chat"), "it did not hold a chat in a room");
  } finally {
    await sandbox.end();
  }
}

/** The examples of its page about the client are one program. */
async function tryPage(place, env, run) {
  const page = fs.readFileSync(path.join(place, "node_modules", name, "docs/client.md"), "utf8");
  const program = [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, text]) => text).join("\n");
  must(program.includes(`from "${name}"`), "the page has no example by the package's name");
  fs.writeFileSync(path.join(place, "example.ts"), program);
  fs.writeFileSync(path.join(place, "handbook.pdf"), "%PDF-1.7 nothing else");
  await compile(place, "example.ts", run);
  const said = await run(process.execPath, ["example.js"], { cwd: place, env });
  must(said.includes("not_found 404 req-"), "the examples of the page do not do what they say");
}
