import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the project. */
export const projectFolder = fileURLToPath(new URL("../../..", import.meta.url));

export interface Fence {
  /** What stands behind the opening backticks. */
  language: string;
  text: string;
  /** Of its first line. */
  line: number;
}

/** A page of the documents, taken apart. */
export interface Document {
  /** From the project's folder. */
  name: string;
  text: string;
  fences: readonly Fence[];
  /** Everything outside fences, line by line; fenced lines are empty. */
  prose: readonly string[];
}

export function readText(name: string): string {
  return fs.readFileSync(path.join(projectFolder, name), "utf8");
}

/** Every page that readers are given. */
export function readDocuments(): Document[] {
  const pages = fs
    .readdirSync(path.join(projectFolder, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => path.join("docs", name));
  return ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", ...pages.sort()].map(readDocument);
}

export function readDocument(name: string): Document {
  const text = readText(name);
  const fences: Fence[] = [];
  const prose: string[] = [];
  let open: { language: string; lines: string[]; line: number } | undefined;
  for (const [index, line] of text.split("\n").entries()) {
    const mark = /^ *```(.*)$/.exec(line);
    prose.push(open || mark ? "" : line);
    if (!mark) open?.lines.push(line);
    else if (open) {
      fences.push({ language: open.language, text: open.lines.join("\n"), line: open.line });
      open = undefined;
    } else open = { language: mark[1] ?? "", lines: [], line: index + 2 };
  }
  if (open) throw new Error(`${name}: the code that begins on line ${open.line} does not end`);
  return { name, text, fences, prose };
}

/** What stands between backticks in running text, each with its line. */
export function inlineCodes({ prose }: Document): { text: string; line: number }[] {
  return prose.flatMap((line, index) =>
    [...line.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => ({ text, line: index + 1 })),
  );
}

/** The anchors that a page's headings make, as GitHub makes them. */
export function anchorsOf({ prose }: Document): Set<string> {
  const anchors = new Set<string>();
  for (const line of prose) {
    const heading = /^#{1,6} +(.+?) *$/.exec(line)?.[1];
    if (heading === undefined) continue;
    const plain = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const slug = plain.replaceAll(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-");
    let anchor = slug;
    for (let nth = 1; anchors.has(anchor); nth += 1) anchor = `${slug}-${nth}`;
    anchors.add(anchor);
  }
  return anchors;
}
