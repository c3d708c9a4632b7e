import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

import {
  anchorsOf,
  projectFolder,
  readDocument,
  readDocuments,
  readText,
  type Document,
} from "./support/documents.ts";

function linksIn({ prose }: Document): { target: string; line: number }[] {
  return prose.flatMap((line, index) =>
    [...line.replaceAll(/`[^`]*`/g, "").matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => ({
      target,
      line: index + 1,
    })),
  );
}

function faultOf(document: Document, target: string): string | undefined {
  if (target.startsWith("https://")) return undefined;
  if (/^[a-z]+:/.test(target)) return "is no https address";
  const [file = "", anchor] = target.split("#");
  const name = file === "" ? document.name : path.join(path.dirname(document.name), file);
  if (!fs.existsSync(path.join(projectFolder, name))) return "leads nowhere";
  if (anchor === undefined) return undefined;
  return anchorsOf(readDocument(name)).has(anchor) ? undefined : "names a heading that is not there";
}

describe("links", () => {
  it.each(readDocuments())("of $name lead somewhere", (document) => {
    const faults = linksIn(document).flatMap(({ target, line }) => {
      const fault = faultOf(document, target);
      return fault === undefined ? [] : [`${document.name}:${line}: ${target} ${fault}`];
    });
    expect(faults).toEqual([]);
  });

  it("reach every page from README.md", () => {
    const reached = new Set<string>();
    const visit = (name: string) => {
      if (reached.has(name)) return;
      reached.add(name);
      for (const { target } of linksIn(readDocument(name))) {
        const [file = ""] = target.split("#");
        if (file.endsWith(".md") && !file.includes(":")) visit(path.join(path.dirname(name), file));
      }
    };
    visit("README.md");
    expect(
      readDocuments()
        .map(({ name }) => name)
        .filter((name) => !reached.has(name)),
    ).toEqual([]);
  });

  it("from source files lead to pages that are there", () => {
    const missing = ["src", "test", "bench", "scripts"].flatMap((folder) =>
      fs
        .readdirSync(path.join(projectFolder, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => /\.(?:ts|mts|mjs)$/.test(name))
        .flatMap((name) => {
          const file = path.join(folder, name);
          const pages = [...readText(file).matchAll(/\bdocs\/[\w/-]+\.md\b/g)].map(([page]) => page);
          return pages
            .filter((page) => !fs.existsSync(path.join(projectFolder, page)))
            .map((page) => `${file}: ${page}`);
        }),
    );
    expect(missing).toEqual([]);
  });
});
