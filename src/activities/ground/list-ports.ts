import type { Downloads } from "../../outbound/download.ts";

/** Where the lists of recurring campaigns come from, as the settings say. */
export interface ListPorts {
  /** Files are taken from within this folder only. */
  dir: string;
  /** Lists are kept here until they are in the ledger. */
  spoolDir: string;
  /** Addresses of named databases, by the name as a variable has it: `crm-2` is `CRM_2`. Secret. */
  databases: Readonly<Record<string, string>>;
  downloads: Downloads;
}
