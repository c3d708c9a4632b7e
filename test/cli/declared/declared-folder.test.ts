import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

import { fileNameOf } from "../../../src/cli/declared/file-names.ts";
import { readFolder } from "../../../src/cli/declared/folder.ts";
import { temporaryFolder, writeFile } from "../support.ts";

const list = (name: string) =>
  `kind: suppression-list\nname: ${name}\nglobal: true\nreason: asked\nnumbers: ["+12025550143"]\n`;

const namesIn = (folder: string) => readFolder(folder).map(({ declared }) => declared.definition.name);

it("a folder is read with its folders and with files that are links, whatever they are called", () => {
  const folder = temporaryFolder();
  fs.mkdirSync(path.join(folder, "a b"));
  writeFile(
    path.join(folder, "a b"),
    "\u00e9 # % ~ \u{1f600}.YAML",
    `\uFEFF${list("odd").replaceAll("\n", "\r\n")}`,
  );
  // As mounted configuration is: files that are links into a hidden folder.
  fs.mkdirSync(path.join(folder, "..data"));
  fs.symlinkSync(
    writeFile(path.join(folder, "..data"), "x.yaml", list("mounted")),
    path.join(folder, "x.yaml"),
  );
  fs.symlinkSync(folder, path.join(folder, "round"));
  writeFile(folder, "notes.txt", "kind: [");
  writeFile(
    folder,
    "two.json",
    JSON.stringify({
      kind: "suppression-list",
      name: "json",
      brand: "acme",
      reason: "asked",
      numbers: ["+1"],
    }),
  );
  expect(namesIn(folder)).toEqual(["mounted", "odd", "json"]);
  const through = path.join(temporaryFolder(), "link");
  fs.symlinkSync(folder, through);
  expect(namesIn(through)).toEqual(["mounted", "odd", "json"]);
});

it("a document that is in two files is refused with both, and a link that leads nowhere by its name", () => {
  const folder = temporaryFolder();
  fs.symlinkSync(writeFile(folder, "a.yaml", list("one")), path.join(folder, "b.yaml"));
  expect(() => namesIn(folder)).toThrow(
    /b\.yaml:1: name: suppression-list one is declared in .*a\.yaml:1, too/,
  );
  const left = temporaryFolder();
  writeFile(left, "sync.json", '{"nodes": []}');
  expect(() => namesIn(left)).toThrow("read where an automation names it (workflow: { file: sync.json })");
  const other = temporaryFolder();
  fs.symlinkSync("/nowhere/at/all", path.join(other, "gone.yaml"));
  expect(() => namesIn(other)).toThrow(/gone\.yaml/);
});

it("a folder that is somebody's home, or a whole repository, is refused before it is walked through", () => {
  const folder = temporaryFolder();
  for (let nth = 0; nth <= 2_000; nth += 1) fs.writeFileSync(path.join(folder, `${nth}.yaml`), "");
  expect(() => namesIn(folder)).toThrow("2,000 at most");
});

it("files of an export have names that every file system takes, each its own", () => {
  const taken = new Map<string, string>();
  const names = [
    { kind: "campaign", brand: "default", name: "Spring / Renewal: 50%?" },
    { kind: "campaign", brand: "default", name: "spring   renewal- 50" },
    { kind: "campaign", brand: "acme", name: "\u6625".repeat(100) },
    { kind: "campaign", brand: "acme", name: `${"\u6625".repeat(99)}\u590f` },
    { kind: "campaign", brand: "default", name: "../../etc/passwd" },
  ].map((document) => {
    const file = fileNameOf(document, taken);
    taken.set(file, "");
    return file;
  });
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(5);
  for (const name of names) {
    expect(Buffer.byteLength(name)).toBeLessThan(230);
    expect(path.basename(name)).toBe(name);
  }
});
