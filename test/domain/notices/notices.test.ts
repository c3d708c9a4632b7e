import { describe, expect, it } from "vitest";

import { mailOf, slackBody } from "../../../src/domain/notices/message.ts";
import { headlineOf, itemOf, testNotice, type NoticeItem } from "../../../src/domain/notices/notice.ts";
import { noticeTurn } from "../../../src/domain/notices/turn.ts";
import { readRoute } from "../../../src/domain/notices/route.ts";
import { quietHoursSchema, quietUntil } from "../../../src/domain/notices/quiet-hours.ts";

const until = (hours: object[], zone: string, nowText: string) => {
  const ms = quietUntil(quietHoursSchema.parse({ zone, hours }), Date.parse(nowText));
  return ms === undefined ? undefined : new Date(ms).toISOString();
};

describe("quiet hours", () => {
  const night = [{ from: "20:00", to: "08:00" }];

  it.each([
    ["2026-03-02T18:59:59Z", undefined],
    ["2026-03-02T19:00:00Z", "2026-03-03T07:00:00.000Z"],
    ["2026-03-03T06:59:00Z", "2026-03-03T07:00:00.000Z"],
    ["2026-03-03T07:00:00Z", undefined],
    // The night in which the clocks go forward is an hour shorter.
    ["2026-03-28T23:00:00Z", "2026-03-29T06:00:00.000Z"],
  ])("of a night in Berlin: at %s until %s", (now, end) => {
    expect(until(night, "Europe/Berlin", now)).toBe(end);
  });

  it("that follow each other are one stretch, from Friday night to Monday morning", () => {
    const hours = [...night, { on: "weekend", from: "00:00", to: "24:00" }];
    expect(until(hours, "UTC", "2026-03-06T21:00:00Z")).toBe("2026-03-09T08:00:00.000Z");
    expect(until(hours, "UTC", "2026-03-06T19:00:00Z")).toBeUndefined();
  });

  it("of one day begin on that day alone", () => {
    const hours = [{ on: "tuesday", from: "22:00", to: "02:00" }];
    expect(until(hours, "UTC", "2026-03-03T23:00:00Z")).toBe("2026-03-04T02:00:00.000Z");
    expect(until(hours, "UTC", "2026-03-03T01:00:00Z")).toBeUndefined();
  });
});

const ITEM: NoticeItem = {
  word: "problem",
  id: 17,
  kind: "breaker_open",
  subject: "spring",
  brand: "acme",
  summary: "s",
  remedy: "look at it, then `outdial campaign resume Spring`",
  sinceMs: Date.parse("2026-03-02T12:00:00Z"),
  times: 1,
};

const noticeOf = (changes: Partial<NoticeItem>, n = 1) => ({
  ...testNotice("ops", "6a2f41a3-c54c-4ce8-b2d2-0324e1c32e22", ITEM.sinceMs),
  isTest: false,
  items: [itemOf({ ...ITEM, ...changes }, (text) => text)],
  counts: [{ word: "problem" as const, kind: "breaker_open" as const, n }],
});

describe("a notice", () => {
  it("can mention nobody and link nowhere in Slack, whatever an entry says", () => {
    const { text } = JSON.parse(
      slackBody(noticeOf({ summary: "<!channel> <https://evil.example|click> & *bold* ~gone~" })),
    ) as { text: string };
    expect(text).toContain("&lt;!channel&gt; &lt;https://evil.example|click&gt; &amp; ");
    expect(text).not.toMatch(/[^\u200B]\*bold/);
    expect(text).toContain("`outdial campaign resume Spring`");
  });

  it("is in one line for each thing, without what turns or hides text", () => {
    const { text } = mailOf(noticeOf({ summary: "a\r\nTo do: pay\u202E\u0007 b" }));
    expect(text).toContain("\na To do: pay  b\n");
  });

  it("says how much it does not show, and where that is", () => {
    const notice = noticeOf({}, 3_000);
    expect(headlineOf(notice)).toBe("Outdial: 3000 new");
    expect(mailOf(notice).text).toContain(
      "2999 more new: breaker open\nThe whole list: outdial attention list",
    );
  });

  it("that is very long stays below what Slack takes", () => {
    const items = Array.from({ length: 20 }, () =>
      itemOf({ ...ITEM, summary: "&".repeat(5_000), remedy: "&".repeat(5_000) }, (text) => text),
    );
    const body = slackBody({ ...noticeOf({}), items });
    expect((JSON.parse(body) as { text: string }).text.length).toBeLessThanOrEqual(38_000);
  });
});

describe("what was told", () => {
  const reading = readRoute({
    name: "ops",
    to: { webhook: { url: "https://example.com/hook", secret: "crm" } },
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  const told = {
    entryId: 1,
    atMs: 0,
    times: 1,
    tellings: 1,
    reminders: 0,
    acknowledgedAtMs: undefined,
    isUnderWay: false,
  };
  const over = (id: number) => ({
    id,
    kind: "breaker_open" as const,
    subject: "spring",
    brand: "default",
    times: 1,
    resolvedAtMs: 1,
    acknowledgedAtMs: undefined,
    acknowledgedUntilMs: undefined,
  });
  const wordOf = (id: number, seen: typeof told | undefined) =>
    noticeTurn(reading.definition, over(id), seen, { nowMs: 10, quietUntilMs: undefined }).word;

  it("is said to be over once it is, also where it came back in between; and nothing else is", () => {
    expect(wordOf(1, told)).toBe("resolved");
    expect(wordOf(2, told)).toBe("resolved");
    expect(wordOf(1, { ...told, entryId: 2 })).toBeUndefined();
    expect(wordOf(1, undefined)).toBeUndefined();
  });
});
