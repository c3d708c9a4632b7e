import { z } from "zod";

import { parseDurationMs } from "../domain/time/duration.ts";
import { httpUrl, setting, type ValuesOf } from "./setting.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** A duration between two bounds, as milliseconds. */
function duration({ leastMs, mostMs, bounds }: { leastMs: number; mostMs: number; bounds: string }) {
  return z
    .string()
    .transform((text) => parseDurationMs(text) ?? Number.NaN)
    .refine((ms) => ms >= leastMs && ms <= mostMs, { message: `must be a duration such as 8h, ${bounds}` });
}

export const PEOPLE_SETTINGS = {
  OUTDIAL_PUBLIC_URL: setting({
    schema: httpUrl
      .refine((text) => URL.canParse(text) && new URL(text).pathname === "/", {
        message: "must have no path: the dashboard is at the root of its address",
      })
      .optional(),
    meaning:
      "Address at which people open the dashboard, where it is another than the server's own: that of a proxy before it. An https address makes cookies `Secure`.",
    example: "https://outdial.example.com",
    default: "the address that the server listens at",
  }),
  OUTDIAL_SESSION_IDLE: setting({
    schema: duration({ leastMs: 5 * MINUTE_MS, mostMs: 30 * DAY_MS, bounds: "of 5m to 30d" }).prefault("8h"),
    meaning: "A session in a browser that nobody uses for so long ends.",
    example: "1h",
    default: "8h",
  }),
  OUTDIAL_SESSION_LIFE: setting({
    schema: duration({ leastMs: 5 * MINUTE_MS, mostMs: 90 * DAY_MS, bounds: "of 5m to 90d" }).prefault("7d"),
    meaning: "However much it is used, a session in a browser ends after this.",
    example: "12h",
    default: "7d",
  }),
} as const;

/** How people sign in, in browsers. */
export interface PeopleSettings {
  /** Without a slash at its end. Undefined: what the server listens at. */
  readonly publicUrl: string | undefined;
  readonly sessionIdleMs: number;
  readonly sessionLifeMs: number;
}

export function readPeopleSettings(values: ValuesOf<typeof PEOPLE_SETTINGS>): PeopleSettings {
  const { OUTDIAL_PUBLIC_URL: publicUrl } = values;
  return {
    publicUrl: publicUrl === undefined ? undefined : new URL(publicUrl).origin,
    sessionIdleMs: values.OUTDIAL_SESSION_IDLE,
    sessionLifeMs: values.OUTDIAL_SESSION_LIFE,
  };
}
