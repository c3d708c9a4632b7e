import { z } from "zod";

import type { TransferPolicy } from "../policy/dialing-policy.ts";
import { msOfDuration } from "../time/duration.ts";
import { durationBetween } from "../time/duration-schema.ts";
import { isZoneName } from "../time/zone-data.ts";
import { weeklySchema, windowOf } from "./window-spec.ts";

/** More people than this take no campaign's calls. */
const MAX_PEOPLE = 10_000;

const MIN_TALK_MS = 1_000;
const MAX_TALK_MS = 4 * 3_600_000;

/** Those who take transferred calls: their hours, and how many of them there are. */
export const transfersSchema = z
  .strictObject({
    /** In their own zone; absent: whenever calls are made. */
    hours: weeklySchema.optional(),
    timezone: z
      .string()
      .refine(isZoneName, "is no time zone: give an IANA name such as America/New_York")
      .optional(),
    /** How many calls they can be in at once; absent: as many as there are. */
    capacity: z
      .int("must be a number of people, such as 4")
      .min(1, "must be 1 or more: it is how many transferred calls can be taken at once")
      .max(MAX_PEOPLE)
      .optional(),
    /** The name of these people: campaigns and sequences of the brand that say the same share them. */
    team: z
      .string()
      .regex(
        /^[a-z0-9][a-z0-9_-]{0,62}$/,
        "may hold lower-case letters, digits, dashes and underscores, 63 at most",
      )
      .optional(),
    /** Which share of the conversations is transferred, until the campaign's own calls say. */
    expect: z
      .number()
      .gt(0, "must be a share above 0, such as 0.15 for 15 % of the conversations")
      .max(1, "must be a share of 1 at most, such as 0.15 for 15 % of the conversations")
      .optional(),
    /** How long a transferred call keeps one of them. */
    talk: durationBetween(
      MIN_TALK_MS,
      MAX_TALK_MS,
      "must be a duration from 1s to 4h such as 90s or 6m",
    ).optional(),
    /** The answer of a call's analysis that says it was transferred; absent: `expect` is never learned from calls. */
    answer: z
      .string()
      .max(110)
      .regex(
        /^analysis\.[^\p{Cc}]+$/u,
        "must be an answer of the call's analysis such as analysis.transferred",
      )
      .optional(),
  })
  .check((context) => {
    const { hours, timezone, capacity, team, expect, talk, answer } = context.value;
    const say = (field: string, message: string) =>
      void context.issues.push({ code: "custom", input: context.value, path: [field], message });
    if (hours === undefined && capacity === undefined)
      return say("hours", "is missing: say hours, capacity, or both");
    if (hours !== undefined && timezone === undefined)
      say("timezone", "is missing: say where those hours are, such as America/New_York");
    if (hours === undefined && timezone !== undefined)
      say("timezone", "says where hours are, and there are none");
    if (capacity !== undefined) {
      if (expect === undefined)
        say("expect", "is missing: say which share of the conversations is transferred, such as 0.15");
      if (talk === undefined) say("talk", "is missing: say how long a transferred call lasts, such as 6m");
      return;
    }
    for (const [field, value] of Object.entries({ team, expect, talk, answer }))
      if (value !== undefined) say(field, "is for pacing by capacity, and none is said");
  });

export type TransfersSpec = z.output<typeof transfersSchema>;

export function transferPolicyOf({
  hours,
  timezone,
  capacity,
  expect,
  talk,
  answer,
}: TransfersSpec): TransferPolicy {
  return {
    ...(hours !== undefined &&
      timezone !== undefined && { hours: { window: windowOf(hours), zone: timezone } }),
    ...(capacity !== undefined &&
      expect !== undefined &&
      talk !== undefined && {
        capacity: { people: capacity, expectedShare: expect, talkMs: msOfDuration(talk), answer },
      }),
  };
}
