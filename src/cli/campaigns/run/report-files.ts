import fs from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";

import type { ReportWire } from "../../../http/wire/campaigns.ts";
import { makePrivateFolder } from "../../../ledger/ground/data-dir.ts";
import type { Api } from "../../api/client.ts";
import { reportJson, type ReportPaths } from "../../view/report.ts";

/** Where a run's files go: a folder of its own for each run of each campaign. */
export function reportFolder(
  dataDir: string,
  { brand, name, run }: Pick<ReportWire, "brand" | "name" | "run">,
): string {
  const folder = brand === "default" ? [] : [brand];
  return path.join(dataDir, "reports", ...folder, `${name}-${run}`);
}

/** Writes the files of a run into the data folder, for its owner alone: they have everybody's number. */
export async function keepReport(api: Api, report: ReportWire, dataDir: string): Promise<ReportPaths> {
  makePrivateFolder(path.join(dataDir, "reports"));
  const folder = reportFolder(dataDir, report);
  makePrivateFolder(folder);
  return writeReportFiles(api, report, folder, 0o600);
}

/**
 * Writes results, rejects and the report as files. Each is there whole or not at all; those of before go.
 *
 * @param mode of each file, less what the process's umask takes
 */
export async function writeReportFiles(
  api: Api,
  report: ReportWire,
  folder: string,
  mode = 0o666,
): Promise<ReportPaths> {
  await fs.promises.mkdir(folder, { recursive: true });
  const paths: ReportPaths = {
    results: path.join(folder, "results.csv"),
    rejects: path.join(folder, "rejects.csv"),
    report: path.join(folder, "report.json"),
  };
  await writeWhole(paths.results, async (part) => {
    await pipeline(
      await api.campaigns.download(report.campaign_id, "results.csv"),
      fs.createWriteStream(part, { mode }),
    );
  });
  await writeWhole(paths.rejects, async (part) => {
    await pipeline(
      await api.campaigns.download(report.campaign_id, "rejects.csv"),
      fs.createWriteStream(part, { mode }),
    );
  });
  await writeWhole(paths.report, (part) =>
    fs.promises.writeFile(part, `${JSON.stringify(reportJson(report, paths), undefined, 2)}\n`, { mode }),
  );
  return paths;
}

/** Writes a file that is there whole or not at all. */
export async function writeWhole(file: string, write: (part: string) => Promise<void>): Promise<void> {
  const part = `${file}.part-${process.pid}`;
  try {
    await write(part);
    await fs.promises.rename(part, file);
  } finally {
    await fs.promises.rm(part, { force: true });
  }
}
