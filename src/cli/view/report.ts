import { microsOf, usdText } from "../../domain/campaigns/money.ts";
import type { ReportWire } from "../../http/wire/campaigns.ts";
import type { Colours } from "./colours.ts";
import { padText, textWidth } from "./text-width.ts";
import { byCount, countText, durationText, numberText, tallyText } from "./words.ts";

/** Where the files of a report are. */
export interface ReportPaths {
  results: string;
  rejects: string;
  report: string;
}

/** A campaign's results as a person reads them. Pure. */
export function reportLines(report: ReportWire, colours: Colours): string[] {
  const { rows, contacts, attempts } = report;
  const took =
    report.started_at === null || report.ended_at === null
      ? ""
      : ` in ${durationText(Date.parse(report.ended_at) - Date.parse(report.started_at))}`;
  const reason = report.state_reason === null ? "" : ` (${report.state_reason})`;
  const retries = Math.max(0, attempts - report.contacts_dialed);
  return [
    `${colours.bold(report.name)} run ${report.run} ${report.state}${reason}${took}`,
    "",
    ...table(
      [
        [
          "rows read",
          numberText(rows.read),
          `rejected ${numberText(rows.rejected)}, duplicate ${numberText(rows.duplicate)}`,
        ],
        ["contacts", numberText(contacts.total), contactsText(contacts)],
        ["calls", numberText(attempts), `${countText(retries, "retry", "retries")}${talkText(report)}`],
        ...moneyRows(report),
      ],
      colours,
    ),
    ...outcomeTable(report, colours),
    ...excludedTable(report, colours),
    ...variantsTable(report, colours),
    ...agentVersionsTable(report, colours),
    ...overrideLines(report),
    ...afterwardsLines(report),
  ];
}

/** What of its presets a campaign did not keep to: whoever reads its results reads that, too. */
function overrideLines({ overrides }: ReportWire): string[] {
  if (overrides.length === 0) return [];
  return [
    "",
    "  rules of presets that did not hold:",
    ...overrides.map(({ rule, reason }) => `    ${rule}: ${reason}`),
  ];
}

/** What is open behind a campaign, and that it is not lost. */
function afterwardsLines({ follow_ups, callbacks }: ReportWire): string[] {
  const total = follow_ups.open + follow_ups.failed + follow_ups.done;
  if (total + callbacks.open === 0) return [];
  const failed = follow_ups.failed === 0 ? [] : [`${numberText(follow_ups.failed)} failed`];
  const { open, open_failed: openFailed } = follow_ups;
  const going =
    openFailed === 0
      ? `${numberText(open)} open`
      : `${numberText(open)} open (${numberText(openFailed)} with a failed action)`;
  const how = [going, ...failed, `${numberText(follow_ups.done)} done`].join(", ");
  return [
    "",
    ...(total === 0 ? [] : [`  follow-ups: ${how}`]),
    ...(callbacks.open === 0 ? [] : [`  callbacks: ${numberText(callbacks.open)} open`]),
    ...(follow_ups.open + callbacks.open === 0
      ? []
      : ["  what is open goes on while `outdial server` or `outdial worker` runs"]),
    ...(follow_ups.failed + openFailed === 0
      ? []
      : ["  failed ones wait for a person: `outdial attention list`"]),
  ];
}

function contactsText({ done, excluded, open }: ReportWire["contacts"]): string {
  const left = open === 0 ? "" : `, open ${numberText(open)}`;
  return `done ${numberText(done)}, excluded ${numberText(excluded)}${left}`;
}

function talkText({ talk_seconds }: ReportWire): string {
  return talk_seconds === 0 ? "" : `, ${durationText(talk_seconds * 1_000)} of talk`;
}

/** Nothing where nothing was spent: a platform that takes nothing has no price. */
function moneyRows({ money }: ReportWire): string[][] {
  const { spent, told, per_conversation: perConversation } = money;
  if (spent === 0) return [];
  const each = perConversation === null ? [] : [`${usd(perConversation)} a conversation`];
  const sure = told < spent ? [`of it ${usd(told)} by the platform's word so far`] : [];
  return [["spent", usd(spent), [...each, ...sure].join(", ")]];
}

function usd(amount: number): string {
  return usdText(microsOf(amount));
}

/** Contacts by what they came to, beside all attempts by what they came to. */
function outcomeTable(report: ReportWire, colours: Colours): string[] {
  const names = [
    ...new Set(
      [...byCount(report.dispositions), ...byCount(report.attempt_dispositions)].map(([name]) => name),
    ),
  ];
  if (names.length === 0) return [];
  const rows = table(
    [
      ["outcome", "contacts", "calls"],
      ...names.map((name) => [
        name,
        numberText(report.dispositions[name] ?? 0),
        numberText(report.attempt_dispositions[name] ?? 0),
      ]),
    ],
    colours,
    { header: true, rightAligned: 2 },
  );
  return ["", ...rows];
}

