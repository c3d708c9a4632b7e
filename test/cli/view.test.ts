import { stripVTControlCharacters } from "node:util";
import { describe, expect, it, test } from "vitest";

import { checkedLines } from "../../src/cli/campaigns/budgets.ts";
import { canaryLines } from "../../src/cli/campaigns/canary.ts";
import { explanationLines } from "../../src/cli/campaigns/explain.ts";
import { checkLines } from "../../src/cli/doctor/doctor.ts";
import { presetListLines } from "../../src/cli/presets/presets.ts";
import { coloursOf } from "../../src/cli/view/colours.ts";
import { estimateLines } from "../../src/cli/view/estimate.ts";
import { watchPace } from "../../src/cli/view/pace.ts";
import { holdLines, progressLine, progressPicture } from "../../src/cli/view/progress.ts";
import { reportJson, reportLines } from "../../src/cli/view/report.ts";
import type { ProgressWire, ReportWire } from "../../src/http/wire/campaigns.ts";
import { presetListView } from "../../src/http/wire/preset-view.ts";
import { fitText, padText, textWidth } from "../../src/cli/view/text-width.ts";
import { provenMoment } from "../../src/cli/view/local-times.ts";
import { compareWithWitness, witnessLines } from "../../src/cli/view/witness.ts";
import { byCount, durationText, momentText } from "../../src/cli/view/words.ts";
import { progressOf, reportOf } from "./support.ts";

const GO_ON = 'outdial go-on --reason "..."';
const PLAIN = coloursOf(false);
const STILL = { callsAMinute: undefined, leftMs: undefined };

