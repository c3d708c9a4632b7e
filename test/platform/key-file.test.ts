import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";

import { createPlatform, KeyFileError, openKeyFile, type Platform } from "../../src/platform/index.ts";
import { keyFileWith, readKey } from "../support/keys.ts";

/** A platform that lets one key in, and remembers what was asked with which. */
async function platformServer() {
  const asked: string[] = [];
  const state = { good: "key-one", asked };
  const server = http.createServer((request, response) => {
    const key = request.headers.authorization?.replace("Bearer ", "") ?? "";
    asked.push(`${request.method} ${key}`);
    request.resume();
    response.writeHead(key === state.good ? 200 : 401, { "content-type": "application/json" });
    response.end(key === state.good ? "[]" : '{"detail":"Invalid or expired API key: key-one key-two"}');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => new Promise((resolve) => void server.close(() => resolve())));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, state };
}

function clientOf(baseUrl: string, apiKey: () => string, onRefused: () => void = () => {}): Platform {
  const platform = createPlatform({
    baseUrl,
    apiKey,
    hooks: { onResponse: ({ status }) => status === 401 && onRefused() },
  });
  onTestFinished(() => platform.close());
  return platform;
}

it("a request that is refused for its key is sent once more with the one that the file holds by now", async () => {
  const { url, state } = await platformServer();
  const file = keyFileWith("key-one");
  const key = openKeyFile(file, readKey(file));
  const platform = clientOf(
    url,
    () => key.current(),
    () => key.reread(),
  );
  await platform.agents.list();
  fs.writeFileSync(file, "key-two");
  state.good = "key-two";
  await platform.agents.list();
  expect(state.asked).toEqual(["GET key-one", "GET key-one", "GET key-two"]);
  state.good = "key-three";
  const refused = await platform.agents.list().catch((error: unknown) => error);
  expect(state.asked).toHaveLength(4);
  // Whichever key was refused stands in no error, the one before it neither.
  expect(String(refused)).toContain("Invalid or expired API key");
  expect(String(refused)).not.toMatch(/key-(?:one|two)/);
});

it("a key that does not change is asked for at each request, and refused once", async () => {
  const { url, state } = await platformServer();
  let calls = 0;
  const platform = clientOf(url, () => {
    calls += 1;
    return "key-two";
  });
  await expect(platform.agents.list()).rejects.toThrow(/401|Invalid/);
  expect(state.asked).toEqual(["GET key-two"]);
  expect(calls).toBeGreaterThan(1);
});

it("a file that is empty, gone or no key for a moment changes nothing", () => {
  const file = keyFileWith("key-one");
  const key = openKeyFile(file, readKey(file));
  for (const spoil of [
    () => fs.writeFileSync(file, ""),
    () => fs.writeFileSync(file, "two words"),
    () => fs.rmSync(file),
  ]) {
    spoil();
    key.reread();
    expect(key.current()).toBe("key-one");
  }
  fs.writeFileSync(file, "key-two\n");
  key.reread();
  expect(key.current()).toBe("key-two");
});

it("a new key is stored beside the old one, then takes its place, readable to the owner alone", () => {
  const file = keyFileWith("key-one");
  fs.chmodSync(file, 0o644);
  const key = openKeyFile(file, readKey(file));
  const store = key.file;
  if (!store) throw new Error("it is a file");
  store.check();
  expect(store.staged("r")).toBeUndefined();
  store.stage("r", "key-two");
  expect([readKey(file), store.staged("r")]).toEqual(["key-one", "key-two"]);
  const staged = fs.readdirSync(path.dirname(file)).find((name) => name !== path.basename(file));
  // A group that could read the old key, such as a server's beside the worker's, can read the new one; others never.
  expect(fs.statSync(path.join(path.dirname(file), staged ?? "")).mode & 0o777).toBe(0o640);
  store.use("r");
  key.reread();
  expect([readKey(file), key.current(), store.staged("r")]).toEqual(["key-two", "key-two", undefined]);
  expect(() => store.stage("r", "two words")).toThrow(KeyFileError);
  expect(() => store.use("never stored")).toThrow(KeyFileError);
  store.drop("r");
  expect(fs.readdirSync(path.dirname(file))).toEqual([path.basename(file)]);
});

it("a mounted secret is refused before anything happens, and the refusal says what to do", () => {
  // As Kubernetes mounts them: the file is a link into a folder that is a link to the newest one.
  const real = keyFileWith("key-one");
  const folder = path.dirname(real);
  fs.mkdirSync(path.join(folder, "..2027"));
  fs.renameSync(real, path.join(folder, "..2027", "key"));
  fs.symlinkSync("..2027", path.join(folder, "..data"));
  const mounted = path.join(folder, "mounted");
  fs.symlinkSync(path.join("..data", "key"), mounted);
  const key = openKeyFile(mounted, readKey(mounted));
  expect(() => key.file?.check()).toThrow(/symbolic link, as Kubernetes .*PLATFORM_API_KEY_FILE/);
  // The next secret is noticed all the same.
  fs.mkdirSync(path.join(folder, "..2028"));
  fs.writeFileSync(path.join(folder, "..2028", "key"), "key-two");
  fs.symlinkSync("..2028", path.join(folder, "..new"));
  fs.renameSync(path.join(folder, "..new"), path.join(folder, "..data"));
  key.reread();
  expect(key.current()).toBe("key-two");
});

it.skipIf(process.getuid?.() === 0)("a folder that can't be written to is refused", () => {
  const file = keyFileWith("key-one");
  fs.chmodSync(path.dirname(file), 0o500);
  onTestFinished(() => fs.chmodSync(path.dirname(file), 0o700));
  expect(() => openKeyFile(file, "key-one").file?.check()).toThrow(/EACCES.*PLATFORM_API_KEY_FILE/);
});
