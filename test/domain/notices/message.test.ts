import { describe, expect, it } from "vitest";

import { mailOf, slackBody, webhookBody } from "../../../src/domain/notices/message.ts";
import {
  headlineOf,
  itemOf,
  linesOf,
  noticeSchema,
  restOf,
  testNotice,
  totalOf,
  type Notice,
  type NoticeItem,
} from "../../../src/domain/notices/notice.ts";

const AT_MS = Date.UTC(2026, 2, 2, 12, 34, 56);

const ITEM: NoticeItem = {
  word: "problem",
  id: 17,
  kind: "breaker_open",
  subject: "spring",
  brand: "acme",
  summary: "5 of the last 5 calls came to failed",
  remedy: "look at it",
  sinceMs: AT_MS,
  times: 1,
};
const notice = (items: NoticeItem[], counts: Notice["counts"], changes: Partial<Notice> = {}): Notice =>
  noticeSchema.parse({ id: "n-1", route: "ops", atMs: AT_MS, isTest: false, items, counts, ...changes });
const ONE = notice([ITEM], [{ word: "problem", kind: "breaker_open", n: 1 }]);
const SEVERAL = notice(
  [ITEM, { ...ITEM, id: 18, word: "resolved", resolvedBy: "jane", resolution: "mended" }],
  [
    { word: "problem", kind: "breaker_open", n: 3 },
    { word: "problem", kind: "credit_low", n: 2 },
    { word: "resolved", kind: "breaker_open", n: 1 },
  ],
);
const slackText = (of: Notice) => (JSON.parse(slackBody(of)) as { text: string }).text;

describe("a notice in one line", () => {
  it("is about the one entry, or counts what it is about by word", () => {
    expect(headlineOf(ONE)).toBe("Outdial: new: breaker open (acme)");
    expect(headlineOf(SEVERAL)).toBe("Outdial: 5 new, 1 resolved");
    expect(headlineOf(notice([], [{ word: "reminder", kind: "credit_low", n: 1 }]))).toBe(
      "Outdial: 1 still waiting",
    );
    expect(headlineOf(notice([ITEM], [{ word: "problem", kind: "breaker_open", n: 2 }]))).toBe(
      "Outdial: 2 new",
    );
    expect(headlineOf(testNotice("ops", "n-1", AT_MS))).toBe("Outdial: a test of the route ops");
    expect([totalOf(ONE), totalOf(SEVERAL)]).toEqual([1, 6]);
  });
});

describe("an entry in lines", () => {
  it("says what it is, since when, how often, and what can be done", () => {
    expect(linesOf(ITEM)).toEqual([
      "[new] breaker open, brand acme, since 2026-03-02 12:34 UTC, entry 17",
      ITEM.summary,
      "To do: look at it",
    ]);
    expect(linesOf({ ...ITEM, word: "again", times: 4 })[0]).toBe(
      "[again] breaker open, brand acme, since 2026-03-02 12:34 UTC, 4 times, entry 17",
    );
  });

  it("says who sees to it, and until when, where somebody does", () => {
    const seen = { ...ITEM, word: "acknowledged" as const, acknowledgedBy: "jane" };
    expect(linesOf(seen).at(-1)).toBe("Seen to by jane");
    expect(linesOf({ ...seen, acknowledgedUntilMs: AT_MS + 3_600_000 }).at(-1)).toBe(
      "Seen to by jane until 2026-03-02 13:34 UTC",
    );
  });

  it("says of one that is over by what, and by whom", () => {
    expect(linesOf({ ...ITEM, word: "resolved", resolvedBy: "jane", resolution: "mended" }).slice(1)).toEqual(
      [ITEM.summary, "Over: mended (jane)"],
    );
    expect(linesOf({ ...ITEM, word: "resolved" }).at(-1)).toBe("Over:  (somebody)");
  });

  it("of which more are not shown counts those, by word and kind, and says where they are", () => {
    expect(restOf(SEVERAL)).toEqual([
      "2 more new: breaker open",
      "2 more new: credit low",
      "The whole list: outdial attention list",
    ]);
    expect(restOf(ONE)).toEqual([]);
  });

  it("is bounded and masked, field by field", () => {
    const long = "x".repeat(600);
    const masked = itemOf(
      {
        ...ITEM,
        subject: long,
        summary: `+12025550100\u2028${long}`,
        remedy: long,
        acknowledgedBy: "+12025550100",
        resolvedBy: long,
        resolution: "a\u200Bb\n\nc\uD800",
      },
      (text) => text.replace("+12025550100", "+1202•••0100"),
    );
    expect(masked.subject).toBe("x".repeat(500));
    expect(masked.summary.startsWith("+1202•••0100 xxx")).toBe(true);
    expect([masked.remedy.length, masked.resolvedBy?.length]).toEqual([500, 500]);
    expect(masked.acknowledgedBy).toBe("+1202•••0100");
    expect(masked.resolution).toBe("ab c\uFFFD");
    expect(itemOf(ITEM, (text) => text)).toEqual(ITEM);
    // A cut through a character leaves none of its halves.
    expect(itemOf({ ...ITEM, summary: `${"x".repeat(499)}\u{1F600}` }, (text) => text).summary).toBe(
      `${"x".repeat(499)}\uFFFD`,
    );
  });
});

