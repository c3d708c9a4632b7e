import { microsOf, usdText } from "../../domain/campaigns/money.ts";
import type { EstimateWire } from "../../http/wire/estimates.ts";
import type { Colours } from "./colours.ts";
import { countText, numberText } from "./words.ts";

type Range = NonNullable<EstimateWire["cost"]>;

/** What a campaign is likely to cost, and what there is to pay it from. */
export function estimateLines(estimate: EstimateWire, colours: Colours): string[] {
  const { cost, per_contact: perContact, contacts, unknown } = estimate;
  const left = leftLines(estimate, colours);
  if (!perContact) return [`cost: not known: ${unknown ?? "the platform names no price"}`, ...left];
  const what = cost
    ? `${rangeText(cost)} for ${countText(contacts, "contact")}`
    : `${rangeText(perContact)} a contact (none is on it yet)`;
  const { per_minute: perMinute, minutes, calls } = estimate;
  const price = perMinute === null ? "" : `at ${usd(perMinute)} a minute, the platform's estimate`;
  return [
    `cost: likely ${what}`,
    cost
      ? `  ${numberText(Math.round(calls.median))} calls, ${numberText(Math.round(minutes.median))} minutes of talk ${price}`
      : `  ${price}`,
    `  outcomes: ${estimate.outcomes_from}`,
    ...left,
  ];
}

function leftLines({ left }: EstimateWire, colours: Colours): string[] {
  return left.map(({ of, period, usd: amount, enough }) => {
    const whose = of === "account" ? "the platform's account has" : `the budget of ${named(of)} has`;
    const text = `  ${whose} ${usd(amount)}${LEFT[period]}`;
    if (enough === "no") return colours.yellow(`${text}: not enough, it waits for more when that is used up`);
    return enough === "likely" ? `${text}: likely enough, and not surely` : text;
  });
}

const LEFT = { balance: " for calls to come", total: " left", day: " left today" } as const;

function named(of: string): string {
  return of === "campaign" ? "this campaign" : of;
}

function rangeText({ low, median, high }: Range): string {
  const [from, to] = [usd(low), usd(high)];
  return from === to
    ? usd(median)
    : `${usd(median)} (${from.replace("USD ", "")} to ${to.replace("USD ", "")})`;
}

function usd(amount: number): string {
  return usdText(microsOf(amount));
}
