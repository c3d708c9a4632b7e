import { expect, it } from "vitest";

import type { EnrolmentSummaryWire, EnrolmentWire, SequenceWire } from "../../../src/http/wire/sequences.ts";
import { enrolmentLines } from "../../../src/cli/sequences/enrolment.ts";
import { enrolmentRow } from "../../../src/cli/sequences/enrolments.ts";
import { statusLines } from "../../../src/cli/sequences/status.ts";
import { AGENT, outdial, temporaryFolder, writeFile } from "../support.ts";

const GOOD = `name: trial-welcome
agent_id: ${AGENT}
from_numbers: ["+12025550100"]
steps:
  - id: first
    call: {}
    on: { answered: thanks, unknown: later, otherwise: later }
  - id: later
    wait: { for: 1d }
    next: first
  - id: thanks
    exit: { outcome: reached }
`;

const file = (text: string) => writeFile(temporaryFolder(), "sequence.yaml", text);

it("a sequence is checked without a running system, and every mistake is told with its field", async () => {
  const good = await outdial(["sequence", "check", file(GOOD)]);
  expect(good).toMatchObject({ code: 0, stderr: "" });
  expect(good.stdout).toBe('sequence "trial-welcome" is in order: 3 steps, from first on\n');
  const json = await outdial(["sequence", "check", file(GOOD), "--json"]);
  expect(JSON.parse(json.stdout)).toEqual({
    ok: true,
    name: "trial-welcome",
    brand: "default",
    steps: ["first", "later", "thanks"],
    warnings: [],
  });
  const bad = await outdial([
    "sequence",
    "check",
    file(GOOD.replace("wait: { for: 1d }", "wait: { for: soon }").replace("next: first", "next: nowhere")),
  ]);
  expect(bad.code).toBe(2);
  expect(bad.stderr).toContain("steps[1].wait.for");
  expect(bad.stderr).toContain("steps[1].next: names nowhere");
  expect((await outdial(["sequence", "check", file("a: [")])).stderr).toContain("is not YAML");
});

it("a sequence is shown step by step, and as a diagram", async () => {
  const shown = await outdial(["sequence", "show", file(GOOD)]);
  expect(shown.stdout).toContain("answered → thanks, unknown → later, otherwise → later");
  expect(shown.stdout).toMatch(/thanks\s+exit\s+ends: reached/);
  const drawn = await outdial(["sequence", "show", file(GOOD), "--mermaid"]);
  expect(drawn.stdout).toMatch(/^flowchart TD\n/);
});

it("enrolling says what is missing before anything is asked", async () => {
  const url = { OUTDIAL_API_URL: "http://127.0.0.1:9" };
  const neither = await outdial(["sequence", "enroll", "trial"], url);
  expect([neither.code, neither.stderr]).toEqual([
    2,
    expect.stringContaining("--phone for one person, or --contacts"),
  ]);
  const pair = await outdial(
    ["sequence", "enroll", "trial", "--phone", "+12025550143", "--var", "name"],
    url,
  );
  expect(pair.stderr).toContain('--var "name" is not name=value');
  const both = await outdial(["sequence", "exit", "trial", "--enrolment", "x"], url);
  expect(both.stderr).toContain("not both");
});

it("how a sequence stands is told in lines", () => {
  const found: SequenceWire = {
    id: "s",
    brand: "default",
    name: "trial",
    state: "paused",
    state_reason: "holiday",
    version: 2,
    enrolments: { total: 10_000, active: 9_000, done: 1_000, not_started: 400, paused: 1 },
    created_at: "2026-11-23T14:00:00.000Z",
    outcomes: { reached: 900, exited: 100 },
    steps: { first: 8_600, later: 400 },
    versions: [],
    lists: [
      {
        digest: "d",
        source_name: "trials.csv",
        rows: { read: 10_010, rejected: 7, duplicate: 3, accepted: 10_000 },
        never_dialed: [
          {
            reason: "no_common_window",
            region: "RU",
            zones: ["Europe/Moscow", "Asia/Omsk"],
            contacts: 2,
            why: "they may be anywhere",
            remedy: "give a time_zone",
          },
        ],
        through_line: 10_011,
        completed_at: null,
      },
    ],
    definition: {},
  };
  expect(statusLines(found)).toEqual([
    "trial is paused (holiday), version 2",
    "  enrolled  10,000: in it 9,000 · through 1,000",
    "  400 enrolments not begun yet",
    "  1 enrolment paused",
    "  at        first 8,600 · later 400",
    "  outcomes  reached 900 · exited 100",
    "  list trials.csv: 10,010 rows, 10,000 enrolled, 7 rejected, 3 in it already (only up to line 10011)",
    "  2 contacts of trials.csv can never be called under the windows of its calls:",
    "            2  RU: they may be anywhere",
    "               remedy: give a time_zone",
  ]);
});

