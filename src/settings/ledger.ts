import os from "node:os";
import path from "node:path";
import { z } from "zod";

import { number, setting, type Environment, type ValuesOf } from "./setting.ts";

export const LEDGER_SETTINGS = {
  OUTDIAL_DATA_DIR: setting({
    schema: z.string().min(1).optional(),
    meaning:
      "Folder of the embedded ledger and of Temporal's data. One running system a folder; several folders live beside each other.",
    example: "/var/lib/outdial",
    default: "$XDG_DATA_HOME/outdial, or ~/.local/share/outdial",
  }),
  DATABASE_URL: setting({
    schema: z.url({ protocol: /^postgres(?:ql)?$/, error: "must be a postgres:// address" }).optional(),
    meaning: "PostgreSQL 15 or later for the ledger. Absent: the embedded ledger in the data folder.",
    example: "postgres://outdial@db.internal/outdial",
    secret: true,
  }),
  OUTDIAL_DATABASE_CONNECTIONS: setting({
    schema: number.int().min(2, "must be 2 or more").max(200).default(10),
    meaning: "Connections to PostgreSQL that this process may open.",
    example: "20",
    default: "10",
  }),
  OUTDIAL_MIGRATE: setting({
    schema: z.enum(["auto", "never"], { error: "must be auto or never" }).default("auto"),
    meaning:
      "Whether a start brings the schema of a ledger on PostgreSQL up to date, or leaves that to `outdial migrate`. The embedded ledger always does it itself.",
    example: "never",
    default: "auto",
  }),
} as const;

/** Where the ledger is, and what else lies on this machine's disk. */
export interface LedgerSettings {
  readonly dataDir: string;
  /** Whether somebody chose that folder, or it is the usual one. */
  readonly dataDirGiven: boolean;
  readonly cacheDir: string;
  readonly databaseUrl: string | undefined;
  readonly databaseConnections: number;
  /** Whether a start changes the schema of a ledger on PostgreSQL. */
  readonly migrate: "auto" | "never";
}

export function readLedgerSettings(
  values: ValuesOf<typeof LEDGER_SETTINGS>,
  environment: Environment,
  givenDir: string | undefined,
): LedgerSettings {
  const chosenDir = givenDir ?? values.OUTDIAL_DATA_DIR;
  const home = os.homedir();
  const data = environment["XDG_DATA_HOME"] || path.join(home, ".local", "share");
  return {
    dataDir: path.resolve(chosenDir ?? path.join(data, "outdial")),
    dataDirGiven: chosenDir !== undefined,
    cacheDir: path.join(environment["XDG_CACHE_HOME"] || path.join(home, ".cache"), "outdial"),
    databaseUrl: values.DATABASE_URL,
    databaseConnections: values.OUTDIAL_DATABASE_CONNECTIONS,
    migrate: values.OUTDIAL_MIGRATE,
  };
}