describe("progress in a terminal", () => {
  it("shows contacts, slots, calls, outcomes and how long it will take", () => {
    const pace = { callsAMinute: 240.6, leftMs: 45_300 };
    const lines = progressPicture({ goOn: GO_ON, progress: progressOf(), pace, columns: 80, colours: PLAIN });
    expect(lines).toEqual([
      expect.stringMatching(/^spring run 1 · running +1m12s$/),
      "████████████████████████░░░░░░░░░░░░░░░░ 312 of 500 (62 %) · ETA 45s",
      "contacts  done 290 · excluded 22 · dialing 20 · waiting 168",
      "slots     18 of 20 in use · 2 batches",
      "calls     512 made · 241 a minute",
      "outcomes  answered 180 · voicemail 60 · no_answer 50",
    ]);
  });

  it("stops its clock where the campaign ended", () => {
    const ended = { state: "completed", ended_at: "2026-11-23T14:59:08.000Z" } as const;
    const shown = (now: string) =>
      progressPicture({
        goOn: GO_ON,
        progress: progressOf({ ...ended, now }),
        pace: STILL,
        columns: 80,
        colours: PLAIN,
      })[0];
    expect(shown("2026-11-23T15:00:00.000Z")).toMatch(/ 20s$/);
    expect(shown("2026-11-24T15:00:00.000Z")).toMatch(/ 20s$/);
  });

  it("says why nobody is dialed, and not that all slots are in use", () => {
    const progress = progressOf({
      holds: [
        { reason: "slots", detail: "all 20 slots are in use", until: null, zone_sets: 0 },
        { reason: "window", detail: "until ...", until: "2026-11-24T09:00:00.000Z", zone_sets: 3 },
        { reason: "stop_all", detail: "wrong list", until: null, zone_sets: 0 },
      ],
    });
    const [window, stopped, ...rest] = holdLines(progress, "outdial go-on --data-dir here");
    expect(window).toMatch(/^outside the calling window until 2026-11-2\d .* \(3 groups of time zones\)$/);
    expect(stopped).toContain(
      "everything is stopped: wrong list; go on with `outdial go-on --data-dir here`",
    );
    expect(rest).toEqual([]);
  });

  it("says which version of its agent is published, what it was, and who takes transferred calls", () => {
    const agent = {
      agent_id: "a1",
      name: "Sales",
      state: "published" as const,
      version: 4,
      origin: null,
      was_version: null,
      changed_at: null,
      seen_at: "2026-11-23T15:00:00.000Z",
      missing: [],
    };
    const changed = { ...agent, was_version: 3, changed_at: "2026-11-23T14:59:30.000Z" };
    const gone = { ...agent, agent_id: "a2", name: "a2", state: "gone" as const, version: null };
    const show = (changes: Partial<ProgressWire>) =>
      progressPicture({
        goOn: GO_ON,
        progress: progressOf(changes),
        pace: STILL,
        columns: 80,
        colours: PLAIN,
      });
    expect(show({ agents: [agent] })).toContain("agent     Sales (a1) version 4");
    const lines = show({ agents: [changed, gone] }).join("\n");
    expect(lines).toMatch(/agent {5}Sales \(a1\) version 4, changed under way: version 3 until .*59/);
    expect(lines).toContain("          a2 is not on the platform any more");
    const transfers = { people: 4, lines: 2, share: 0.125, conversations: 0, known: 0, transferred: 0 };
    expect(show({ transfers })).toContain(
      "transfers paced by transfers: 4 people, 2 lines (12.5 % of its calls are taken to be transferred)",
    );
    // In a line for a file, only what is news.
    const line = (agents: ProgressWire["agents"]) =>
      progressLine({ goOn: GO_ON, progress: progressOf({ agents }), pace: STILL });
    expect(line([agent])).not.toContain("Sales");
    expect(line([changed])).toContain("agent Sales (a1) version 4, changed under way");
  });

  it("never shows all as done while somebody is left", () => {
    const contacts = { total: 1_000, done: 999, excluded: 0, open: 1, leased: 1 };
    const lines = progressPicture({
      goOn: GO_ON,
      progress: progressOf({ contacts }),
      pace: STILL,
      columns: 80,
      colours: PLAIN,
    });
    expect(lines[1]).toContain("999 of 1,000 (99 %)");
    expect(lines[1]).toContain("░");
  });

  it("shows a whole percent as what it is, whatever fractions make of it", () => {
    const percentOf = (done: number) =>
      /\((\d+) %\)/.exec(
        progressPicture({
          goOn: GO_ON,
          progress: progressOf({ contacts: { total: 100, done, excluded: 0, open: 100 - done, leased: 0 } }),
          pace: STILL,
          columns: 80,
          colours: PLAIN,
        })[1] ?? "",
      )?.[1];
    for (let done = 0; done <= 100; done += 1) expect(percentOf(done)).toBe(String(done));
  });

  it("fits terminals of any width", () => {
    for (const columns of [20, 40, 60, 200]) {
      const progress = progressOf({ name: "春のキャンペーン" });
      const lines = progressPicture({
        goOn: GO_ON,
        progress,
        pace: STILL,
        columns,
        colours: coloursOf(true),
      });
      expect(textWidth(lines[1] ?? "")).toBeLessThan(Math.max(columns, 24));
    }
  });

  it("is one line where there is no terminal", () => {
    expect(
      progressLine({ goOn: GO_ON, progress: progressOf(), pace: { callsAMinute: 241, leftMs: 45_000 } }),
    ).toBe(
      "running: 312 of 500 contacts through (done 290, excluded 22, dialing 20, waiting 168); slots 18 of 20; 512 calls, 241 a minute; answered 180, voicemail 60, no_answer 50; ETA 45s",
    );
  });
});

describe("pace", () => {
  const at = (second: number, attempts: number, through: number) =>
    progressOf({
      now: new Date(Date.UTC(2026, 10, 23, 15, 0, second)).toISOString(),
      attempts,
      contacts: { total: 200, done: through, excluded: 0, open: 200 - through, leased: 0 },
    });

  it("says nothing before there is anything to say", () => {
    expect(watchPace()(at(0, 10, 5))).toEqual({ callsAMinute: undefined, leftMs: undefined });
  });

  it("is of the last minute", () => {
    const paceOf = watchPace();
    paceOf(at(0, 0, 0));
    expect(paceOf(at(10, 50, 25))).toEqual({ callsAMinute: 300, leftMs: 70_000 });
    for (let second = 20; second <= 130; second += 10) paceOf(at(second, 50 + second, 25 + second / 10));
    expect(paceOf(at(140, 190, 39)).callsAMinute).toBeCloseTo(60);
  });

  it("gives no end while nothing moves", () => {
    const paceOf = watchPace();
    paceOf(at(0, 10, 10));
    expect(paceOf(at(30, 10, 10))).toEqual({ callsAMinute: 0, leftMs: undefined });
  });
});

