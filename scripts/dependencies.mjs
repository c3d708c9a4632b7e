// Whether node_modules has what package-lock.json says, by what is in them: times say when git and npm wrote, and a
// fresh clone is always newer than the modules that somebody links into it.
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";

/** npm's own account of what it put there, written last. */
const NPM_RECORD = ".package-lock.json";

/** Ours: the lock file and npm's record, as they were when they were found to agree. `npm ci` takes it away. */
const OUR_RECORD = ".outdial-lock";

/**
 * Whether the dependencies are those of the lock file. Packages that nobody names, tried out with `npm install
 * --no-save`, are left in peace.
 *
 * @param {boolean} options.forDevelopers False where those that only developers need may be missing: the build is there.
 */
export function dependenciesInstalled(root, { forDevelopers }) {
  const lock = read(path.join(root, "package-lock.json"));
  const installed = read(path.join(root, "node_modules", NPM_RECORD));
  if (lock === undefined || installed === undefined) return false;
  const agreed = recordOf(lock, installed);
  if (read(path.join(root, "node_modules", OUR_RECORD)) === agreed) return true;
  if (!agrees(packagesOf(lock), packagesOf(installed), { forDevelopers })) return false;
  if (forDevelopers) keepRecord(root, agreed);
  return true;
}

/** Remembers that an installation is of this lock file, whatever npm wrote of it. */
export function rememberInstallation(root) {
  const lock = read(path.join(root, "package-lock.json"));
  const installed = read(path.join(root, "node_modules", NPM_RECORD));
  if (lock !== undefined && installed !== undefined) keepRecord(root, recordOf(lock, installed));
}

/** Where node_modules is a link, the place that it leads to: that is somebody else's to change. */
export function linkedModules(root) {
  const modules = path.join(root, "node_modules");
  const isLink = fs.lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink ? path.resolve(root, fs.readlinkSync(modules)) : undefined;
}

function recordOf(lock, installed) {
  return createHash("sha256").update(lock).update("\0").update(installed).digest("hex");
}

function keepRecord(root, agreed) {
  if (linkedModules(root) !== undefined) return;
  try {
    fs.writeFileSync(path.join(root, "node_modules", OUR_RECORD), agreed);
  } catch {
    // Somebody else's checkout: each of our commands compares.
  }
}

/** Undefined where there is none that can be read. */
function read(file) {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** By their places, but for what is of this checkout itself; nothing of a record that was cut off. */
function packagesOf(text) {
  try {
    const { packages = {} } = JSON.parse(text);
    const others = Object.entries(packages).filter(
      ([place, { link }]) => place.startsWith("node_modules/") && link !== true,
    );
    return Object.fromEntries(others);
  } catch {
    return {};
  }
}

function agrees(wanted, there, { forDevelopers }) {
  const mayBeMissing = ({ optional, dev, devOptional }) =>
    optional === true || (!forDevelopers && (dev === true || devOptional === true));
  return (
    Object.entries(wanted).every(([place, one]) =>
      there[place] === undefined ? mayBeMissing(one) : isSame(one, there[place]),
    ) && Object.entries(there).every(([place, one]) => wanted[place] !== undefined || one.extraneous === true)
  );
}

/** npm may leave the digest out of its record, as of what came from no registry. */
function isSame(wanted, there) {
  return (
    wanted.version === there.version &&
    (wanted.integrity === undefined || there.integrity === undefined || wanted.integrity === there.integrity)
  );
}