it("one person's way is told in the order in which it was gone", () => {
  const enrolment: EnrolmentWire = {
    id: "e",
    sequence_id: "s",
    sequence: "trial",
    brand: "default",
    version: 1,
    phone: "+12025550143",
    region: "US",
    zones: ["America/New_York"],
    key: "",
    source: "api",
    state: "active",
    paused: false,
    step: "later",
    outcome: null,
    reason: null,
    created_at: "2026-11-23T14:00:00.000Z",
    started_at: "2026-11-23T14:00:01.000Z",
    wake_at: "2026-11-23T15:30:00.000Z",
    awaits_call: true,
    ended_at: null,
    variables: { name: "Ann" },
    calls: [
      {
        n: 1,
        campaign_id: "c",
        state: "done",
        outcome: "no_answer",
        reason: null,
        attempts: 2,
        due_at: "2026-11-23T14:00:01.000Z",
        held_by: [],
        call_id: "call-1",
        duration_seconds: null,
        ended_at: null,
      },
      {
        n: 2,
        campaign_id: "c",
        state: "open",
        outcome: null,
        reason: null,
        attempts: 0,
        due_at: "2026-11-23T14:30:00.000Z",
        held_by: [
          { reason: "stop_all", detail: "wrong list", since: "2026-11-23T14:40:00.000Z" },
          { reason: "paused", detail: "", since: null },
          { reason: "window", detail: "until 2026-11-24T14:00:00.000Z", since: null },
        ],
        call_id: null,
        duration_seconds: null,
        ended_at: null,
      },
    ],
    actions: [],
    journey: [
      { n: 1, at: "2026-11-23T14:00:01.000Z", step: "first", what: "call", detail: { call: 1 } },
      {
        n: 2,
        at: "2026-11-23T14:09:01.000Z",
        step: "first",
        what: "call_over",
        detail: { disposition: "no_answer" },
      },
      {
        n: 3,
        at: "2026-11-23T14:09:02.000Z",
        step: "rest",
        what: "waiting",
        detail: { until: "2026-11-25T15:00:00.000Z", calls: [1, 2] },
      },
    ],
  };
  const lines = enrolmentLines(enrolment);
  expect(lines.slice(0, 8)).toEqual([
    expect.stringMatching(
      /^\+12025550143 in trial, version 1: active at later, gives up 20.* America\/New_York \(.* UTC\)/,
    ),
    "  time zones: America/New_York; came by api",
    "  name = Ann",
    "  call 1: no_answer, 2 attempts, call-1",
    expect.stringMatching(/^ {2}call 2: open, 0 attempts, due .*\d\d:30/),
    expect.stringMatching(/^ {4}not made now: stop all \(wrong list\), since .*\d\d:40/),
    "    not made now: paused",
    "    not made now: window (until 2026-11-24 09:00:00 America/New_York (14:00:00 UTC))",
  ]);
  expect(lines.slice(8).map((line) => line.replace(/^.* UTC\)  /, ""))).toEqual([
    "first: call (call 1)",
    "first: call over (disposition no_answer)",
    "rest: waiting (until 2026-11-25 10:00:00 America/New_York (15:00:00 UTC), calls [1,2])",
  ]);
});

it("people of a sequence go on at a time of their own clocks", () => {
  const item: EnrolmentSummaryWire = {
    id: "e",
    sequence_id: "s",
    version: 1,
    phone: "+12025550143",
    zones: ["America/New_York", "America/Los_Angeles"],
    key: "",
    source: "api",
    state: "active",
    paused: false,
    step: "later",
    outcome: null,
    reason: null,
    created_at: "2026-11-23T14:00:00.000Z",
    started_at: "2026-11-23T14:00:01.000Z",
    wake_at: "2026-11-23T19:30:00.000Z",
    awaits_call: true,
    ended_at: null,
  };
  expect(enrolmentRow(item)).toEqual([
    "+12025550143",
    "active",
    "later",
    "2026-11-23 06:00:00 America/Los_Angeles to 09:00:00 America/New_York (14:00:00 UTC)",
    "gives up 2026-11-23 11:30:00 America/Los_Angeles to 14:30:00 America/New_York (19:30:00 UTC)",
    "e",
  ]);
  expect(enrolmentRow({ ...item, wake_at: null, zones: [] })).toMatchObject({
    3: "2026-11-23 14:00:00 UTC",
    4: "",
  });
});