function excludedTable(report: ReportWire, colours: Colours): string[] {
  const reasons = byCount(report.excluded_reasons);
  if (reasons.length === 0) return [];
  const rows = reasons.map(([reason, count]) => [reason, numberText(count)]);
  return ["", ...table([["excluded", "contacts"], ...rows], colours, { header: true, rightAligned: 1 })];
}

/** What is compared: of each the share of people who were reached, and what it has over the first. */
export function variantsTable({ variants }: Pick<ReportWire, "variants">, colours: Colours): string[] {
  if (variants.length === 0) return [];
  const rows = variants.map(({ name, contacts, reached, reached_share: share, difference }) => [
    name,
    numberText(contacts),
    numberText(reached),
    share === null
      ? "nobody was called"
      : `${percentText(share.share)} (${percentText(share.from)} to ${percentText(share.to)})${differenceText(difference)}`,
  ]);
  return [
    "",
    ...table([["variant", "called", "reached", "share, 95 % interval"], ...rows], colours, {
      header: true,
      rightAligned: 2,
    }),
  ];
}

/** By the version of an agent that was published when calls began, where there was more than one. */
function agentVersionsTable({ agent_versions: versions }: ReportWire, colours: Colours): string[] {
  const agents = new Set(versions.map(({ agent_id: id }) => id));
  // Several agents with one version each are variants, which have their own table.
  if (versions.length <= agents.size) return [];
  const rows = versions.map(({ agent_id: id, version, attempts, changed_under_way: changed, ...rest }) => [
    id,
    version === null ? "not known" : String(version),
    numberText(attempts),
    `${tallyText(rest.attempt_dispositions)}${changed === 0 ? "" : `; another was published during or shortly before ${numberText(changed)} of them`}`,
  ]);
  return [
    "",
    ...table([["agent", "version", "calls", "came to"], ...rows], colours, { header: true, rightAligned: 2 }),
  ];
}

function differenceText(difference: ReportWire["variants"][number]["difference"]): string {
  if (difference === null) return "";
  const { share, from, to } = difference;
  const points = (value: number) => `${value < 0 ? "" : "+"}${(value * 100).toFixed(1)}`;
  const told = `${points(share)} points against the first (${points(from)} to ${points(to)})`;
  return `; ${told}${from <= 0 && to >= 0 ? ", which may be chance" : ""}`;
}

function percentText(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

export interface TableOptions {
  /** The first row names the columns. */
  header?: boolean;
  /** So many columns after the first hold numbers. By default one. */
  rightAligned?: number;
}

/** Rows under a header, or the words for none. */
export function listing(
  none: string,
  header: readonly string[],
  rows: readonly (readonly string[])[],
  colours: Colours,
  rightAligned = 0,
): string[] {
  return rows.length === 0 ? [none] : table([header, ...rows], colours, { header: true, rightAligned });
}

/** Rows in columns as wide as they need to be. */
export function table(
  rows: readonly (readonly string[])[],
  colours: Colours,
  options: TableOptions = {},
): string[] {
  const { header = false, rightAligned = 1 } = options;
  const widths = (rows[0] ?? []).map((_cell, column) =>
    Math.max(...rows.map((row) => textWidth(row[column] ?? ""))),
  );
  return rows.map((row, index) => {
    const cells = row.map((cell, column) => {
      const width = widths[column] ?? 0;
      if (column > 0 && column <= rightAligned)
        return " ".repeat(Math.max(0, width - textWidth(cell))) + cell;
      return column === row.length - 1 ? cell : padText(cell, width);
    });
    const line = `  ${cells.join("  ")}`.trimEnd();
    return header && index === 0 ? colours.dim(line) : line;
  });
}

export function pathLines({ results, rejects, report }: ReportPaths): string[] {
  return [`results  ${results}`, `rejects  ${rejects}`, `report   ${report}`];
}

/** The one object that `--json` ends with. Further fields may come; these stay. */
export function reportJson(report: ReportWire, paths: ReportPaths | undefined): Record<string, unknown> {
  const { total, done, excluded, open } = report.contacts;
  return {
    campaign_id: report.campaign_id,
    name: report.name,
    run: report.run,
    state: report.state,
    state_reason: report.state_reason,
    rows: report.rows,
    contacts: { total, done, excluded, open },
    attempts: report.attempts,
    dispositions: report.dispositions,
    attempt_dispositions: report.attempt_dispositions,
    excluded_reasons: report.excluded_reasons,
    variants: report.variants,
    agent_versions: report.agent_versions,
    presets: report.presets,
    overrides: report.overrides,
    talk_seconds: report.talk_seconds,
    money: report.money,
    follow_ups: report.follow_ups,
    callbacks: report.callbacks,
    started_at: report.started_at,
    ended_at: report.ended_at,
    results_csv: paths?.results ?? null,
    rejects_csv: paths?.rejects ?? null,
    report_json: paths?.report ?? null,
  };
}
