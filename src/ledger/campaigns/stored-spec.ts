import { campaignSpecSchema, type CampaignSpec } from "../../domain/campaigns/campaign-spec.ts";

/*
 * Specs as the ledger has them. Each is held against the schema when it is read, since a ledger may be older than the
 * program; and a campaign's row is read under its lock some ten times a batch, each time with the spec that it had. So
 * what was read is kept by its words: the same words are the same spec.
 */

/** The newest, of as many campaigns as dial at once in one process, and more. */
const MOST_KEPT = 200;

/** A spec of more letters is read each time: what is kept has a bound of some megabytes. */
const MOST_LETTERS = 10_000;

const kept = new Map<string, CampaignSpec>();

/** A spec that is stored, with the defaults of this program. Nobody changes it: others have the same one. */
export function storedSpec(stored: unknown): CampaignSpec {
  const words = JSON.stringify(stored);
  const known = kept.get(words);
  if (known !== undefined) {
    // Behind all others: those that nobody reads any more go first.
    kept.delete(words);
    kept.set(words, known);
    return known;
  }
  const spec = campaignSpecSchema.parse(stored);
  if (words.length > MOST_LETTERS) return spec;
  freeze(spec);
  kept.set(words, spec);
  const [oldest] = kept.keys();
  if (oldest !== undefined && kept.size > MOST_KEPT) kept.delete(oldest);
  return spec;
}

/** Whoever changes it all the same is told, and changes nothing. */
function freeze(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  Object.freeze(value);
  for (const part of Object.values(value)) freeze(part);
}
