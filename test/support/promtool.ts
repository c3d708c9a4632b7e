import fs from "node:fs";
import path from "node:path";

/**
 * Prometheus' own tool, of Debian's package `prometheus`; undefined: it is not installed, and what needs it is skipped,
 * loudly. In CI that is a failure.
 */
export const promtool: string | undefined = find();

function find(): string | undefined {
  const found = (process.env["PATH"] ?? "")
    .split(path.delimiter)
    .map((folder) => path.join(folder, "promtool"))
    .find((file) => fs.existsSync(file));
  if (found !== undefined) return found;
  if (process.env["CI"])
    throw new Error("promtool is not installed (apt-get install prometheus), and in CI its tests must run");
  console.warn(
    "promtool is not installed (apt-get install prometheus): tests of alerts and metrics that need it are skipped",
  );
  return undefined;
}
