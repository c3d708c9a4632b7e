import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

interface Manifest {
  name: string;
  version: string;
  license: string;
  engines: object;
  dependencies: Record<string, string>;
  devDependencies?: Record<string, string>;
  peerDependencies: Record<string, string>;
  peerDependenciesMeta: object;
}

const read = (file: string) =>
  JSON.parse(fs.readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), "utf8")) as Manifest;

const main = read("package.json");
const client = read("packages/platform/package.json");

it("the client alone is of the main package's version, and asks for the same of others", () => {
  const { version, license, engines, peerDependencies, peerDependenciesMeta } = main;
  expect(client).toMatchObject({ version, license, engines, peerDependencies, peerDependenciesMeta });
  expect(Object.keys(client.dependencies)).toEqual(["undici", "ws"]);
  for (const [name, wanted] of Object.entries(client.dependencies))
    expect(main.dependencies[name], name).toBe(wanted);
  expect(client.devDependencies).toBeUndefined();
});

it("the version of LiveKit's library that is tested is the one that both packages ask for", () => {
  expect(main.devDependencies?.["@livekit/rtc-node"]).toBe(main.peerDependencies["@livekit/rtc-node"]);
});