describe("a report", () => {
  it("adds up on the screen", () => {
    expect(reportLines(reportOf(), PLAIN)).toEqual([
      "spring run 2 completed in 3m12s",
      "",
      "  rows read  520  rejected 8, duplicate 12",
      "  contacts   500  done 480, excluded 20",
      "  calls      812  332 retries, 2h3m of talk",
      "",
      "  outcome    contacts  calls",
      "  answered        400    400",
      "  no_answer        80    412",
      "",
      "  excluded    contacts",
      "  suppressed        20",
    ]);
  });

  it("compares variants, and says where a difference may be chance", () => {
    const one = { attempts: 90, attempt_dispositions: {} };
    const variants = [
      {
        ...one,
        name: "control",
        contacts: 80,
        reached: 48,
        reached_share: { share: 0.6, from: 0.4904, to: 0.7002 },
        difference: null,
      },
      {
        ...one,
        name: "warm",
        contacts: 70,
        reached: 56,
        reached_share: { share: 0.8, from: 0.692, to: 0.8769 },
        difference: { share: 0.2, from: 0.0524, to: 0.3339 },
      },
      {
        ...one,
        name: "short",
        contacts: 80,
        reached: 50,
        reached_share: { share: 0.625, from: 0.5154, to: 0.7231 },
        difference: { share: 0.025, from: -0.1234, to: 0.172 },
      },
      { ...one, name: "new", contacts: 0, reached: 0, reached_share: null, difference: null },
    ];
    expect(reportLines(reportOf({ variants }), PLAIN).slice(-5)).toEqual([
      "  variant  called  reached  share, 95 % interval",
      "  control      80       48  60.0 % (49.0 % to 70.0 %)",
      "  warm         70       56  80.0 % (69.2 % to 87.7 %); +20.0 points against the first (+5.2 to +33.4)",
      "  short        80       50  62.5 % (51.5 % to 72.3 %); +2.5 points against the first (-12.3 to +17.2), which may be chance",
      "  new           0        0  nobody was called",
    ]);
    expect(reportJson(reportOf({ variants }), undefined)).toMatchObject({ variants });
  });

  it("says what calls came to by version of the agent, where there was more than one", () => {
    const version = (number: number | null, changed: number) => ({
      agent_id: "a1",
      version: number,
      attempts: 10,
      changed_under_way: changed,
      attempt_dispositions: { answered: 10 },
    });
    const show = (versions: ReportWire["agent_versions"]) =>
      reportLines(reportOf({ agent_versions: versions }), PLAIN).join("\n");
    const both = show([version(3, 2), version(4, 0)]);
    expect(both).toMatch(/a1 +3 +10 +answered 10; another was published during or shortly before 2 of them/);
    expect(both).toMatch(/a1 +4 +10 +answered 10$/m);
    expect(show([version(3, 0)])).not.toContain("a1");
  });

  it("says what is open behind it, and that it goes on", () => {
    const follow_ups = { open: 12, open_failed: 2, failed: 1, done: 1_300 };
    const lines = reportLines(reportOf({ follow_ups, callbacks: { open: 3 } }), PLAIN);
    expect(lines.slice(-4)).toEqual([
      "  follow-ups: 12 open (2 with a failed action), 1 failed, 1,300 done",
      "  callbacks: 3 open",
      "  what is open goes on while `outdial server` or `outdial worker` runs",
      "  failed ones wait for a person: `outdial attention list`",
    ]);
    expect(reportJson(reportOf({ follow_ups }), undefined)).toMatchObject({
      follow_ups,
      callbacks: { open: 0 },
    });
    const progress = progressOf({ follow_ups: { open: 12 }, callbacks: { open: 1 } });
    expect(progressLine({ goOn: GO_ON, progress, pace: STILL })).toContain(
      "; 12 follow-ups open, 1 callback to come",
    );
    const picture = progressPicture({ goOn: GO_ON, progress, pace: STILL, columns: 80, colours: PLAIN });
    expect(picture).toContain("after     12 follow-ups open · 1 callback to come");
  });

  it("has the promised fields as JSON", () => {
    const paths = { results: "/r.csv", rejects: "/x.csv", report: "/r.json" };
    expect(reportJson(reportOf(), paths)).toMatchObject({
      campaign_id: "c",
      state: "completed",
      rows: { read: 520, rejected: 8, duplicate: 12 },
      contacts: { total: 500, done: 480, excluded: 20, open: 0 },
      attempts: 812,
      dispositions: { answered: 400, no_answer: 80 },
      results_csv: "/r.csv",
    });
  });
});

