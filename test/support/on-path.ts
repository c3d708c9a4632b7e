import fs from "node:fs";
import path from "node:path";

/** The file of a program on PATH. */
export function onPath(name: string): string | undefined {
  return (process.env["PATH"] ?? "")
    .split(path.delimiter)
    .map((folder) => path.join(folder, name))
    .find((file) => fs.existsSync(file));
}
