import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

import { readAutomationFile, readWorkflowFile } from "../../src/cli/automations/definition-file.ts";
import { readFolder } from "../../src/cli/declared/folder.ts";
import { readScheduleFile } from "../../src/cli/schedules/definition-file.ts";
import { readSequenceFile } from "../../src/cli/sequences/sequence-file.ts";
import { readSpecFile } from "../../src/cli/campaigns/run/spec-file.ts";
import { readTriggerFile } from "../../src/cli/triggers/definition-file.ts";
import { readYamlFile } from "../../src/cli/yaml-file.ts";
import { temporaryFolder, writeFile } from "./support.ts";

const bomb = [
  "a: &a [x]",
  ...Array.from("bcdefgh", (name, nth) => `${name}: &${name} [${`*${"abcdefg"[nth] ?? ""}, `.repeat(9)}]`),
].join("\n");

/** Each file, and what is said of it after its path. */
const REFUSED: readonly (readonly [what: string, text: string | Buffer, says: RegExp])[] = [
  ["an alias bomb", bomb, /^:5: repeats parts of itself \(\*d\) too often: write out what is meant/],
  ["an alias of itself", "a: &a\n  - [*a]\n", /^:2: has \*a within what it repeats, which has no end/],
  ["an alias of nothing", "name: x\nb: *a\n", /^:2: names \*a, and nothing before it is called so \(&a\)/],
  ["a field twice", "name: x\nb: 1\nname: y\n", /^:3: writes a field that is there already/],
  ["a field twice in JSON", '{"name": "x",\n "name": "y"}', /^:2: writes a field that is there already/],
  ["a merge", "a: &a { b: 1 }\nc:\n  <<: *a\n", /^:3: merges fields \(<<\), which is not taken/],
  ["a tag", "name: x\nsecret: !vault abc\n", /^:2: has a tag \(!\.\.\.\) that is not known here/],
  ["a field without a name", "name: x\n? [a]\n: 1\n", /^:2: has a field whose name is no text/],
  ["what nests without end", "[".repeat(2_000), /^:1: nests deeper than 64 levels/],
  ["what nests without end, in lines", `a:\n  ${"- ".repeat(2_000)}b\n`, /^:2: nests deeper than 64 levels/],
  ["too much", "x".repeat(2_000_000), /^ is too large with 2,000,000 bytes/],
  ["another encoding", Buffer.from("name: x\n", "utf16le"), /^ is not UTF-8/],
  ["what is no UTF-8", Buffer.from([0x6e, 0x3a, 0x20, 0xff]), /^ is not UTF-8: save it as UTF-8/],
  ["no YAML", "name: x\nb: [\n", /^:3: is not YAML: /],
];

const READERS = {
  campaign: readSpecFile,
  sequence: readSequenceFile,
  trigger: readTriggerFile,
  schedule: readScheduleFile,
  automation: readAutomationFile,
  workflow: readWorkflowFile,
  folder: readFolder,
} as const;

const wordsOf = (read: () => unknown): string => {
  try {
    read();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return "";
};

describe("a YAML file", () => {
  it("that is not what it looks like is refused by every command alike, with its line", () => {
    for (const [what, text, says] of REFUSED) {
      const file = path.join(temporaryFolder(), "x.yaml");
      fs.writeFileSync(file, text);
      for (const [kind, read] of Object.entries(READERS)) {
        const told = wordsOf(() => read(file));
        const said = told.slice(told.indexOf(file) + file.length);
        expect(said, `${kind}: ${what}: ${told}`).toMatch(says);
        expect(told, `${kind}: ${what}`).not.toContain("\n\n");
      }
    }
  });

  it("with several documents is refused where one is wanted, and its own kind may stand in it", () => {
    const folder = temporaryFolder();
    const one = 'kind: schedule\nname: nightly\nrun: { automation: x }\ncron: "30 2 * * *"\n';
    expect(readScheduleFile(writeFile(folder, "one.yaml", `\uFEFF# mine\r\n---\r\n${one}`))).toMatchObject({
      name: "nightly",
    });
    const two = writeFile(folder, "two.yaml", `${one}---\n${one}`);
    expect(wordsOf(() => readScheduleFile(two))).toContain(
      "two.yaml:6: holds 2 documents, where one, a schedule, is wanted",
    );
    expect(wordsOf(() => readSpecFile(path.join(folder, "one.yaml")))).toContain(
      "one.yaml holds a schedule, and a campaign is wanted here: give it to `outdial schedule put ",
    );
    expect(wordsOf(() => readSpecFile(writeFile(folder, "none.yaml", "# nothing\n---\n")))).toContain(
      "is empty",
    );
  });

  it("has its problems told in the order of their lines, whatever is wrong with them", () => {
    const text = `name: spring
colour: red
agent_id: abc
from_numbers: ["+12025550100"]
window:
  weekday: ["09:00-20:00"]
  weekend: ["10:00-16"]
concurrency: many
ends_at: 2026-11-01T09:00:00Z
starts_at: 2026-12-01T09:00:00Z
presets: [us-states]
override:
  - rule: us-fl.nothing
    reason: short
  - rule: us-fl.calls
    reason: reviewed by counsel
    why: x
`;
    const told = wordsOf(() => readSpecFile(writeFile(temporaryFolder(), "c.yaml", text)));
    const lines = [...told.matchAll(/^ {2}line (\d+): ([^ ]+): /gm)].map(
      ([, line, field]) => `${line} ${field}`,
    );
    expect(lines).toEqual([
      "2 colour",
      "6 window.weekday",
      "7 window.weekend[0]",
      "8 concurrency",
      "9 ends_at",
      "13 override[0].rule",
      "14 override[0].reason",
      "17 override[1].why",
    ]);
    expect(told).toContain("window.weekday: is not a field of a campaign spec (is weekdays meant?)");
  });

  it("is told of a workflow that is not there beside its other problems", () => {
    const text =
      "name: sync\ntrigger_type: webhook\nworkflow: { file: none.json }\nactive: maybe\ncolour: red\n";
    const told = wordsOf(() => readAutomationFile(writeFile(temporaryFolder(), "a.yaml", text)));
    expect(told).toMatch(/a\.yaml has 3 problems:\n/);
    expect(told).toMatch(/^ {2}line 3: workflow\.file: there is no file /m);
    expect(told).toMatch(/^ {2}line 4: active: [^\n]*\n {2}line 5: colour: /m);
  });

  it("has its problems told with their lines", () => {
    const text = "name: nightly\nrun:\n  automation: x\ncron: nonsense\ncolour: red\n";
    const told = wordsOf(() => readScheduleFile(writeFile(temporaryFolder(), "s.yaml", text)));
    expect(told).toMatch(/s\.yaml has 2 problems:\n/);
    expect(told).toMatch(/^ {2}line 4: cron: /m);
    expect(told).toMatch(/^ {2}line 5: colour: /m);
  });

  it("may be a link, and no device or pipe, which has no end", () => {
    const folder = temporaryFolder();
    expect(wordsOf(() => readSpecFile("/dev/null"))).toContain("is no file with an end");
    fs.symlinkSync(
      writeFile(folder, "real.yaml", "{ a: [1, &one 2, *one] }"),
      path.join(folder, "link.yaml"),
    );
    expect(readYamlFile(path.join(folder, "link.yaml"), { what: "it" }).value).toEqual({ a: [1, 2, 2] });
  });
});