describe("the witness of the demo", () => {
  it("finds a number that was dialed more often than the ledger says, and no other", () => {
    const dials = new Map([
      ["+1", 2],
      ["+2", 1],
      ["+9", 1],
    ]);
    const check = compareWithWitness(
      dials,
      new Map([
        ["+1", 1],
        ["+2", 3],
      ]),
    );
    expect(check).toEqual({ dials: 4, attempts: 4, tooOften: ["+1", "+9"] });
    expect(witnessLines(check, reportOf(), PLAIN)).toEqual([
      "ok   500 of 500 contacts accounted for",
      "FAIL 4 dials seen by the sandbox, 4 attempts in the ledger: 2 numbers dialed too often (+1, +9)",
    ]);
  });
});

describe("words", () => {
  test("durations are whole seconds, never none", () => {
    expect([0, 1_400, 61_000].map(durationText)).toEqual(["1s", "1s", "1m1s"]);
  });

  test("a moment says its zone, and one of another day its date", () => {
    const nowMs = Date.UTC(2026, 10, 23, 15);
    expect(momentText("2026-11-23T09:05:07.000Z", nowMs)).toBe("09:05:07 UTC");
    expect(momentText("2026-11-24T09:05:07.000Z", nowMs)).toBe("2026-11-24 09:05 UTC");
  });

  test("what proves something is told by the clocks of whom it is about, and in UTC", () => {
    const iso = "2026-11-24T03:30:05.000Z";
    expect(provenMoment(iso, [])).toBe("2026-11-24 03:30:05 UTC");
    expect(provenMoment(iso, ["UTC"])).toBe("2026-11-24 03:30:05 UTC");
    expect(provenMoment(iso, ["America/New_York"])).toBe(
      "2026-11-23 22:30:05 America/New_York (2026-11-24 03:30:05 UTC)",
    );
    expect(provenMoment("2026-07-24T15:00:00.000Z", ["Europe/Berlin", "Europe/Paris"])).toBe(
      "2026-07-24 17:00:00 Europe/Berlin (15:00:00 UTC)",
    );
    expect(
      provenMoment("2026-07-24T15:00:00.000Z", ["America/New_York", "Pacific/Honolulu", "America/Denver"]),
    ).toBe("2026-07-24 05:00:00 Pacific/Honolulu to 11:00:00 America/New_York (15:00:00 UTC)");
    expect(provenMoment(iso, ["Asia/Tokyo", "America/New_York", "No/Where"])).toBe(
      "2026-11-23 22:30:05 America/New_York to 2026-11-24 12:30:05 Asia/Tokyo (2026-11-24 03:30:05 UTC)",
    );
  });

  test("tallies come largest first, and without those of none", () => {
    expect(byCount({ a: 1, b: 3, c: 0, d: 3 })).toEqual([
      ["b", 3],
      ["d", 3],
      ["a", 1],
    ]);
  });
});

describe("text in columns", () => {
  it("counts what a terminal shows", () => {
    expect(textWidth("Zoë")).toBe(3);
    expect(textWidth("Zoe\u0308")).toBe(3);
    expect(textWidth("電話")).toBe(4);
    expect(textWidth(coloursOf(true).green("ok"))).toBe(2);
    expect(padText("電話", 6)).toBe("電話  ");
  });

  it("is cut without cutting a colour", () => {
    const cut = fitText(`${coloursOf(true).green("a long state")} and more`, 8);
    expect(stripVTControlCharacters(cut)).toBe("a long …");
    expect(cut).toContain("\u001B[39m");
    expect(textWidth(fitText("電話電話電話", 5))).toBeLessThanOrEqual(5);
  });
});

test("a check that failed says under it what to do", () => {
  expect(
    checkLines(
      [
        { name: "Node.js", status: "ok", detail: "22.1.0" },
        { name: "disk", status: "fail", detail: "0.1 GB free", remedy: "make room" },
      ],
      PLAIN,
    ),
  ).toEqual(["ok    Node.js  22.1.0", "fail  disk     0.1 GB free", "               make room"]);
});

