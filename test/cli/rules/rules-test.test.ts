import { describe, expect, it } from "vitest";

import { outdial, temporaryFolder, writeFile } from "../support.ts";

const SPEC = `name: spring
agent_id: 11111111-1111-4111-8111-111111111111
from_numbers: ["+12025550100"]
concurrency: 1
`;
const RULES = `${SPEC}analysis:
  rules:
    - { when: call.analysis.interested == true && call.duration_seconds > 20, disposition: callback_requested }
follow_ups:
  - id: warm
    on: [callback_requested]
    actions: [{ tag: { tag: warm } }]
`;

const call = (id: string, changes: object = {}) => ({
  call_id: id,
  status: "ended",
  duration_seconds: 44,
  processing_status: "completed",
  call_analysis: { interested: true },
  ...changes,
});

const CALLS = [
  call("call-1"),
  call("call-2", { duration_seconds: 10 }),
  call("call-3", { call_analysis: null }),
  call("call-4", { status: "connected" }),
];

describe("outdial rules test", () => {
  const folder = () => {
    const at = temporaryFolder();
    return {
      spec: writeFile(at, "new.yaml", RULES),
      old: writeFile(at, "old.yaml", SPEC),
      calls: writeFile(at, "calls.json", JSON.stringify(CALLS)),
      at,
    };
  };

  it("says of each call which rule decides and what would follow, and counts them", async () => {
    const { spec, calls } = folder();
    const { code, stdout } = await outdial(["rules", "test", spec, "--calls", calls]);
    expect(code).toBe(0);
    expect(stdout.split("\n").slice(0, -1)).toEqual([
      "call-1  callback_requested  (rule 1: call.analysis.interested == true && call.duration_seconds > 20)",
      "  follow-up warm: tag warm",
      "call-2  answered  (call ended, 10 s)",
      expect.stringMatching(
        /^call-3 {2}answered {2}\(call ended, 44 s; no value: rule 1 finds no interested/,
      ),
      "call-4  not over  (call connected: not over)",
      "4 calls: answered 2, callback_requested 1",
      "not over: 1",
      "decided by rule 1: 1",
      "followed up by warm: 1",
      expect.stringMatching(/^no value for 1 call: rule 1 finds no interested/),
    ]);
  });

  it("compares with rules as they were: only the calls that change are shown, with counts and samples", async () => {
    const { spec, old, calls } = folder();
    const { stdout } = await outdial(["rules", "test", spec, "--calls", calls, "--against", old]);
    expect(stdout).toContain("call-1  answered -> callback_requested  (rule 1");
    expect(stdout).toContain("  follow-ups were: none");
    expect(stdout).not.toContain("call-2  ");
    expect(stdout).toContain("1 call of 4 would come out otherwise");
    expect(stdout).toContain("  answered -> callback_requested: 1, such as call-1");
    expect(stdout).toContain("  other follow-ups: 1");
    const same = await outdial(["rules", "test", spec, "--calls", calls, "--against", spec]);
    expect(same.stdout).toContain("no call changes");
  });

  it("reads files that begin with the mark of their encoding, and refuses those that hold no call", async () => {
    const { spec, at } = folder();
    for (const text of [JSON.stringify(CALLS), CALLS.map((one) => JSON.stringify(one)).join("\r\n")]) {
      const marked = writeFile(at, "marked.json", `\uFEFF${text}`);
      const { stdout } = await outdial(["rules", "test", spec, "--calls", marked]);
      expect(stdout).toContain("4 calls: answered 2, callback_requested 1");
    }
    for (const text of ["", "\n", "[]", '{"items": []}']) {
      const none = writeFile(at, "none.json", text);
      const { code, stderr } = await outdial(["rules", "test", spec, "--calls", none]);
      expect(stderr).toContain("none.json holds no call: give calls that are over");
      expect(code).toBe(2);
    }
  });

  it("tells a program all of it", async () => {
    const { spec, old, calls } = folder();
    const { stdout } = await outdial([
      "rules",
      "test",
      spec,
      "--calls",
      calls,
      "--against",
      old,
      "--limit",
      "3",
      "--json",
    ]);
    expect(JSON.parse(stdout)).toMatchObject({
      against: old,
      items: [
        {
          call_id: "call-1",
          disposition: "callback_requested",
          rule: 1,
          differs: ["disposition", "follow_ups"],
          before: { disposition: "answered" },
        },
        { call_id: "call-2", rule: null, differs: [] },
        { call_id: "call-3", problems: [expect.stringContaining("finds no interested")] },
      ],
      summary: {
        calls: 3,
        undecided: 0,
        dispositions: { answered: 2, callback_requested: 1 },
        by_rule: { 1: 1 },
        follow_ups: { warm: 1 },
        changed: { calls: 1, dispositions: [{ from: "answered", to: "callback_requested", calls: 1 }] },
      },
      has_more: true,
    });
  });

  it("takes one call, a page, a list, and NDJSON", async () => {
    const { spec, at } = folder();
    const one = JSON.stringify(call("only"));
    for (const [name, text] of [
      ["one.json", JSON.stringify(call("only"), null, 2)],
      ["page.json", JSON.stringify({ items: [call("only")], total: 1 })],
      ["calls.ndjson", `${one}\n\n${JSON.stringify(call("other"))}\n`],
    ] as const) {
      const { stdout, code } = await outdial(["rules", "test", spec, "--calls", writeFile(at, name, text)]);
      expect(code).toBe(0);
      expect(stdout).toContain("only  callback_requested");
    }
  });

  it("refuses what is no call, and what it can't do, and says where", async () => {
    const { spec, at, calls } = folder();
    const refused = async (args: string[]) => (await outdial(["rules", "test", ...args])).stderr;
    const bad = writeFile(at, "bad.ndjson", `${JSON.stringify(call("x"))}\n{"status": "ended"}\n`);
    expect(await refused([spec, "--calls", bad])).toMatch(/bad\.ndjson:2: call_id: is missing/);
    expect(await refused([spec, "--calls", writeFile(at, "no.ndjson", "{}\nnothing")])).toMatch(
      /no\.ndjson:1: call_id/,
    );
    expect(await refused([spec])).toMatch(/either --calls FILE or --campaign NAME/);
    expect(await refused([spec, "--calls", calls, "--campaign", "spring"])).toMatch(/either --calls/);
    expect(await refused([spec, "--calls", calls, "--step", "first"])).toMatch(
      /--step: goes with a sequence only/,
    );
    const typo = writeFile(at, "typo.yaml", RULES.replace("call.duration_seconds", "call.duration"));
    expect(await refused([typo, "--calls", calls])).toMatch(
      /line 7: analysis\.rules\[0\]\.when: .*call\.duration_seconds may be meant/,
    );
  });
});