describe("a message", () => {
  it("to a webhook has each field, and null for what is not said", () => {
    const seen = { acknowledgedBy: "jane", acknowledgedUntilMs: AT_MS };
    const over = { resolvedBy: "engine", resolution: "it succeeded" };
    const body = JSON.parse(
      webhookBody({ ...SEVERAL, items: [ITEM, { ...ITEM, ...seen, ...over }] }),
    ) as object;
    const iso = "2026-03-02T12:34:56.000Z";
    const { sinceMs: _, ...said } = ITEM;
    const entry = { ...said, since: iso };
    expect(body).toEqual({
      type: "attention",
      timestamp: iso,
      id: "n-1",
      data: {
        route: "ops",
        total: 6,
        counts: SEVERAL.counts,
        entries: [
          {
            ...entry,
            acknowledged_by: null,
            acknowledged_until: null,
            resolved_by: null,
            resolution: null,
          },
          {
            ...entry,
            acknowledged_by: "jane",
            acknowledged_until: iso,
            resolved_by: "engine",
            resolution: "it succeeded",
          },
        ],
      },
    });
    expect(JSON.parse(webhookBody(testNotice("ops", "n-1", AT_MS)))).toMatchObject({
      type: "attention.test",
      data: { total: 0, entries: [] },
    });
  });

  it("to Slack has a head of its own for each entry, and what is not shown below", () => {
    expect(slackText(ONE).split("\n")).toEqual([
      "*Outdial: new: breaker open (acme)*",
      "",
      "*[new] breaker open, brand acme, since 2026-03-02 12:34 UTC, entry 17*",
      ITEM.summary,
      "To do: look at it",
    ]);
    expect(slackText(SEVERAL).split("\n").slice(-4)).toEqual([
      "",
      "2 more new: breaker open",
      "2 more new: credit low",
      "The whole list: outdial attention list",
    ]);
    expect(slackText(testNotice("ops", "n-1", AT_MS)).split("\n")).toEqual([
      "*Outdial: a test of the route ops*",
      "Somebody tests whether notices arrive here. There is nothing to do.",
    ]);
    expect(JSON.parse(slackBody(ONE))).toMatchObject({ unfurl_links: false, unfurl_media: false });
    const marked = notice(
      [{ ...ITEM, summary: "*a* ~b~" }],
      [{ word: "problem", kind: "breaker_open", n: 1 }],
    );
    expect(slackText(marked)).toContain("\u200B*\u200Ba\u200B*\u200B \u200B~\u200Bb\u200B~\u200B");
  });

  it("to Slack ends with a whole line, however long it would be", () => {
    const items = Array.from({ length: 20 }, (_, id) => ({ ...ITEM, id, summary: `${"&".repeat(499)}.` }));
    const lines = slackText({ ...SEVERAL, items }).split("\n");
    expect(lines.join("\n").length).toBeLessThanOrEqual(38_000);
    expect(lines.at(-1)).toMatch(/(?:\*|\.|look at it)$/);
  });

  it("by mail has a paragraph for each entry, and says who sent it", () => {
    const { subject, text } = mailOf(SEVERAL);
    expect(subject).toBe("Outdial: 5 new, 1 resolved");
    expect(text.split("\n\n").map((part) => part.split("\n")[0])).toEqual([
      "[new] breaker open, brand acme, since 2026-03-02 12:34 UTC, entry 17",
      "[resolved] breaker open, brand acme, since 2026-03-02 12:34 UTC, entry 18",
      "2 more new: breaker open",
      "Told by the route ops, at 2026-03-02T12:34:56.000Z. Whoever looks after it says so: outdial attention ack <entry> --by <name>",
    ]);
    expect(text.endsWith("\n")).toBe(true);
    expect(mailOf(testNotice("ops", "n-1", AT_MS)).text).toMatch(/^Somebody tests whether .*\n\nTold by/);
    const brand = "b".repeat(300);
    expect(mailOf({ ...ONE, items: [{ ...ITEM, brand }] }).subject).toHaveLength(200);
  });
});
