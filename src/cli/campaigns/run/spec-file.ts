import { readCampaignSpec, type CampaignSpec } from "../../../domain/campaigns/campaign-spec.ts";
import { readDefinitionFile } from "../../definition-file.ts";
import { LARGEST_YAML_BYTES } from "../../yaml-file.ts";

/**
 * Reads a campaign from a YAML or JSON file, with or without its `kind`.
 *
 * @throws CliError with every problem at once, each with its line and field.
 */
export function readSpecFile(file: string): CampaignSpec {
  return readDefinitionFile(file, {
    kind: "campaign",
    largestBytes: LARGEST_YAML_BYTES,
    read: (value) => {
      const reading = readCampaignSpec(value);
      return reading.ok ? { ok: true, definition: reading.spec } : reading;
    },
  });
}
