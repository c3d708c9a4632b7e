import fs from "node:fs";
import { z } from "zod";

/** Two folders up both from the sources and from the build. */
const manifest = new URL("../../package.json", import.meta.url);

/** Outdial's own version. */
export const VERSION: string = z
  .object({ version: z.string() })
  .parse(JSON.parse(fs.readFileSync(manifest, "utf8"))).version;
