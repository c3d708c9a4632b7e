import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

import { nameAt, shrinkwrapOf, type LockedPackage, type LockFile } from "../../scripts/package.mjs";

const root = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const lock = JSON.parse(fs.readFileSync(root("package-lock.json"), "utf8")) as LockFile;
const manifest = JSON.parse(fs.readFileSync(root("package.json"), "utf8")) as {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  overrides: Record<string, unknown>;
};

function lockOf(packages: Readonly<Record<string, LockedPackage>>): LockFile {
  const own = { version: "1.0.0", dependencies: { a: "^1.0.0" }, devDependencies: { b: "^1.0.0" } };
  return { name: "outdial", version: "1.0.0", lockfileVersion: 3, packages: { "": own, ...packages } };
}

const locked = { version: "1.2.3", integrity: "sha512-x" };

describe("the shrinkwrap", () => {
  const { packages } = shrinkwrapOf(lock);
  const places = Object.keys(packages);

  it("has every dependency of the program at the lock file's version, the overridden ones, too", () => {
    for (const [name, version] of Object.entries(manifest.dependencies))
      expect(packages[`node_modules/${name}`]?.version, name).toBe(version);
    const overridden = places.filter((place) => typeof manifest.overrides[nameAt(place)] === "string");
    expect(overridden.map(nameAt)).toContain("cookie");
    for (const place of overridden) expect(packages[place]?.version).toBe(manifest.overrides[nameAt(place)]);
    for (const place of places) expect(packages[place]?.version).toBe(lock.packages[place]?.version);
  });

  it("has nothing that only developers need, and no host of a registry", () => {
    for (const name of Object.keys(manifest.devDependencies)) {
      const entry = lock.packages[`node_modules/${name}`];
      if (entry?.dev === true || entry?.devOptional === true)
        expect(places).not.toContain(`node_modules/${name}`);
    }
    expect(places).not.toContain("node_modules/typescript");
    expect(packages[""]).not.toHaveProperty("devDependencies");
    expect(JSON.stringify(packages)).not.toMatch(/"resolved"|registry\./);
  });

  it("has binaries for the systems that Outdial runs on alone: npm would install all that are named", () => {
    const binary = (os: string, cpu: string, libc?: string) => ({
      ...locked,
      optional: true,
      os: [os],
      cpu: [cpu],
      ...(libc !== undefined && { libc: [libc] }),
    });
    const { packages: kept } = shrinkwrapOf(
      lockOf({
        "node_modules/a": { ...locked, optionalDependencies: { c: "*", d: "*", e: "*", f: "*" } },
        "node_modules/c": binary("linux", "x64", "glibc"),
        "node_modules/d": binary("linux", "x64", "musl"),
        "node_modules/e": binary("win32", "x64"),
        "node_modules/f": binary("darwin", "arm64"),
        "node_modules/g": { ...locked, devOptional: true },
      }),
    );
    expect(Object.keys(kept)).toEqual(["", "node_modules/a", "node_modules/c", "node_modules/f"]);
  });

  it("has what peers ask for where it has to be there, from wherever it is, and nothing of optional ones", () => {
    const { packages: kept } = shrinkwrapOf(
      lockOf({
        "": {
          version: "1.0.0",
          dependencies: { a: "1" },
          peerDependencies: { big: "1" },
          peerDependenciesMeta: { big: { optional: true } },
        },
        "node_modules/a": { ...locked, dependencies: { c: "1" }, peerDependencies: { d: "1" } },
        "node_modules/a/node_modules/c": { ...locked, dependencies: { e: "1" } },
        "node_modules/big": { ...locked, devOptional: true, optionalDependencies: { native: "1" } },
        "node_modules/c": { ...locked, dev: true },
        "node_modules/d": { ...locked, peer: true },
        "node_modules/e": locked,
        // As npm marks the binaries of an optional peer that developers have: as everybody's.
        "node_modules/native": { ...locked, optional: true, os: ["linux"], cpu: ["x64"] },
        "node_modules/ours": { resolved: "packages/ours", link: true },
        "packages/ours": { version: "1.0.0", dependencies: { c: "1" } },
      }),
    );
    expect(Object.keys(kept)).toEqual([
      "",
      "node_modules/a",
      "node_modules/a/node_modules/c",
      "node_modules/d",
      "node_modules/e",
    ]);
    const everybodys = Object.keys(shrinkwrapOf(lock).packages).filter((place) =>
      place.includes("@livekit/"),
    );
    expect(everybodys).toEqual([]);
  });

  it("is not made of a lock file that names hosts, or does not say what a package has to be", () => {
    const resolved = "https://packages.example/a/-/a-1.2.3.tgz";
    expect(() => shrinkwrapOf(lockOf({ "node_modules/a": { ...locked, resolved } }))).toThrow(
      /where .*\/a comes/,
    );
    expect(() => shrinkwrapOf(lockOf({ "node_modules/a": { version: "1.2.3" } }))).toThrow(
      /integrity of .*\/a/,
    );
  });
});
