import { HOUR_MS, MINUTE_MS, rulesUnder, type Dial, type Person, type Rules } from "./dial-oracle.ts";
import { running, type Planned, type Running } from "./dial-records.ts";
import { specOf } from "./scenario.ts";

/* Dials, and what was in force at them, for those who judge: fair ones, of which a test changes what it is about. */

export const NOON_MS = Date.UTC(2026, 10, 25, 17);
export const ANN: Person = {
  phone: "+442079460115",
  country: "GB",
  costly: undefined,
  zones: ["Europe/London"],
  consentedAtMs: undefined,
  places: ["GB"],
  worth: 5,
};

export type Spec = Parameters<typeof specOf>[0];

export function campaignOf(changes: Spec = {}): Running {
  const spec = specOf({ from_numbers: ["+12025550100", "+442079460100"], ...changes });
  return running({ id: "one", brand: "one", spec });
}

export function rulesOf(changes: Spec = {}): Rules {
  return { ...rulesUnder(specOf(changes)), beganMs: NOON_MS - HOUR_MS };
}

export function dialAt(atMs: number, changes: Partial<Dial> = {}): Dial {
  return {
    campaign: "one",
    parent: undefined,
    brand: "one",
    contact: 1,
    person: ANN,
    from: "+12025550100",
    variant: undefined,
    batch: "batch",
    atMs,
    startMs: atMs,
    endMs: atMs + MINUTE_MS,
    isLate: false,
    disposition: "no_answer",
    rules: rulesOf(),
    ...changes,
  };
}

export function plannedOf(campaign: Running, changes: Partial<Planned> = {}): Planned {
  const [spec = specOf()] = campaign.specs;
  return {
    id: "batch",
    campaign,
    planning: 1,
    plannedMs: NOON_MS,
    begunMs: NOON_MS,
    spec,
    rules: { ...rulesOf(), spec },
    called: [{ phone: ANN.phone, contact: 1 }],
    from: "+12025550100",
    variant: undefined,
    size: 1,
    slots: 1,
    ...changes,
  };
}
