// What npm does before and after it packs (prepack, postpack): the build, and the versions of what it depends on.
//
// The package carries npm-shrinkwrap.json, which is package-lock.json without what only developers need. Without it
// an installation would get whatever is newest, and `overrides`, which count in a checkout alone, would be lost. It
// is made for the package and taken away again, since npm would prefer it to package-lock.json in the checkout.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { declareTypes, installDependencies, prepare, root, SHRINKWRAP } from "./prepare.mjs";

/** Where Outdial runs: Temporal's worker has its core for these, with glibc. On Windows it runs in WSL. */
const SYSTEMS = { os: ["linux", "darwin"], cpu: ["x64", "arm64"], libc: ["glibc"] };

/**
 * A binary for other systems. npm installs what a shrinkwrap has for any system, whatever the machine's own: the
 * compiler that workflows are bundled with would bring twelve binaries, 165 MB, of which four may be of use.
 */
function isForOthers(entry) {
  return (
    entry.optional === true &&
    Object.entries(SYSTEMS).some(
      ([kind, ours]) => entry[kind] && !ours.some((one) => entry[kind].includes(one)),
    )
  );
}

/** The package that is installed at a place such as node_modules/a/node_modules/@b/c. */
export function nameAt(place) {
  return place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length);
}

/**
 * Where a package that one at `place` names is installed: beside it, or in a folder around it. Undefined: it is an
 * optional one that is not there.
 */
function placeOf(name, place, packages) {
  for (let around = place; ;) {
    const at = `${around === "" ? "" : `${around}/`}node_modules/${name}`;
    if (packages[at] !== undefined) return at;
    if (around === "") return undefined;
    const outer = around.lastIndexOf("/node_modules/");
    around = outer === -1 ? "" : around.slice(0, outer);
  }
}

/**
 * What the program needs, from its dependencies on: what developers and optional peers bring along is marked in a lock
 * file in half a dozen ways, and `npm install` would give all of it to everybody.
 */
function neededOf(packages) {
  const needed = new Set([""]);
  for (const place of needed) {
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = packages[place];
    const peers = Object.keys(peerDependencies ?? {}).filter(
      (name) => peerDependenciesMeta?.[name]?.optional !== true,
    );
    for (const name of [
      ...Object.keys(dependencies ?? {}),
      ...Object.keys(optionalDependencies ?? {}),
      ...peers,
    ]) {
      const at = placeOf(name, place, packages);
      if (at !== undefined && !isForOthers(packages[at])) needed.add(at);
    }
  }
  return needed;
}

/** The part of a lock file that a production installation gets. @throws Error where it names a registry's host. */
export function shrinkwrapOf(lock) {
  const needed = neededOf(lock.packages);
  const packages = Object.entries(lock.packages).flatMap(([place, entry]) => {
    if (!needed.has(place)) return [];
    if (place === "") {
      const { devDependencies: _, workspaces: __, ...own } = entry;
      return [[place, own]];
    }
    if (entry.resolved !== undefined || entry.link === true)
      throw new Error(`package-lock.json says where ${place} comes from: every installation would ask there`);
    if (entry.integrity === undefined) throw new Error(`package-lock.json has no integrity of ${place}`);
    return [[place, entry]];
  });
  const { name, version, lockfileVersion } = lock;
  return { name, version, lockfileVersion, requires: true, packages: Object.fromEntries(packages) };
}

async function beforePack() {
  await prepare();
  // A build alone does not need those of developers.
  await installDependencies();
  await declareTypes();
  const lock = JSON.parse(fs.readFileSync(path.join(root, "package-lock.json"), "utf8"));
  fs.writeFileSync(SHRINKWRAP, `${JSON.stringify(shrinkwrapOf(lock), null, 2)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv[2] === "--after") fs.rmSync(SHRINKWRAP, { force: true });
  else await beforePack();
}
