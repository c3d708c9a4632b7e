import type { Preset } from "../preset.ts";

const PRACTICE = {
  where: "wherever no preset that is named speaks of",
  places: "elsewhere",
  source: "Practice",
  url: "https://github.com/commenthol/date-holidays",
  dated: "2026-11-25",
} as const;

export const careful: Preset = {
  id: "careful",
  version: "2026.1",
  title: "Careful: office hours, no holidays, two calls a day",
  reviewed: "2026-11-25",
  countries: [],
  needs: [],
  rules: [
    {
      id: "careful.hours",
      kind: "hours",
      hours: { weekdays: ["09:00-18:00"] },
      ...PRACTICE,
      note: "Within the hours of every law that is listed here, but for those of France and Kentucky, and the afternoon in Maine: name those presets.",
    },
    { id: "careful.holidays", kind: "holidays", holidays: "own", ...PRACTICE },
    { id: "careful.calls", kind: "calls", attempts: 2, within: "24h", ...PRACTICE },
  ],
};
