import { createRequire } from "node:module";
import { z } from "zod";

const packedSchema = z.object({ zones: z.array(z.string()), links: z.array(z.string()) });

/**
 * The names of the IANA time zone database, of the release that we ship. The client's own package has this list written
 * out in the place of this module (scripts/platform-package.mjs).
 */
export function zoneNames(): readonly string[] {
  const packed = createRequire(import.meta.url)("moment-timezone/data/packed/latest.json");
  const { zones, links } = packedSchema.parse(packed);
  // A zone is packed behind its name, a link before it.
  return [
    ...zones.map((zone) => zone.slice(0, zone.indexOf("|"))),
    ...links.map((link) => link.slice(link.indexOf("|") + 1)),
  ];
}
