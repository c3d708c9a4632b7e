import type { Preset, PresetRule } from "../preset.ts";

type Kind<Name extends PresetRule["kind"]> = Extract<PresetRule, { kind: Name }>;
type Says<Rule extends PresetRule> = Omit<
  Rule,
  "id" | "where" | "places" | "source" | "url" | "dated" | "note"
>;
/** What a rule says, in the few words that differ from state to state. */
type StateRule = (
  | Says<Kind<"hours">>
  | Says<Kind<"sundays">>
  | Says<Kind<"holidays">>
  | Says<Kind<"calls">>
  | Says<Kind<"consent">>
) & { note?: string };

interface State {
  code: string;
  name: string;
  source: string;
  url: string;
  dated: string;
  rules: readonly StateRule[];
}

const hours = (daily: string, note?: string): StateRule => ({
  kind: "hours",
  hours: { daily: [daily] },
  ...(note !== undefined && { note }),
});
const sundays: StateRule = { kind: "sundays" };
const threeADay: StateRule = {
  kind: "calls",
  attempts: 3,
  within: "24h",
  note: "The law counts calls on one subject; here every call of the brand counts.",
};
const consent: StateRule = { kind: "consent", consent: "required_for_ai_voice" };

/** Laws on recorded and artificial voices, which name no agent that listens: read as if they did. */
const RECORDED =
  "The law speaks of recorded or artificial voices, or of automatic dialing; read as meaning AI agents, too.";