test("first calls that wait for approval say what they came to, how to listen to them and what to do", () => {
  const call = {
    phone: "+12025550100",
    zones: ["America/New_York"],
    call_id: "6f1c",
    disposition: "answered",
    disposition_reason: null,
    started_at: "2026-11-23T15:00:07.000Z",
    ended_at: "2026-11-23T15:00:47.000Z",
    duration_seconds: 40,
  };
  const canary = { campaign_id: "c", name: "spring renewal", state: "paused", canary: 2 } as const;
  const place = { brand: "acme", dataDir: undefined };
  const waiting = { ...canary, approval: "waiting" as const, calls: [call] };
  expect(canaryLines(waiting, place)).toEqual([
    "first 2 calls of spring renewal: it waits for somebody to approve of them",
    "  +12025550100  answered (40 s)",
    "    2026-11-23 10:00:07 America/New_York (15:00:07 UTC)",
    "    call 6f1c",
    "to listen: outdial platform calls recording <call> --out call.ogg",
    "to go on: outdial campaign approve 'spring renewal' --brand acme",
    "to end it: outdial campaign cancel 'spring renewal' --brand acme",
  ]);
  const said = { ...call, disposition_reason: "completed after 40 s" };
  expect(canaryLines({ ...waiting, calls: [said] }, place)[1], "its length once").toBe(
    "  +12025550100  answered (completed after 40 s)",
  );
  const none = { ...canary, canary: null, approval: "none" as const, calls: [] };
  expect(canaryLines(none, place)).toEqual([
    "first 0 calls of spring renewal: it has no canary, and waits for nobody's approval",
  ]);
});

test("an explanation says when, why and under which policy", () => {
  const lines = explanationLines({
    contact: {
      phone: "+12025550100",
      line: 2,
      state: "done",
      reason: null,
      outcome: "answered",
      zones: ["America/New_York"],
      places: ["US-FL"],
      due_at: "2026-11-23T15:00:00.000Z",
      attempts: 1,
    },
    attempts: [
      {
        attempt_no: 1,
        state: "ended",
        batch_id: "b",
        policy_version: 2,
        agent_version: 3,
        agent_changed_to: null,
        disposition: "answered",
        disposition_reason: "item",
        planned_at: "2026-11-23T15:00:00.000Z",
        started_at: "2026-11-23T15:00:07.000Z",
        ended_at: null,
      },
    ],
    refusals: [
      {
        reason: "open_attempt",
        detail: "until later",
        policy_version: 1,
        times: 1,
        first_at: "2026-11-23T15:00:00.000Z",
        last_at: "2026-11-23T15:00:00.000Z",
      },
      {
        reason: "window",
        detail: "until 2026-11-24T14:00:00.000Z",
        policy_version: 1,
        times: 1,
        first_at: "2026-11-23T15:00:00.000Z",
        last_at: "2026-11-23T15:00:00.000Z",
      },
    ],
    holds: [
      {
        reason: "window",
        detail: "until 2026-11-24T14:00:00Z",
        policy_version: 2,
        from: "2026-11-23T23:00:00.000Z",
        until: null,
      },
    ],
  });
  expect(lines[0]).toBe("+12025550100: done (answered), 1 attempt");
  expect(lines[2]).toBe("  may be in: US-FL");
  expect(lines[3]).toContain("attempt 1: answered (item)");
  expect(lines[3]).toContain("dialed 2026-11-23 10:00:07 America/New_York (15:00:07 UTC), policy 2");
  expect(lines[4]).toContain("not dialed: open_attempt (until later)");
  // What stands in words is told by the same clocks.
  expect(lines[5]).toContain(
    "not dialed: window (until 2026-11-24 09:00:00 America/New_York (14:00:00 UTC)), 2026-11-23 10:00:00",
  );
  expect(lines[6]).toContain(
    "held: window (until 2026-11-24 09:00:00 America/New_York (14:00:00 UTC)), from 2026-11-23 18:00:00",
  );
});

