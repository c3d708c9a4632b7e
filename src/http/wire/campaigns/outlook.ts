import { z } from "zod";

const instant = z.iso.datetime();
const count = z.int().min(0);
const range = z.object({ low: z.number(), median: z.number(), high: z.number() });
const due = z.object({
  first: count.describe("First calls."),
  retries: count,
});

export const outlookSchema = z.object({
  at: instant.describe("Of this moment it is, for all who ask for a while."),
  funnel: z
    .array(
      z.object({
        call: count.describe("Which of their calls; 0: before the first."),
        contacts: count.describe("Everybody who came that far."),
        done: z.record(z.string(), count).describe("For whom it was the last one, by what they came to."),
        excluded: count,
        open: count.describe("Who wait for another one, or are being called."),
      }),
    )
    .describe("How far people came, call by call."),
  due: z.object({
    now: due.describe("Due already: hours, lines and rules hold them back, or nothing does."),
    hours: z.array(due.extend({ from: instant })).describe("Who falls due in each of the next 48 hours."),
    later: due,
  }),
  zones: z
    .array(
      z.object({
        zones: z.array(z.string()),
        places: z.array(z.string()),
        contacts: count.describe("Who are open there."),
        open: z
          .array(z.object({ from: instant, until: instant }))
          .describe("When they may be called within the next 24 hours, by hours and days off."),
        local: z
          .array(z.object({ at: z.iso.datetime({ offset: true }), zones: z.array(z.string()) }))
          .describe("What the clocks there showed at `at`."),
      }),
    )
    .describe("By where people are, most first."),
  /** There are more zones. */
  more_zones: z.boolean(),
  forecast: z
    .object({
      from: instant.describe("From when on: now, or when it may begin."),
      end: z
        .object({ low: instant, median: instant, high: instant })
        .describe("When everybody is through: a tenth of the runs are before `low`, a tenth behind `high`."),
      calls: range.describe("Calls still to be made."),
      open: range.describe("People who were not through within a year."),
      calls_by_hour: z.array(z.object({ from: instant, calls: z.number() })).max(168),
      lines: count.describe("Calls that it may have up at once."),
      outcomes_from: z.string().describe("Whose outcomes calls are taken to come to."),
      runs: count,
      people: count.describe("So many were rehearsed, and stand for all who are open."),
    })
    .nullable(),
  forecast_unknown: z.string().nullable().describe("Why there is no forecast."),
});
