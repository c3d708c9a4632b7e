import { headlineOf, linesOf, restOf, TEST_TEXT, totalOf, type Notice } from "./notice.ts";

/* A notice in the form of each way out. */

/** The body of a signed webhook, after Standard Webhooks. */
export function webhookBody(notice: Notice): string {
  const { id, route, atMs, isTest, items, counts } = notice;
  return JSON.stringify({
    type: isTest ? "attention.test" : "attention",
    timestamp: new Date(atMs).toISOString(),
    id,
    data: {
      route,
      total: totalOf(notice),
      counts,
      entries: items.map((item) => ({
        word: item.word,
        id: item.id,
        kind: item.kind,
        subject: item.subject,
        brand: item.brand,
        summary: item.summary,
        remedy: item.remedy,
        since: new Date(item.sinceMs).toISOString(),
        times: item.times,
        acknowledged_by: item.acknowledgedBy ?? null,
        acknowledged_until: isoOrNull(item.acknowledgedUntilMs),
        resolved_by: item.resolvedBy ?? null,
        resolution: item.resolution ?? null,
      })),
    },
  });
}

function isoOrNull(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}

/** Slack cuts longer texts off; a block would hold 3,000. */
const LONGEST_SLACK_TEXT = 38_000;

/** The body of an incoming webhook of Slack, and of what takes the same: plain text in its own marks, which are escaped. */
export function slackBody(notice: Notice): string {
  const lines = [
    `*${escapedForSlack(headlineOf(notice))}*`,
    ...(notice.isTest ? [TEST_TEXT] : []),
    ...notice.items.flatMap((item) => {
      const [head = "", ...rest] = linesOf(item).map(escapedForSlack);
      return ["", `*${head}*`, ...rest];
    }),
    ...(restOf(notice).length === 0 ? [] : ["", ...restOf(notice).map(escapedForSlack)]),
  ];
  // Whole lines: a cut within one could leave a mark open.
  const text: string[] = [];
  let length = 0;
  for (const line of lines) {
    length += line.length + 1;
    if (length > LONGEST_SLACK_TEXT) break;
    text.push(line);
  }
  return JSON.stringify({ text: text.join("\n"), unfurl_links: false, unfurl_media: false });
}

/**
 * The three that Slack's text has for links and mentions, as it wants them; and its marks of bold, italic, struck and
 * code, each parted from what it would mark by a character that is not seen.
 */
function escapedForSlack(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(/[*~]/g, (mark) => `\u200B${mark}\u200B`);
}

export interface Mail {
  subject: string;
  text: string;
}

/** Of longer ones mail programs show the beginning. */
const LONGEST_SUBJECT = 200;

/** A mail: plain text, in which nothing has to be escaped. */
export function mailOf(notice: Notice): Mail {
  const rest = restOf(notice);
  const parts = [
    ...(notice.isTest ? [TEST_TEXT] : []),
    ...notice.items.map((item) => linesOf(item).join("\n")),
    ...(rest.length === 0 ? [] : [rest.join("\n")]),
    `Told by the route ${notice.route}, at ${new Date(notice.atMs).toISOString()}. Whoever looks after it says so: outdial attention ack <entry> --by <name>`,
  ];
  return { subject: headlineOf(notice).slice(0, LONGEST_SUBJECT), text: `${parts.join("\n\n")}\n` };
}
