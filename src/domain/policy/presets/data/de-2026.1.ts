import type { Preset } from "../preset.ts";

export const germany: Preset = {
  id: "de",
  version: "2026.1",
  title: "Germany: practice for hours, and § 7 UWG",
  reviewed: "2026-11-25",
  countries: ["DE"],
  needs: [],
  rules: [
    {
      id: "de.hours",
      where: "Germany",
      places: ["DE"],
      kind: "hours",
      hours: { weekdays: ["09:00-20:00"], saturday: ["10:00-16:00"] },
      source: "Practice",
      url: "https://www.gesetze-im-internet.de/uwg_2004/__7.html",
      dated: "2024",
      note: "No statute has hours for calls that were consented to. An hour at which nobody expects a call may be a nuisance under § 7 UWG; Sundays are days of rest (art. 140 GG).",
    },
    {
      id: "de.holidays",
      where: "Germany",
      places: ["DE"],
      kind: "holidays",
      holidays: ["DE", "DE-BE", "DE-BY", "DE-SL", "DE-SN", "DE-TH"],
      source: "Art. 140 GG; the holiday acts of the Länder",
      url: "https://www.gesetze-im-internet.de/gg/art_140.html",
      dated: "1949-05-24",
      note: "These Länder have, together, the holidays of all: no mobile number says in which one its owner is.",
    },
    {
      id: "de.consent",
      where: "Germany",
      places: ["DE"],
      kind: "consent",
      consent: "required_for_ai_voice",
      source: "§ 7 Abs. 2 Nr. 1 and 2, § 7a UWG",
      url: "https://www.gesetze-im-internet.de/uwg_2004/__7a.html",
      dated: "2021-10-01",
    },
  ],
};
