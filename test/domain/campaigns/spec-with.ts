import { readStoredSpec, type CampaignSpec } from "../../../src/domain/campaigns/campaign-spec.ts";

/** A campaign's spec that says this, beside the least that one has to say. @throws where it is none. */
export function specWith(changes: object): CampaignSpec {
  const reading = readStoredSpec({
    name: "spring",
    agent_id: "agent",
    from_numbers: ["+12025550100"],
    concurrency: 5,
    ...changes,
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.spec;
}
