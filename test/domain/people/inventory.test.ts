import fs from "node:fs";
import { expect, it } from "vitest";

import { HOLDINGS, IMPERSONAL } from "../../../src/domain/people/inventory.ts";
import { RECORD_TABLES } from "../../../src/ledger/people/records.ts";

const folder = "src/ledger/migrations";
const tables = fs
  .readdirSync(folder)
  .filter((name) => name.endsWith(".sql"))
  .flatMap((name) =>
    [
      ...fs.readFileSync(`${folder}/${name}`, "utf8").matchAll(/^create table (?:if not exists )?(\w+)/gm),
    ].map(([, table]) => table ?? ""),
  );

it("says of every table of the ledger whether it holds something of a person, and what forgetting does to it", () => {
  const said = [...Object.keys(HOLDINGS), ...Object.keys(IMPERSONAL)];
  expect(said.toSorted()).toEqual(tables.toSorted());
});

it("tells of every table whose rows are said to be in the export", () => {
  const exported = Object.entries(HOLDINGS).flatMap(([name, one]) => (one.exported === "rows" ? [name] : []));
  expect(exported.toSorted()).toEqual([...RECORD_TABLES].toSorted());
});

it("stands in the documentation, table by table", () => {
  const page = fs.readFileSync("docs/data.md", "utf8");
  for (const [name, { holds, forgotten }] of Object.entries(HOLDINGS))
    expect(page).toContain(`| \`${name}\` | ${holds} | ${forgotten} |`);
  for (const [name, what] of Object.entries(IMPERSONAL)) expect(page).toContain(`\`${name}\` (${what})`);
});
