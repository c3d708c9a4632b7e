import type { CallingWindow } from "../../policy/calling-window.ts";
import type { DateSpan } from "../../policy/window-dates.ts";
import { NO_DATES } from "../../policy/window-dates.ts";
import type { AccountLines } from "../account-lines.ts";
import { policyOf, rampUpMsOf, type CampaignSpec } from "../campaign-spec.ts";
import { WindowBook } from "./lane-hours.ts";
import type { Plan } from "./plan.ts";

/** Lines that a rehearsal goes by. */
export interface PlannedLines {
  lines: number;
  /** What keeps it from having the lines that its spec says, where something does. */
  linesOf: "campaign" | "account" | "option";
}

/** Nobody else is taken to dial: it has all lines of the account, but those that are kept for others. */
export function plannedLines(
  account: AccountLines | undefined,
  spec: CampaignSpec,
  asked: number | undefined,
): PlannedLines {
  const wanted = asked ?? spec.concurrency;
  const ofAccount = account
    ? Math.min(account.limit - account.reserve, account.brands?.get(spec.brand) ?? account.limit)
    : wanted;
  if (ofAccount < wanted) return { lines: ofAccount, linesOf: "account" };
  return { lines: wanted, linesOf: asked === undefined ? "campaign" : "option" };
}

/** What a rehearsal of a spec goes by, beside it. */
export interface PlanInput extends Pick<Plan, "people" | "lines" | "rate" | "model" | "fromMs" | "shownIn"> {
  blackouts: readonly DateSpan[];
}

export function planOfSpec(spec: CampaignSpec, { blackouts, ...given }: PlanInput): Plan {
  const policy = policyOf(spec, 1);
  const window = withBlackouts(policy.window, blackouts);
  return {
    ...given,
    // Nothing is known of the ledger's sources.
    policy: { ...policy, window, requiredSources: [] },
    windows: new WindowBook(window),
    rampMs: rampUpMsOf(spec),
    isNewestFirst: spec.order === "newest_first",
  };
}

export function withBlackouts(window: CallingWindow, blackouts: readonly DateSpan[]): CallingWindow {
  if (blackouts.length === 0) return window;
  return { ...window, dates: { ...(window.dates ?? NO_DATES), blackouts } };
}
