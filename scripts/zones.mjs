// Makes the data from which a number's or a place's time zones are found: src/contacts/zone-data, with what the tests
// hold it against (test/contacts/zone-evidence) and a report (docs/zone-data.md). `npm run zones`; about two minutes.
//
// It needs Python 3.9 or later, and PyPI for the packages of scripts/zones/requirements.txt, which it brings into a
// virtual environment of its own under node_modules/.cache.
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { installDependencies, root, run } from "./prepare.mjs";
import { Clocks } from "./zones/clocks.mjs";
import { Zips, countryZones, regionZones } from "./zones/columns.mjs";
import { dataModules, evidenceFiles } from "./zones/files.mjs";
import { Gazetteer } from "./zones/gazetteer.mjs";
import { prefixZones } from "./zones/prefixes.mjs";
import { reportPage } from "./zones/report.mjs";
import { usStates } from "./zones/states.mjs";

const cache = path.join(root, "node_modules", ".cache", "outdial-zones");
const requirements = path.join(root, "scripts", "zones", "requirements.txt");

/** The sources' data, read by Python. @throws where Python or PyPI is not there */
async function extract() {
  const version = createHash("sha256").update(fs.readFileSync(requirements)).digest("hex").slice(0, 12);
  const folder = path.join(cache, version);
  const python = path.join(folder, process.platform === "win32" ? "Scripts/python.exe" : "bin/python");
  if (!fs.existsSync(path.join(folder, "complete"))) {
    console.log("Installing the sources from PyPI (about a minute)...");
    fs.rmSync(folder, { recursive: true, force: true });
    fs.mkdirSync(cache, { recursive: true });
    await run(process.platform === "win32" ? "python" : "python3", ["-m", "venv", folder], { quiet: true });
    const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements];
    await run(python, pip, { quiet: true });
    fs.writeFileSync(path.join(folder, "complete"), "");
  }
  console.log("Reading them...");
  const file = path.join(cache, "data.json");
  await run(python, [path.join(root, "scripts", "zones", "extract.py"), file]);
  return JSON.parse(fs.readFileSync(file, "utf8"));
}

/** Every file that is written, by its path from the root. Pure: the same data makes the same files. */
export function makeFiles(data, date) {
  const clocks = new Clocks(data);
  const gazetteer = new Gazetteer(data, clocks);
  const result = prefixZones(data, clocks, gazetteer);
  const zips = new Zips(data, clocks, gazetteer);
  const regions = regionZones(data, zips, clocks, gazetteer);
  const countries = countryZones(clocks);
  return {
    ...dataModules({ table: result.table, countries, regions, zips, states: usStates(data) }),
    ...evidenceFiles(data, result, clocks, gazetteer),
    "docs/zone-data.md": reportPage(data, result, { zips, gazetteer, clocks, date, regions }),
  };
}

async function writeAll() {
  await installDependencies();
  const files = makeFiles(await extract(), new Date().toISOString().slice(0, 10));
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    fs.writeFileSync(path.join(root, name), text);
    console.log(`${name} (${Math.ceil(Buffer.byteLength(text) / 1024)} KB)`);
  }
  const modules = Object.keys(files).filter((name) => name.startsWith("src/"));
  await run(path.join(root, "node_modules", ".bin", "oxfmt"), modules, { quiet: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeAll();
