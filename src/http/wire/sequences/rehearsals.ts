import { z } from "zod";

import type { BranchJson, WayJson } from "../../../contacts/rehearsed-sequence.ts";

const instant = z.iso.datetime();

const wayShape = {
  points: z.array(
    z.object({
      at: instant,
      step: z.string().nullable(),
      what: z.string(),
      detail: z.record(z.string(), z.unknown()),
    }),
  ),
  end: z.object({ at: instant, outcome: z.string(), reason: z.string() }).optional(),
  cut: z.object({ at: instant, why: z.string() }).optional().describe("It goes on, and that is not walked."),
  get fork() {
    return z
      .object({
        at: instant,
        step: z.string(),
        about: z.string().describe("What decides: call, event, action, split or branch."),
        ways: z.array(rehearsedBranchSchema),
      })
      .optional();
  },
};

/** One way of a fork. */
export const rehearsedBranchSchema: z.ZodType<BranchJson> = z.lazy(() =>
  z.object({
    when: z
      .array(z.string())
      .describe("What leads here: dispositions, `event`, `timeout`, `done` and so on."),
    tries: z.array(instant).describe("Of a call: when its tries are made."),
    ...wayShape,
  }),
);

/** What happens on the way to its end, or to where nobody can know what comes. */
export const rehearsedWaySchema: z.ZodType<WayJson> = z.lazy(() => z.object(wayShape));

/** The ways that one person may take through a sequence: the document of `outdial sequence rehearse --json`. */
export const sequenceRehearsalSchema = z.object({
  sequence: z.string(),
  phone: z.string(),
  zones: z.array(z.string()),
  from: instant,
  way: rehearsedWaySchema,
  ends: z.int().describe("Ends that are shown; 64 at most."),
  not_walked: z.record(z.string(), z.array(z.string())).describe("Dispositions that are not shown, by step."),
  blackouts: z.int().nullable().describe("How many are to come."),
});
