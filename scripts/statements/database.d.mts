/** A database with the ledger's schema. */
export interface Database {
  run(text: string): Promise<unknown>;
  close(): Promise<void>;
}

/** In memory, or that of an embedded ledger in its folder. */
export function openDatabase(folder?: string): Promise<Database>;
