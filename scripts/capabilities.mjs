// Holds the imports of src/ against the one order of capabilities (docs/architecture.md, "Capabilities"): a folder
// that is named after a capability imports itself, what all stand on, and what comes before it. `npm run check` runs it.
import fs from "node:fs";
import path from "node:path";

import { root } from "./prepare.mjs";

/** What each stands on, beside the ground. */
const ON = {
  campaigns: [],
  "follow-ups": ["campaigns"],
  sequences: ["campaigns", "follow-ups"],
  schedules: ["campaigns", "follow-ups"],
  // Rehearsals of rules over calls, wherever those stand.
  rules: ["campaigns", "follow-ups", "sequences"],
  triggers: ["campaigns", "follow-ups", "sequences", "schedules"],
  // What is known of one person, over all of them.
  people: ["campaigns", "follow-ups", "sequences", "schedules", "triggers"],
  recovery: ["campaigns", "follow-ups", "sequences", "schedules", "triggers"],
  // What is measured, over all of them.
  telemetry: ["campaigns", "follow-ups", "sequences", "schedules", "triggers"],
  automations: [],
  keys: [],
  // Who is told of what waits for people.
  notices: [],
  // The feed of what happened, and who is sent it.
  events: [],
  // Documents of every kind, together: in the ledger it stands alone.
  declared: [
    "campaigns",
    "follow-ups",
    "sequences",
    "schedules",
    "triggers",
    "automations",
    "notices",
    "events",
  ],
};

/** Folders that put capabilities together: they know all of them, and nothing that is one of them knows these. */
const ABOVE = [
  "src/http/routes/system/",
  "src/http/routes/hooks/",
  "src/cli/view/",
  "src/cli/doctor/",
  "src/cli/qualify/",
  "src/cli/api/client.ts",
];

/** Rooms with a folder for each capability, and how deep it stands in them. */
const ROOMS = [
  "domain",
  "ledger",
  "activities",
  "commands",
  "chores",
  "http/routes",
  "http/wire",
  "cli/api",
  "cli",
];

/** Arrows that run against the order, each for its reason. */
const EXCEPTIONS = new Map([
  [
    "src/domain/campaigns/campaign-spec.ts -> src/domain/follow-ups/follow-up-rules.ts",
    "a campaign's document holds the rules of its follow-ups",
  ],
  [
    "src/ledger/campaigns/ended-calls.ts -> src/domain/follow-ups/follow-up-rules.ts",
    "settling writes the follow-ups of calls that ended, in its own transaction",
  ],
  [
    "src/activities/follow-ups/actions/in-ledger.ts -> src/ledger/sequences/enrolling.ts",
    "an action may enroll somebody, in the transaction that settles it",
  ],
]);

/** The capability of a file; `ground` where all may know it; undefined where the order says nothing of it. */
function capabilityOf(file) {
  if (ABOVE.some((place) => file.startsWith(place))) return undefined;
  const room = ROOMS.find((name) => file.startsWith(`src/${name}/`));
  if (room === undefined) return undefined;
  const [first, ...rest] = file.slice(`src/${room}/`.length).split("/");
  const name = first.replace(/\.ts$/, "");
  if (Object.hasOwn(ON, name)) return name;
  // Beside the folders stand the roots of a room, which put it together.
  return rest.length > 0 || room === "http/wire" || room === "cli/api" ? "ground" : undefined;
}

/** Every import between two files of ours, as paths from the project's root. */
function* importsOf(file) {
  const text = fs.readFileSync(path.join(root, file), "utf8");
  for (const [, from, lazily] of text.matchAll(/\bfrom\s+"(\.[^"]+)"|\bimport\(\s*"(\.[^"]+)"/g))
    yield path.posix.normalize(path.posix.join(path.posix.dirname(file), from ?? lazily));
}

function isAllowed(file, target) {
  const [mine, theirs] = [capabilityOf(file), capabilityOf(target)];
  if (mine === undefined || theirs === undefined || theirs === "ground" || mine === theirs) return true;
  return mine !== "ground" && ON[mine].includes(theirs);
}

const files = fs
  .readdirSync(path.join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => `src/${name.split(path.sep).join("/")}`);
const unused = new Set(EXCEPTIONS.keys());
const against = [];
for (const file of files) {
  for (const target of importsOf(file)) {
    if (isAllowed(file, target)) continue;
    const arrow = `${file} -> ${target}`;
    if (EXCEPTIONS.has(arrow)) unused.delete(arrow);
    else against.push(`${arrow}: ${capabilityOf(file)} does not stand on ${capabilityOf(target)}`);
  }
}
for (const arrow of unused)
  against.push(`${arrow}: there is no such import any more, so no exception either`);
console.log(
  against.length === 0
    ? `${files.length} files keep the order of capabilities.`
    : `${against.join("\n")}\nThe order stands in docs/architecture.md, "Capabilities".`,
);
process.exitCode = against.length === 0 ? 0 : 1;
