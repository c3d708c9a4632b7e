import type { Preset } from "../preset.ts";

/** The states, and the territories, whose people the federal rules protect alike. */
const UNITED_STATES = ["US", "AS", "GU", "MP", "PR", "UM", "VI"] as const;

export const usFederal: Preset = {
  id: "us-federal",
  version: "2026.1",
  title: "United States: federal rules for telephone solicitation",
  reviewed: "2026-11-25",
  countries: UNITED_STATES,
  needs: [],
  rules: [
    {
      id: "us.hours",
      where: "United States",
      places: UNITED_STATES,
      kind: "hours",
      hours: { daily: ["08:00-21:00"] },
      source: "47 CFR § 64.1200(c)(1) (TCPA rules); 16 CFR § 310.4(c) (Telemarketing Sales Rule)",
      url: "https://www.ecfr.gov/current/title-47/section-64.1200",
      dated: "1992-12-20",
      note: "By the called party's local time, wherever their number is from.",
    },
    {
      id: "us.consent",
      where: "United States",
      places: UNITED_STATES,
      kind: "consent",
      consent: "required_for_ai_voice",
      source:
        "47 U.S.C. § 227(b)(1); 47 CFR § 64.1200(a)(2)-(3); FCC 24-17 (AI voices are artificial voices)",
      url: "https://docs.fcc.gov/public/attachments/FCC-24-17A1.pdf",
      dated: "2024-02-08",
    },
  ],
};