test("what a campaign is likely to cost stands beside what there is to pay it from, and what is not enough says so", () => {
  const flat = (value: number) => ({ low: value, median: value, high: value });
  const estimate = {
    contacts: 30,
    cost: { low: 1.76, median: 2.21, high: 2.95 },
    per_contact: flat(0.07),
    unknown: null,
    calls: flat(43),
    minutes: flat(24.2),
    by_disposition: {},
    per_minute: 0.09,
    per_call: 0,
    outcomes_from: "usual ones",
    left: [
      { of: "account", period: "balance" as const, usd: 412.5, enough: "yes" as const },
      { of: "campaign", period: "total" as const, usd: 2, enough: "no" as const },
      { of: "brand acme", period: "day" as const, usd: 3, enough: null },
    ],
  };
  const plain = coloursOf(false);
  expect(estimateLines(estimate, plain)).toEqual([
    "cost: likely USD 2.21 (1.76 to 2.95) for 30 contacts",
    "  43 calls, 24 minutes of talk at USD 0.09 a minute, the platform's estimate",
    "  outcomes: usual ones",
    "  the platform's account has USD 412.50 for calls to come",
    "  the budget of this campaign has USD 2.00 left: not enough, it waits for more when that is used up",
    "  the budget of brand acme has USD 3.00 left today",
  ]);
  expect(
    estimateLines({ ...estimate, cost: null, per_contact: null, unknown: "it is silent", left: [] }, plain),
  ).toEqual(["cost: not known: it is silent"]);
  expect(estimateLines({ ...estimate, contacts: 0, cost: null, left: [] }, plain)[0]).toBe(
    "cost: likely USD 0.07 a contact (none is on it yet)",
  );
});

test("a status says why people are excluded, what is spent, and which budget is used up", () => {
  const progress = progressOf({
    money: {
      spent: 1.2,
      told: 1,
      held: 0.3,
      today: { spent: 0.5, held: 0.3 },
      total: 5,
      per_day: 1,
      zone: "Asia/Tokyo",
    },
    holds: [
      {
        reason: "budget",
        detail:
          "until 2026-11-23T15:30:00.000Z: the budget of USD 1.00 a day for the campaign (2026-11-24, Asia/Tokyo) has USD 0.00 left, and a call is expected to cost USD 0.10",
        until: "2026-11-23T15:30:00.000Z",
        zone_sets: 0,
      },
    ],
  });
  const excluded = { suppressed: 9, no_common_window: 5, a: 4, b: 3, c: 2, d: 1, e: 1 };
  const lines = progressPicture({
    progress,
    excluded,
    pace: { callsAMinute: undefined, leftMs: undefined },
    columns: 80,
    colours: coloursOf(false),
    goOn: "outdial go-on",
  });
  expect(lines).toEqual(
    expect.arrayContaining([
      "excluded  9 suppressed",
      "          5 no common window",
      "          2 for 2 other reasons",
      "money     USD 1.20 of USD 5.00 spent · USD 0.30 held for calls under way",
      "          today (Asia/Tokyo) USD 0.80 of USD 1.00 spent and held",
      "held      the budget of USD 1.00 a day for the campaign (2026-11-24, Asia/Tokyo) is used up until 15:30:00 UTC",
    ]),
  );
});

test("a report of no calls has no gap where its outcomes would be", () => {
  const none = reportOf({ dispositions: {}, attempt_dispositions: {}, excluded_reasons: { suppressed: 20 } });
  expect(reportLines(none, coloursOf(false)).join("\n")).not.toContain("\n\n\n");
});

test("what the account has is told with what follows from it", () => {
  const seen = { balance: 12.5, unknown: null, is_limit: true, no_credit: null, campaigns: 2 };
  expect(checkedLines(seen)).toEqual([
    "the platform's account has USD 12.50",
    "2 campaigns told to look again",
  ]);
  const away = {
    ...seen,
    balance: null,
    unknown: "it is away",
    campaigns: 0,
    no_credit: { since: "2026-11-23T15:00:00Z", reason: "402" },
  };
  expect(checkedLines(away)).toEqual([
    "what the platform's account has can't be read: it is away",
    "nobody is called for want of credit since 2026-11-23T15:00:00Z (402): add some",
  ]);
});

test("presets are listed within a narrow terminal", () => {
  const lines = presetListLines(presetListView().items);
  expect(lines).toContain("us-states@2026.1   45 rules, reviewed 2026-11-25");
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(80);
});
