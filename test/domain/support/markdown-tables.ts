import fs from "node:fs";

/** The cells of a document's tables, each under the text of its first heading cell. */
export function readTables(url: URL): Map<string, string[][]> {
  const tables = new Map<string, string[][]>();
  let open: string[][] | undefined;
  for (const line of fs.readFileSync(url, "utf8").split("\n")) {
    const cells = cellsOf(line);
    if (!cells) open = undefined;
    else if (open) open.push(cells);
    else tables.set(cells[0] ?? "", (open = []));
  }
  // The row of dashes under the headings.
  for (const rows of tables.values()) rows.shift();
  return tables;
}

function cellsOf(line: string): string[] | undefined {
  const row = /^\|(.*)\|$/.exec(line.trim());
  return row?.[1]?.split("|").map((cell) => cell.trim());
}

/** What stands between backticks in a cell. */
export function codesIn(cell: string | undefined): string[] {
  return [...(cell ?? "").matchAll(/`([^`]*)`/g)].map((match) => match[1] ?? "");
}
