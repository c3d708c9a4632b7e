import { z } from "zod";

import { ENDLESS_LINES, type AccountLines } from "../domain/campaigns/account-lines.ts";
import { listed, number, setting, type ValuesOf } from "./setting.ts";

const lineCount = number.int("must be a whole number").max(100_000, "must be 100000 or less");

/** `brand=calls`, separated by commas. */
const brandLines = z
  .string()
  .default("")
  .transform((text, context) => {
    const lines = new Map<string, number>();
    for (const entry of listed(text, ",")) {
      const [, brand = "", count = ""] = /^([a-z0-9][a-z0-9._-]*)\s*=\s*(\d+)$/.exec(entry) ?? [];
      const calls = Number(count);
      if (brand === "" || calls < 1 || calls > ENDLESS_LINES || lines.has(brand)) {
        context.addIssue({
          code: "custom",
          message: `must be brand=calls, each brand once, with 1 to ${ENDLESS_LINES} calls, separated by commas (${entry} is not)`,
        });
      }
      lines.set(brand, calls);
    }
    return lines;
  });

export const CAMPAIGN_SETTINGS = {
  OUTDIAL_CONCURRENCY: setting({
    schema: lineCount.min(1, "must be 1 or more").optional(),
    meaning:
      "How many calls may be up at once over all campaigns, callbacks and sequences, which share them by their weights. The same for every process that dials.",
    example: "70",
    default: "each campaign's own concurrency alone",
  }),
  OUTDIAL_CONCURRENCY_RESERVE: setting({
    schema: lineCount.min(0, "must be 0 or more").default(0),
    meaning: "How many of these lines are kept for callbacks and calls of sequences.",
    example: "5",
    default: "0",
  }),
  OUTDIAL_CONCURRENCY_BRANDS: setting({
    schema: brandLines,
    meaning:
      "How many calls of single brands may be up at once, within the account's: brand=calls, separated by commas. The same for every process that dials.",
    example: "acme=30,beta=20",
    default: "no brand has a limit of its own",
  }),
  OUTDIAL_CALLS_PER_SECOND: setting({
    schema: number.min(0.01, "must be 0.01 or more").max(1_000, "must be 1000 or less").optional(),
    meaning:
      "How many calls may begin a second over all campaigns, callbacks and sequences: in any second, not on the average. The same for every process that dials.",
    example: "5",
    default: "as many as there are lines for",
  }),
  OUTDIAL_REQUESTS_PER_SECOND: setting({
    schema: number.min(0.5, "must be 0.5 or more").max(10_000, "must be 10000 or less").optional(),
    meaning:
      "How many requests a second all processes together send to the platform; each has an even part. What stops calls does not wait for it. The same for every process.",
    example: "50",
    default: "what the platform takes: less after a 429, then ever more again",
  }),
} as const;

/** What all campaigns share. */
export interface CampaignSettings {
  /** The account's lines, where they share them. */
  readonly account: AccountLines | undefined;
  /** How many calls may begin a second, over all campaigns. */
  readonly callsPerSecond: number | undefined;
  /** How many requests a second all processes together send to the platform. */
  readonly requestsPerSecond: number | undefined;
}

export function readCampaignSettings(
  values: ValuesOf<typeof CAMPAIGN_SETTINGS>,
  problems: string[],
): CampaignSettings {
  checkLines(values, problems);
  return {
    account: accountLines(values),
    callsPerSecond: values.OUTDIAL_CALLS_PER_SECOND,
    requestsPerSecond: values.OUTDIAL_REQUESTS_PER_SECOND,
  };
}

/** Undefined where campaigns share nothing. */
function accountLines(values: ValuesOf<typeof CAMPAIGN_SETTINGS>): AccountLines | undefined {
  const { OUTDIAL_CONCURRENCY: limit, OUTDIAL_CONCURRENCY_RESERVE: reserve } = values;
  const { OUTDIAL_CONCURRENCY_BRANDS: brands } = values;
  if (limit === undefined && brands.size === 0) return undefined;
  return { limit: limit ?? ENDLESS_LINES, reserve, ...(brands.size > 0 && { brands }) };
}

/** Lines that are kept for some are some of all, and not all of them. */
function checkLines(values: ValuesOf<typeof CAMPAIGN_SETTINGS>, problems: string[]): void {
  const { OUTDIAL_CONCURRENCY: limit, OUTDIAL_CONCURRENCY_RESERVE: reserve } = values;
  if (reserve === 0) return;
  if (limit === undefined) {
    problems.push(
      `OUTDIAL_CONCURRENCY must be set where OUTDIAL_CONCURRENCY_RESERVE is; for example OUTDIAL_CONCURRENCY=${CAMPAIGN_SETTINGS.OUTDIAL_CONCURRENCY.example}`,
    );
  } else if (reserve >= limit) {
    problems.push(
      `OUTDIAL_CONCURRENCY_RESERVE (${reserve}) must be less than OUTDIAL_CONCURRENCY (${limit}): campaigns with a list would never dial`,
    );
  }
}
