import type { Config } from "../../config.ts";
import { needsOf } from "../../domain/ground/needs.ts";
import type { CliPorts } from "../context.ts";
import { findMissing } from "../find-missing.ts";
import { countText } from "../view/words.ts";
import { fail, ok, type Check } from "./check.ts";

/** Whether what a definition needs is there: hosts, secrets, automations and sequences. */
export async function checkNeeds(config: Config, ports: CliPorts, definition: unknown): Promise<Check[]> {
  const needs = needsOf(definition);
  if (needs.length === 0) return [];
  const missing = await findMissing(config, ports, definition);
  if (missing.length === 0)
    return [
      ok("needs", `${countText(needs.length, "field")} that need something: nothing is known to be missing`),
    ];
  return missing.map(({ field, problem }) =>
    fail("needs", `${field}: ${problem}`, "mend it before the first call: what needs it fails for everybody"),
  );
}
