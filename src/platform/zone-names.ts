import { createRequire } from "node:module";
import { z } from "zod";

const packedSchema = z.object({ zones: z.array(z.string()), links: z.array(z.string()) });

let known: ReadonlySet<string> | undefined;

/** Whether it is a name of the IANA time zone database, in any case. What Node knows of it is as old as its build. */
export function isZoneName(name: string): boolean {
  known ??= readNames();
  return known.has(name.toLowerCase());
}

/** A zone is packed behind its name, a link before it. */
function readNames(): Set<string> {
  const packed = createRequire(import.meta.url)("moment-timezone/data/packed/latest.json");
  const { zones, links } = packedSchema.parse(packed);
  return new Set([
    ...zones.map((zone) => zone.slice(0, zone.indexOf("|")).toLowerCase()),
    ...links.map((link) => link.slice(link.indexOf("|") + 1).toLowerCase()),
  ]);
}
