import type { Preset } from "../preset.ts";

/** With the overseas departments and collectivities in which the Code de la consommation holds. */
const FRANCE = ["FR", "BL", "GF", "GP", "MF", "MQ", "PM", "RE", "YT"] as const;

const DECREE = {
  source: "Code de la consommation, art. D. 223-9 (décret n° 2022-1313 du 13 octobre 2022)",
  url: "https://www.legifrance.gouv.fr/jorf/id/JORFTEXT000046421823",
  dated: "2023-03-01",
} as const;

export const france: Preset = {
  id: "fr",
  version: "2026.1",
  title: "France: days, hours and frequency of telephone solicitation",
  reviewed: "2026-11-25",
  countries: FRANCE,
  needs: [],
  rules: [
    {
      id: "fr.hours",
      where: "France",
      places: FRANCE,
      kind: "hours",
      hours: { weekdays: ["10:00-13:00", "14:00-20:00"] },
      ...DECREE,
      note: "Whoever gave express prior consent may be called at other hours; here the hours hold for everybody.",
    },
    {
      id: "fr.holidays",
      where: "France",
      places: FRANCE,
      kind: "holidays",
      holidays: ["FR", "FR-BL", "FR-GF", "FR-GP", "FR-MF", "FR-MQ", "FR-RE", "FR-YT"],
      ...DECREE,
    },
    {
      id: "fr.calls",
      where: "France",
      places: FRANCE,
      kind: "calls",
      attempts: 4,
      within: "30d",
      ...DECREE,
      note: "Whoever refuses may not be called for sixty days: have such calls come to `opted_out`, or suppress with `--expires`.",
    },
    {
      id: "fr.consent",
      where: "France",
      places: FRANCE,
      kind: "consent",
      consent: "required_for_ai_voice",
      source: "Code de la consommation, art. L. 223-1 (loi n° 2025-594 du 30 juin 2025); CPCE art. L. 34-5",
      url: "https://www.legifrance.gouv.fr/loda/id/JORFTEXT000051826070/",
      dated: "2026-08-11",
    },
  ],
};
