import path from "node:path";

import type { CitedPolicyWire, StoryEntryWire, StoryWire } from "../../http/wire/people.ts";
import { provenMoment, withProvenMoments } from "../view/local-times.ts";
import { printable } from "../view/printable.ts";
import { countText } from "../view/words.ts";
import {
  checkWord,
  countsText,
  leftOut,
  placeText,
  ruleText,
  spanText,
  suppressedText,
  VERDICT_TEXTS,
  verdictOf,
  zonesFrom,
} from "./story-words.ts";

/*
 * A story as one page for somebody outside: it loads nothing, runs nothing, and everything in it that came from lists,
 * calls and other systems is text (`html` escapes whatever is put into it).
 */

/** A file to be handed on. */
export interface EvidenceFile {
  path: string;
  /** Of its bytes, hexadecimal. */
  sha256: string;
}

/** A piece of the page, whose texts are escaped. */
class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | readonly Html[];

/** What is put into it is escaped, unless it is a piece of the page itself. */
function html(pieces: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const told = parts.map((part) => {
    if (part instanceof Html) return part.text;
    return typeof part === "object" ? part.map(({ text }) => text).join("") : escaped(String(part));
  });
  return new Html(pieces.reduce((text, piece, index) => `${text}${told[index - 1] ?? ""}${piece}`));
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return printable(text)
    .replaceAll("\u001B", "\uFFFD")
    .replaceAll(/[&<>"']/g, (sign) => ESCAPES[sign] ?? "");
}

/** The page, whole. @param document the same as a file for programs */
export function storyPage(story: StoryWire, document: EvidenceFile): string {
  const { entries, policies, next_after: after } = story;
  const none = html`<p>Nothing of it is in the stretch of time, or of the brand, that was asked for.</p>`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
        <meta name="referrer" content="no-referrer" />
        <title>What is known of ${story.phone}</title>
        <style>
          ${new Html(STYLE)}
        </style>
      </head>
      <body>
        <h1>What is known of ${story.phone}</h1>
        ${headTable(story, document)} ${after === null ? [] : [html`<p class="no">${leftOut(story)}</p>`]}
        <h2>What happened</h2>
        ${entries.length === 0 ? none : entries.map((entry) => entrySection(entry, story))}
        ${policies.length === 0 ? [] : [policySection(policies)]} ${howToRead(story)}
      </body>
    </html> `.text;
}

function row(name: string, value: Part): Html {
  return html`<tr>
    <th scope="row">${name}</th>
    <td>${value}</td>
  </tr> `;
}

function headTable(story: StoryWire, document: EvidenceFile): Html {
  const { brand, since, until, zones, places, suppressed, zone_data: zoneData } = story;
  const day = zoneData.released_on === null ? "" : ` of ${zoneData.released_on}`;
  return html`<table class="head">
    ${row("Number", `${story.phone}${story.country === null ? "" : ` (${story.country})`}`)}
    ${row("In all", countsText(story, countText))}
    ${row("Time zones", zones.length === 0 ? "none known" : `${zones.join(", ")} (${zonesFrom(story)})`)}
    ${places.length === 0 ? [] : [row("Places", places.join(", "))]}
    ${row(
      "Suppressed now",
      suppressed.length === 0
        ? "no"
        : suppressed.map((one) => html`<div>${withProvenMoments(suppressedText(one), zones)}</div>`),
    )}
    ${row("Brand", brand ?? "every brand")}
    ${row("From", since === null ? "the beginning" : provenMoment(since, []))}
    ${row("To", until === null ? "the moment when this was made" : provenMoment(until, []))}
    ${row("Made at", provenMoment(story.made_at, []))}
    ${row("Made by", `Outdial ${story.outdial}, installation ${story.installation_id}${story.simulated ? ": its calls are simulated, and nobody's phone rang" : ""}`)}
    ${row("Time zone data", `IANA ${zoneData.version}${day}`)}
    ${row("The same for programs", html`${path.basename(document.path)}, SHA-256 <code>${document.sha256}</code>`)}
  </table>`;
}

function entrySection(entry: StoryEntryWire, story: StoryWire): Html {
  const zones = entry.local.flatMap((clock) => clock.zones);
  const told = (text: string) => withProvenMoments(text, zones.length > 0 ? zones : story.zones);
  const place = placeText(entry);
  return html`<section class="${entry.kind}">
    <h3>${spanText(entry, zones)}</h3>
    <p class="what">${told(entry.what)}</p>
    ${place === "" ? [] : [html`<p class="place">${place}${policyLink(entry)}</p>`]}
    ${entry.local.length < 3 ? [] : [clocks(entry)]} ${checks(entry, told)} ${factLine(entry, told)}
  </section> `;
}

function factLine({ facts }: StoryEntryWire, told: (text: string) => string): readonly Html[] {
  const each = Object.entries(facts)
    .filter(([, value]) => value !== null && value !== "")
    .map(([name, value]) => {
      const text = Array.isArray(value) ? value.join(", ") : String(value);
      return html`<span><b>${name.replaceAll("_", " ")}</b> ${told(text)}</span> `;
    });
  return each.length === 0 ? [] : [html`<p class="facts">${each}</p>`];
}

function policyLink({ campaign, policy_version: version }: StoryEntryWire): Html {
  if (campaign === null || version === null) return html``;
  return html` (<a href="#${anchorOf(campaign.id, version)}">its rules</a>)`;
}

function anchorOf(campaignId: string, version: number): string {
  return `policy-${campaignId}-${version}`;
}

function clocks({ local }: StoryEntryWire): Html {
  return html`<table class="clocks">
    ${local.map(({ at, zones }) => row(`${at.slice(0, 10)} ${at.slice(11, 19)} (${at.slice(19)})`, zones.join(", ")))}
  </table>`;
}

const CHECK_CLASSES = { yes: "yes", no: "no", "?": "unknown" } as const;

function checks(entry: StoryEntryWire, told: (text: string) => string): readonly Html[] {
  const verdict = verdictOf(entry);
  if (verdict === undefined || entry.checks === null) return [];
  const lines = entry.checks.map(
    (check) =>
      html`<tr class="${CHECK_CLASSES[checkWord(check)]}">
        <th scope="row">${ruleText(check)}</th>
        <td>${checkWord(check)}</td>
        <td>${told(check.says)}</td>
      </tr> `,
  );
  return [
    html`<p class="${verdict === "allowed" ? "yes" : "no"}">${VERDICT_TEXTS[verdict]}:</p>
      <table class="checks">
        <thead>
          <tr>
            <th>rule</th>
            <th>allowed</th>
            <th>what the ledger shows</th>
          </tr>
        </thead>
        <tbody>
          ${lines}
        </tbody>
      </table>`,
  ];
}

function policySection(policies: readonly CitedPolicyWire[]): Html {
  const each = policies.map(
    ({ campaign_id: id, campaign, run, brand, version, by, since, rules }) =>
      html`<section class="policy" id="${anchorOf(id, version)}">
        <h3>${`${campaign} (run ${run}, brand ${brand}): version ${version}`}</h3>
        <p class="place">${`in force since ${provenMoment(since, [])}, by ${by}`}</p>
        <table class="facts">
          ${Object.entries(rules).map(([name, value]) => row(name, html`<code>${JSON.stringify(value)}</code>`))}
        </table>
      </section> `,
  );
  return html`<h2>The rules that were in force</h2>
    ${each}`;
}

function howToRead({ zone_data: zoneData }: StoryWire): Html {
  return html`<h2>How to read this</h2>
    <ul>
      <li>
        Every moment is told by the clocks of the person. Where the person may be in several time zones, the
        earliest and the latest clock are told, and calls are made only while the window is open in all of
        them. UTC stands beside it.
      </li>
      <li>Local times go by IANA's rules of release ${zoneData.version}.</li>
      <li>
        A call is permitted in one transaction of the ledger, which asks every rule; the platform rings a
        moment later. The lists of rules are a second reading of what the ledger shows of that moment, not a
        copy of what was decided then: facts that came to be known later (when a call before it really ended,
        say) are in them. "?" is what the ledger does not show.
      </li>
      <li>
        "Was not called" is one rule for one contact under one version of its policy: how often it kept the
        contact from being called, and when first and last. "Waited" is a whole campaign, or its contacts of
        these time zones.
      </li>
      <li>Secrets are left out, and so are other people's numbers where they can be told.</li>
    </ul>`;
}

const STYLE = `
:root { color-scheme: light; }
body { font: 15px/1.45 system-ui, sans-serif; color: #1a1a1a; background: #fff; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; border-bottom: 2px solid #1a1a1a; }
h3 { font-size: 1rem; margin: 0 0 .25rem; }
section { border: 1px solid #c8c8c8; border-left-width: 5px; padding: .7rem 1rem; margin: .7rem 0; break-inside: avoid; }
section.called { border-left-color: #0b6b3a; } section.refused, section.held, section.not_dialed { border-left-color: #8a5a00; }
section.suppressed, section.on_list, section.consent_withdrawn { border-left-color: #a11212; }
p { margin: .2rem 0; } .what { font-weight: 600; overflow-wrap: anywhere; } .place { color: #444; }
table { border-collapse: collapse; margin: .5rem 0; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .15rem .6rem .15rem 0; overflow-wrap: anywhere; }
th[scope=row] { font-weight: 400; color: #444; width: 12rem; } .clocks th, thead th { white-space: nowrap; }
.head th[scope=row] { font-weight: 600; color: #1a1a1a; }
.checks th[scope=row] { width: 9rem; } .checks td:nth-child(2) { width: 5rem; } .checks tr { border-top: 1px solid #e2e2e2; }
.facts { font-size: .86rem; color: #333; } .facts span { margin-right: 1rem; } .facts b { font-weight: 400; color: #666; } code { font-family: ui-monospace, monospace; font-size: .86rem; overflow-wrap: anywhere; }
.no, tr.no th, tr.no td { color: #a11212; font-weight: 600; }
@media print { body { margin: 0; max-width: none; font-size: 10.5pt; } a { color: inherit; text-decoration: none; } }
`;
