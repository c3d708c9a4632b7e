import fs from "node:fs";
import path from "node:path";

import { MOST_PHONES } from "../../domain/campaigns/platform-profile.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";

/**
 * The phones that a qualification may ring: those of the file, each once, and no other. A row that can't be read
 * is refused rather than passed over, as is a longer file: it is somebody's list of contacts.
 *
 * @throws CliError
 */
export async function readPhones(
  file: string,
  map: Readonly<Record<string, string>>,
  defaultRegion: string | undefined,
): Promise<string[]> {
  const phones = new Set<string>();
  const { openContacts } = await import("../../contacts/read-contacts.ts");
  const { chunks } = await openContacts(fs.createReadStream(file), {
    fileName: path.basename(file),
    map,
    ...(defaultRegion !== undefined && { defaultRegion }),
    chunkRows: MOST_PHONES + 1,
  });
  for await (const { rows } of chunks) {
    for (const row of rows) {
      if (row.kind === "rejected") {
        throw new CliError(`${file}, line ${row.line}: ${row.reason}`, EXIT.badInput);
      }
      phones.add(row.phone);
      if (phones.size > MOST_PHONES) {
        throw new CliError(
          `${file} has more than ${MOST_PHONES} numbers: name phones of your own, not a list of contacts`,
          EXIT.badInput,
        );
      }
    }
  }
  if (phones.size === 0) {
    throw new CliError(`${file} names no phone: add one of your own, with a header \`phone\``, EXIT.badInput);
  }
  return [...phones];
}