/** What differs by state from the federal hours, 08:00-21:00, which hold besides. */
const STATES: readonly State[] = [
  {
    code: "AL",
    name: "Alabama",
    source: "Rules of the Alabama Public Service Commission, as DNC.com reports them",
    url: "https://dnc.com/holiday-alerts",
    dated: "2023",
    rules: [
      hours("08:00-20:00", "The rules are for telephone companies; read as if they were for everybody."),
      sundays,
      { kind: "holidays", holidays: ["US-AL"] },
    ],
  },
  {
    code: "CA",
    name: "California",
    source: "Cal. Pub. Util. Code § 2872",
    url: "https://leginfo.legislature.ca.gov/faces/codes_displaySection.xhtml?lawCode=PUC&sectionNum=2872",
    dated: "1990",
    rules: [hours("09:00-21:00", RECORDED)],
  },
  {
    code: "CT",
    name: "Connecticut",
    source: "Conn. Gen. Stat. § 42-288a, as amended by Public Act 23-98",
    url: "https://www.cga.ct.gov/current/pub/chap_743m.htm",
    dated: "2023-10-01",
    rules: [hours("09:00-20:00"), consent],
  },
  {
    code: "FL",
    name: "Florida",
    source: "Fla. Stat. § 501.616(6), § 501.059(8)",
    url: "https://www.flsenate.gov/Laws/Statutes/2025/501.616",
    dated: "2021-07-01",
    rules: [hours("08:00-20:00"), threeADay, consent],
  },
  {
    code: "IL",
    name: "Illinois",
    source: "815 ILCS 305/15 (Automatic Telephone Dialers Act)",
    url: "https://www.ilga.gov/legislation/ilcs/ilcs3.asp?ActID=2402",
    dated: "1991",
    rules: [hours("09:00-21:00", RECORDED)],
  },
  {
    code: "IN",
    name: "Indiana",
    source: "Ind. Code § 24-5-14-8",
    url: "https://iga.in.gov/laws/2025/ic/titles/24#24-5-14-8",
    dated: "1988",
    rules: [hours("09:00-20:00", RECORDED)],
  },
  {
    code: "KY",
    name: "Kentucky",
    source: "KRS § 367.46955",
    url: "https://apps.legislature.ky.gov/law/statutes/statute.aspx?id=34901",
    dated: "2002-07-15",
    rules: [hours("10:00-21:00")],
  },
  {
    code: "LA",
    name: "Louisiana",
    source: "La. R.S. 45:811; La. Pub. Serv. Comm'n General Order R-29617 § V(A)",
    url: "https://www.legis.la.gov/legis/Law.aspx?d=99761",
    dated: "2009",
    rules: [
      hours("08:00-20:00", "The order allows none to those with consent, either."),
      sundays,
      {
        kind: "holidays",
        holidays: ["US-LA"],
        note: "Days that the governor proclaims beyond these are `exceptions`, or a blackout.",
      },
    ],
  },
  {
    code: "MA",
    name: "Massachusetts",
    source: "M.G.L. c. 159C § 3; 201 CMR 12.04",
    url: "https://malegislature.gov/Laws/GeneralLaws/PartI/TitleXXII/Chapter159C/Section3",
    dated: "2003-01-01",
    rules: [hours("08:00-20:00")],
  },
  {
    code: "MD",
    name: "Maryland",
    source: "Md. Code, Com. Law § 14-4502 (Stop the Spam Calls Act of 2023)",
    url: "https://mgaleg.maryland.gov/mgawebsite/Laws/StatuteText?article=gcl&section=14-4502",
    dated: "2024-01-01",
    rules: [hours("08:00-20:00"), threeADay, consent],
  },
  {
    code: "ME",
    name: "Maine",
    source: "10 M.R.S. § 1498",
    url: "https://legislature.maine.gov/statutes/10/title10sec1498.html",
    dated: "1989",
    rules: [
      { kind: "hours", hours: { weekdays: ["09:00-17:00"] }, note: RECORDED },
      {
        kind: "calls",
        attempts: 1,
        within: "8h",
        note: `${RECORDED} It counts completed calls; here every attempt counts.`,
      },
    ],
  },
  {
    code: "MI",
    name: "Michigan",
    source: "MCL § 484.125; table of hours by Drop Cowboy",
    url: "https://www.legislature.mi.gov/Laws/MCL?objectName=mcl-484-125",
    dated: "1980",
    rules: [hours("09:00-21:00", RECORDED)],
  },
  {
    code: "MN",
    name: "Minnesota",
    source: "Minn. Stat. § 325E.30",
    url: "https://www.revisor.mn.gov/statutes/cite/325E.30",
    dated: "1987",
    rules: [hours("09:00-21:00", RECORDED)],
  },
  {
    code: "MS",
    name: "Mississippi",
    source: "Miss. Code § 77-3-723",
    url: "https://law.justia.com/codes/mississippi/title-77/chapter-3/article-17/section-77-3-723/",
    dated: "2003",
    rules: [
      hours("08:00-20:00", "By Central Time, which all of the state has."),
      sundays,
      {
        kind: "holidays",
        holidays: ["US-MS"],
        note: "The section names Sundays alone; lists of restricted dates name the state's holidays, too, and are followed.",
      },
    ],
  },
  {
    code: "NE",
    name: "Nebraska",
    source: "Neb. Rev. Stat. §§ 86-236 to 86-257; 291 Neb. Admin. Code ch. 11 § 3",
    url: "https://nebraskalegislature.gov/laws/statutes.php?statute=86-236",
    dated: "2002",
    rules: [
      {
        kind: "hours",
        hours: { weekdays: ["08:00-21:00"], saturday: ["08:00-21:00"], sunday: ["13:00-21:00"] },
        note: RECORDED,
      },
      {
        kind: "holidays",
        holidays: ["US-NE"],
        note: "The rule allows 13:00-21:00 on holidays; here they are closed.",
      },
    ],
  },
  {
    code: "NM",
    name: "New Mexico",
    source: "N.M. Stat. § 57-12-22",
    url: "https://law.justia.com/codes/new-mexico/chapter-57/article-12/section-57-12-22/",
    dated: "2003",
    rules: [hours("09:00-21:00")],
  },
  {
    code: "NV",
    name: "Nevada",
    source: "NRS 598.0918",
    url: "https://www.leg.state.nv.us/nrs/nrs-598.html#NRS598Sec0918",
    dated: "2001",
    rules: [hours("09:00-20:00")],
  },
  {
    code: "OK",
    name: "Oklahoma",
    source: "Okla. Stat. tit. 15 § 775C.4 (Telephone Solicitation Act of 2022)",
    url: "https://law.justia.com/codes/oklahoma/title-15/section-15-775c-4/",
    dated: "2022-11-01",
    rules: [hours("08:00-20:00"), threeADay, consent],
  },
  {
    code: "OR",
    name: "Oregon",
    source: "ORS 646.563 to 646.569 and 646A.370 to 646A.376, as amended by 2025 HB 3865",
    url: "https://olis.oregonlegislature.gov/liz/2025R1/Measures/Overview/HB3865",
    dated: "2026-01-01",
    rules: [hours("08:00-20:00"), threeADay],
  },
  {
    code: "PA",
    name: "Pennsylvania",
    source: "73 P.S. § 2241 and following, as amended by Act 78 of 2019",
    url: "https://www.legis.state.pa.us/cfdocs/legis/li/uconsCheck.cfm?yr=2019&sessInd=0&act=78",
    dated: "2019-12-09",
    rules: [{ kind: "holidays", holidays: ["US-PA"] }],
  },
  {
    code: "RI",
    name: "Rhode Island",
    source: "R.I. Gen. Laws § 5-61-2(2), § 5-61-3.6",
    url: "https://webserver.rilegislature.gov/Statutes/TITLE5/5-61/5-61-2.htm",
    dated: "1999",
    rules: [
      { kind: "hours", hours: { weekdays: ["09:00-18:00"], saturday: ["10:00-17:00"] } },
      {
        kind: "holidays",
        holidays: ["US-RI"],
        note: "The law names holidays from Monday to Friday; one on a Saturday is kept, too.",
      },
    ],
  },
  {
    code: "SD",
    name: "South Dakota",
    source: "SDCL § 37-30-28",
    url: "https://sdlegislature.gov/Statutes/37-30-28",
    dated: "1991",
    rules: [{ kind: "hours", hours: { weekdays: ["09:00-21:00"] }, note: RECORDED }],
  },
  {
    code: "TX",
    name: "Texas",
    source: "Tex. Bus. & Com. Code § 301.051",
    url: "https://statutes.capitol.texas.gov/Docs/BC/htm/BC.301.htm",
    dated: "2009-04-01",
    rules: [
      {
        kind: "hours",
        hours: { weekdays: ["09:00-21:00"], saturday: ["09:00-21:00"], sunday: ["12:00-21:00"] },
      },
    ],
  },
  {
    code: "UT",
    name: "Utah",
    source: "Utah Code § 13-25a-103",
    url: "https://le.utah.gov/xcode/Title13/Chapter25A/13-25a-S103.html",
    dated: "1996",
    rules: [hours("08:00-21:00"), sundays, { kind: "holidays", holidays: ["US-UT"] }],
  },
  {
    code: "WA",
    name: "Washington",
    source: "RCW 80.36.390, RCW 19.158.110",
    url: "https://app.leg.wa.gov/RCW/default.aspx?cite=80.36.390",
    dated: "2022-06-09",
    rules: [hours("08:00-20:00")],
  },
  {
    code: "WY",
    name: "Wyoming",
    source: "Wyo. Stat. § 40-12-301 and following; § 6-6-104",
    url: "https://law.justia.com/codes/wyoming/title-40/chapter-12/",
    dated: "2001",
    rules: [hours("08:00-20:00", "Found in tables of hours, and not in the text of the sections: kept.")],
  },
];

export const usStates: Preset = {
  id: "us-states",
  version: "2026.1",
  title: "United States: states that are stricter than the federal rules",
  reviewed: "2026-11-25",
  countries: ["US"],
  needs: ["us-federal"],
  rules: STATES.flatMap(({ code, name, source, url, dated, rules }) =>
    rules.map((rule) => ({
      id: `us-${code.toLowerCase()}.${rule.kind}`,
      where: name,
      places: [`US-${code}`],
      source,
      url,
      dated,
      ...rule,
    })),
  ),
};
