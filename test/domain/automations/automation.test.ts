import { describe, expect, it } from "vitest";

import {
  definitionOfExport,
  markOf,
  meetsExpectation,
  readAutomationDefinition,
  withMark,
  withoutMark,
  workflowFileOf,
} from "../../../src/domain/automations/automation.ts";
import {
  isRerunOpen,
  NEW_MEMORY,
  noted,
  RERUN_STATES,
  withRerun,
  type Build,
  type Memory,
  type Rerun,
} from "../../../src/domain/automations/automation-memory.ts";
import {
  afterFailure,
  AUTOMATION_STATES,
  beginTarget,
  contentOf,
  forgetDrifted,
  isOnItsWay,
  nextStep,
  promote,
  testKeyOf,
  type Step,
  type Wants,
} from "../../../src/domain/automations/automation-state.ts";
import { executionEndOf } from "../../../src/domain/ground/execution-status.ts";

const WANTS: Wants = {
  source: "s",
  made: "create",
  refine: [],
  settings: "set",
  secrets: { key: "d" },
  test: "t",
  testsDeployed: false,
  active: true,
  links: "l",
  repeat: "never",
};

/** A build that is all that WANTS says; `changes` take something back. */
function build(changes: Partial<Build> = {}, wants = WANTS): Build {
  const made: Build = {
    n: 1,
    workflowId: "w1",
    source: "s",
    refined: [],
    settings: "set",
    secrets: { key: "d" },
    active: true,
    links: "l",
    version: 1,
  };
  const content = contentOf({ ...made, ...changes });
  const tested = testKeyOf({ ...made, ...changes }, wants);
  return { ...made, checked: content, deployed: content, tested, ...changes };
}

const memory = (changes: Partial<Memory> = {}): Memory => ({ ...NEW_MEMORY, builds: 1, ...changes });

/** The target and what is live alike. */
const both = (changes: Partial<Build> = {}, more: Partial<Memory> = {}): Memory =>
  memory({ target: build(changes), live: build(), ...more });

const shown = (step: Step) => Object.values(step).join(" ");

describe("the next step of an automation", () => {
  it.each<[string, Memory, Partial<Wants>, string]>([
    ["nothing is begun", memory(), {}, "begin"],
    ["a new one is to be made", memory({ target: { n: 1, source: "s", refined: [] } }), {}, "create"],
    [
      "it is to be written by the platform",
      memory({ target: { n: 1, source: "s", refined: [] } }),
      { made: "generate" },
      "generate",
    ],
    [
      "it is to be refined",
      memory({ target: build({ refined: ["a"], moved: true }) }),
      { refine: ["a", "b"] },
      "refine 1",
    ],
    [
      "a request may have been sent",
      both({}, { sent: { step: "create", atMs: 0, certainAtMs: 1 } }),
      {},
      "look",
    ],
    [
      "one that was deployed, and is not live yet, has other secrets by now: it is deployed before it is tested",
      memory({ target: build({ n: 2, deployed: "before", tested: undefined }), live: build() }),
      {},
      "deploy",
    ],
    ["settings differ", both({ settings: "old" }), {}, "settings"],
    ["a secret has another value", both({ secrets: { key: "old" } }), {}, "secrets"],
    ["a secret is declared no more", both(), { secrets: {} }, "settle"],
    ["nobody looked what it needs", both({ checked: undefined }), {}, "check"],
    [
      "a new one is untested",
      memory({ target: build({ deployed: undefined, tested: undefined }) }),
      {},
      "test",
    ],
    [
      "a new one's test has data",
      memory({ target: build({ deployed: undefined, tested: undefined }) }),
      { testsDeployed: true },
      "deploy",
    ],
    ["a changed one is untested", both({ deployed: undefined, tested: undefined }), {}, "deploy"],
    ["a changed one is deployed", both({ tested: undefined }), {}, "test"],
    [
      "there is no test",
      memory({ target: build({ deployed: undefined, tested: undefined }) }),
      { test: undefined },
      "deploy",
    ],
    ["it works", memory({ target: build() }), {}, "promote"],
    ["it is not to be active", both(), { active: false }, "activate false"],
    ["its agents differ", both({ links: "old" }), {}, "links"],
    ["its agents are not declared", both({ links: "old" }), { links: undefined }, "settle"],
    ["all is as declared", both(), {}, "settle"],
    [
      "it replaced another one, and may not run twice",
      both({ links: "old" }, { former: [{ workflowId: "w0", isQuiet: false }] }),
      {},
      "quiet w0",
    ],
    [
      "it replaced another one, and may run twice",
      both({ links: "old" }, { former: [{ workflowId: "w0", isQuiet: false }] }),
      { repeat: "safe" },
      "links",
    ],
    [
      "too many replaced ones are kept",
      both({}, { former: ["a", "b", "c", "d"].map((workflowId) => ({ workflowId, isQuiet: true })) }),
      {},
      "delete d former",
    ],
    [
      "another definition came, and the new build is unfinished",
      memory({ target: build({ n: 2, workflowId: "w2" }), live: build() }),
      { source: "x" },
      "delete w2 unfinished",
    ],
    [
      "another definition came, and the live one is half changed",
      both({ refined: ["a"], moved: true }),
      { refine: ["b"] },
      "undo another definition took its place",
    ],
    ["another definition came, and nothing was done yet", both(), { source: "x" }, "begin"],
    [
      "another definition came, and the new build is not on the platform yet",
      memory({ target: { n: 2, source: "s", refined: [] }, live: build() }),
      { source: "x" },
      "begin",
    ],
    ["an earlier version is to come back", both({ restoring: 3, settings: "old" }), {}, "restore 3"],
    ["one of two secrets is missing", both({}), { secrets: { key: "d", other: "e" } }, "secrets"],
    ["none of its secrets is told yet", both({ secrets: undefined }), {}, "secrets"],
    ["a secret came to a new one that is deployed", both({ deployed: "before" }), {}, "deploy"],
    ["it was deployed, and is to be tested", both({ tested: "before" }), {}, "test"],
    ["it was deployed, and there is no test", both({ tested: "before" }), { test: undefined }, "promote"],
    ["a changed one works", both({ moved: true }), {}, "promote"],
    ["another version was brought back", both({}, { live: build({ pinned: 3 }) }), {}, "promote"],
    ["another one works", both({}, { live: build({ n: 2 }) }), {}, "promote"],
    ["its test is newer than what works", both({}, { live: build({ tested: "x" }) }), {}, "promote"],
    ["what works was deployed before", both({}, { live: build({ deployed: "x" }) }), {}, "promote"],
    [
      "it replaced another one, may run twice, and is as declared",
      both({}, { former: [{ workflowId: "w0", isQuiet: false }] }),
      { repeat: "safe" },
      "quiet w0",
    ],
    [
      "it is to be active first, since it may run twice",
      both({ active: false }, { former: [{ workflowId: "w0", isQuiet: false }] }),
      { repeat: "safe" },
      "activate true",
    ],
    [
      "as many replaced ones are kept as may be",
      both({}, { former: ["a", "b", "c"].map((workflowId) => ({ workflowId, isQuiet: true })) }),
      {},
      "settle",
    ],
    [
      "its agents are to be told, once it is active",
      both({ active: false, links: "old" }),
      {},
      "activate true",
    ],
  ])("where %s", (_, at, changes, expected) => {
    expect(shown(nextStep("changing", at, { ...WANTS, ...changes }))).toBe(expected);
  });

  it.each<[string, Memory, string]>([
    [
      "the new build goes",
      memory({ target: build({ n: 2, workflowId: "w2" }), live: build() }),
      "delete w2 unfinished",
    ],
    ["the version that was live comes back", both({ moved: true, refined: ["a"] }), "restore 1"],
    ["and is deployed", both({ deployed: undefined }), "deploy"],
    ["a first one that is deployed goes out of service", memory({ target: build() }), "activate false"],
    ["a first one that is not stays as it is", memory({ target: build({ deployed: undefined }) }), "undone"],
    [
      "one that is not to be active is not",
      memory({ target: build(), live: build({ active: false }) }),
      "activate false",
    ],
    ["nothing is left", both(), "undone"],
    ["nothing was begun", memory({ live: build() }), "undone"],
    [
      "nothing is on the platform yet",
      memory({ target: { n: 2, source: "s", refined: [] }, live: build() }),
      "undone",
    ],
    ["a first one that is out of service already", memory({ target: build({ active: false }) }), "undone"],
    [
      "the version that was live is unknown, and it is deployed as it was",
      memory({ target: build({ moved: true }), live: build({ version: undefined }) }),
      "undone",
    ],
    [
      "one that was never deployed is not deployed",
      memory({ target: build(), live: build({ deployed: undefined }) }),
      "undone",
    ],
    [
      "one that was out of service, and is again",
      memory({ target: build({ active: false }), live: build({ active: false }) }),
      "undone",
    ],
  ])("of what is undone: %s", (_, at, expected) => {
    expect(shown(nextStep("undoing", at, WANTS))).toBe(expected);
  });

  it.each<[string, Memory, string]>([
    [
      "the unfinished build goes first",
      memory({ target: build({ n: 2, workflowId: "w2" }), live: build() }),
      "delete w2 unfinished",
    ],
    ["then what is live", memory({ live: build() }), "delete w1 live"],
    ["then what was replaced", memory({ former: [{ workflowId: "w0", isQuiet: true }] }), "delete w0 former"],
    ["what is live stays where that is wanted", memory({ live: build(), keepLive: true }), "removed"],
    ["then nothing is left", memory(), "removed"],
    ["a changed one that is live is no unfinished one", both(), "delete w1 live"],
    ["a first one that never worked goes", memory({ target: build() }), "delete w1 unfinished"],
    [
      "one that was never made leaves nothing",
      memory({ target: { n: 2, source: "s", refined: [] }, keepLive: true }),
      "removed",
    ],
    [
      "replaced ones stay as well where what is live does",
      memory({ live: build(), former: [{ workflowId: "w0", isQuiet: true }], keepLive: true }),
      "removed",
    ],
  ])("of a removal: %s", (_, at, expected) => {
    expect(shown(nextStep("removing", at, WANTS))).toBe(expected);
  });
});

describe("a change of an automation", () => {
  it("goes on with the live build where that can become what is declared, and begins another one where not", () => {
    const live = memory({ live: build({ refined: ["a"] }) });
    expect(beginTarget(live, { ...WANTS, refine: ["a", "b"] }).target).toMatchObject({ n: 1 });
    expect(beginTarget(live, { ...WANTS, refine: ["b"] })).toMatchObject({
      builds: 2,
      target: { n: 2, refined: [] },
    });
    expect(beginTarget(live, { ...WANTS, source: "x", refine: ["a"] }).target).not.toHaveProperty(
      "workflowId",
    );
  });

  it("does what a person asked for: tests it, deploys it, or brings a version back, and no more", () => {
    const asked = (request: NonNullable<Memory["asked"]>) =>
      beginTarget(memory({ live: build(), asked: request }), WANTS).target;
    const { tested: _tested, ...untested } = build();
    const { deployed: _deployed, ...undeployed } = build();
    expect(beginTarget(memory({ live: build() }), WANTS)).toEqual(memory({ live: build(), target: build() }));
    expect(asked({ kind: "test" })).toEqual(untested);
    expect(asked({ kind: "test", version: 3 })).toEqual(untested);
    expect(asked({ kind: "deploy" })).toEqual(undeployed);
    expect(asked({ kind: "restore", version: 3 })).toEqual({ ...build(), restoring: 3, pinned: 3 });
    expect(asked({ kind: "restore" })).toEqual(build());
    expect(beginTarget(memory(), WANTS)).toEqual(
      memory({ builds: 2, target: { n: 2, source: "s", refined: [] } }),
    );
  });

  it("has a content that changes with all that it does: its refinements, its version, its secrets", () => {
    expect(
      contentOf({ n: 1, source: "s", refined: ["a", "b"], pinned: 3, secrets: { z: "1", k: "2" } }),
    ).toBe("s/a/b/v3/k=2/z=1");
    expect(contentOf({ n: 2, source: "s", refined: [] })).toBe("s/v");
    expect(testKeyOf({ n: 1, source: "s", refined: [] }, WANTS)).toBe("s/v/t");
    expect(testKeyOf({ n: 1, source: "s", refined: [] }, { ...WANTS, test: undefined })).toBe("s/v/");
  });

  it("is undone only before it works, and only where there is something to take back", () => {
    expect(afterFailure(memory({ target: build({ deployed: undefined }) }))).toBe("fail");
    expect(afterFailure(memory({ target: build() }))).toBe("undo");
    expect(afterFailure(both({ deployed: undefined }))).toBe("undo");
    expect(afterFailure(both())).toBe("fail");
    expect(afterFailure(both({}, { asked: { kind: "test" } }))).toBe("stay");
  });

  it("keeps nothing of a first one, nor of one that was changed in place", () => {
    const quiet = { workflowId: "w0", isQuiet: true };
    expect(promote(memory({ target: build() }))).toEqual(memory({ target: build(), live: build() }));
    expect(promote(both({ active: false }, { former: [quiet] })).former).toEqual([quiet]);
    const unmade = memory({ target: build({ n: 2 }), live: build({ workflowId: undefined }) });
    expect(promote(unmade).former).toEqual([]);
    expect(promote(memory({ live: build() }))).toEqual(memory({ live: build() }));
    const second = memory({ target: build({ n: 2, workflowId: "w2" }), live: build(), former: [quiet] });
    expect(promote(second).former).toEqual([{ workflowId: "w1", isQuiet: false }, quiet]);
  });

  it("keeps what it replaced, to be taken out of service", () => {
    const after = promote(memory({ target: build({ n: 2, workflowId: "w2", moved: true }), live: build() }));
    expect(after.live).toMatchObject({ workflowId: "w2" });
    expect(after.live).not.toHaveProperty("moved");
    expect(after.former).toEqual([{ workflowId: "w1", isQuiet: false }]);
  });

  it("brings back what was changed by hand, by its version or by another build", () => {
    const drift = { found: "", foundAt: "2027-01-01T00:00:00.000Z" };
    const definition = memory({ live: build(), drift: { ...drift, facets: ["definition"] } });
    expect(forgetDrifted(definition).live).toMatchObject({ restoring: 1 });
    const nameless = memory({
      live: build({ version: undefined }),
      drift: { ...drift, facets: ["definition"] },
    });
    const another = beginTarget(forgetDrifted(nameless), WANTS);
    expect(another.target).toMatchObject({ n: 2 });
    // The one that was changed is taken out of service when that works.
    const works = promote({ ...another, target: build({ n: 2, workflowId: "w2" }) });
    expect(works.former).toEqual([{ workflowId: "w1", isQuiet: false }]);
    expect(
      forgetDrifted(memory({ live: build(), drift: { ...drift, facets: ["missing"] } })).live,
    ).toBeUndefined();
    const links = forgetDrifted(memory({ live: build(), drift: { ...drift, facets: ["links"] } })).live;
    expect(links).not.toHaveProperty("links");
    expect(links).toMatchObject({ active: true, settings: "set" });
    const forgotten = (facets: NonNullable<Memory["drift"]>["facets"]) =>
      forgetDrifted(memory({ live: build(), drift: { ...drift, facets } })).live;
    const { settings: _settings, ...unset } = build();
    const { active: _active, ...inactive } = build();
    expect(forgotten(["settings"])).toEqual(unset);
    expect(forgotten(["active"])).toEqual(inactive);
    expect(forgotten([])).toEqual(build());
    expect(forgotten(["definition", "settings"])).toEqual({ ...unset, restoring: 1 });
    expect(forgetDrifted(memory({ live: build() })).live).toEqual(build());
    expect(forgetDrifted(memory({ drift: { ...drift, facets: ["links"] } }))).not.toHaveProperty("live");
  });

  it("is on its way while its workflow has steps to take", () => {
    expect(AUTOMATION_STATES.filter(isOnItsWay)).toEqual(["changing", "undoing", "removing"]);
  });

  it("keeps the newest 60 notes of its steps", () => {
    const note = (n: number) => ({ step: `s${n}`, at: "2027-01-01T00:00:00.000Z", found: "" });
    const notes = Array.from({ length: 61 }, (_, n) => note(n));
    const all = notes.reduce(noted, memory());
    expect(all.steps).toHaveLength(60);
    expect([all.steps[0], all.steps.at(-1)]).toEqual([note(1), note(60)]);
  });

  it("keeps every rerun that is open, and the newest 50 that are over", () => {
    const rerun = (n: number, state: Rerun["state"]): Rerun => ({
      id: `r${n}`,
      of: "e",
      actor: "a",
      atMs: n,
      state,
    });
    const RERUNS = [
      rerun(0, "due"),
      rerun(1, "running"),
      rerun(2, "failed"),
      rerun(3, "unknown"),
      ...Array.from({ length: 49 }, (_, n) => rerun(n + 4, "done")),
    ];
    const all = RERUNS.reduce(withRerun, memory());
    expect(all.reruns.map(({ id }) => id)).toEqual(RERUNS.map(({ id }) => id).filter((id) => id !== "r2"));
    const ended = withRerun(all, rerun(0, "done"));
    expect(ended.reruns[0]).toEqual(rerun(1, "running"));
    expect(ended.reruns).toHaveLength(51);
    // Those that are open take none of the places, the newest least of all.
    const open = Array.from({ length: 3 }, (_, n) => rerun(n + 100, "due")).reduce(withRerun, ended);
    expect(open.reruns.map(({ id }) => id)).toEqual([
      ...ended.reruns.map(({ id }) => id),
      "r100",
      "r101",
      "r102",
    ]);
    const changed = withRerun(withRerun(memory(), rerun(0, "due")), rerun(0, "running"));
    expect(changed.reruns).toEqual([rerun(0, "running")]);
    expect(RERUN_STATES.filter((state) => isRerunOpen(rerun(0, state)))).toEqual(["due", "running"]);
  });
});

describe("an automation's declaration", () => {
  const DECLARED = { name: "crm-sync", trigger_type: "post_call", workflow: { nodes: [] } };
  const problemsOf = (changes: Record<string, unknown>) => {
    const reading = readAutomationDefinition({ ...DECLARED, ...changes });
    return reading.ok ? [] : reading.problems.map(({ field, problem }) => `${field} ${problem}`);
  };

  it("is read with its defaults, and reading it again changes nothing", () => {
    const reading = readAutomationDefinition(DECLARED);
    expect(reading).toMatchObject({
      ok: true,
      definition: { active: true, repeat: "never", secrets: {}, alerts: { failed: true }, drift: "repair" },
    });
    expect(reading.ok && readAutomationDefinition(reading.definition)).toEqual(reading);
  });

  it("is refused with every problem at once, in plain words", () => {
    const problems = problemsOf({
      name: "CRM",
      trigger_type: "often",
      generate: "also",
      agents: [{ agent_id: "a" }, { agent_id: "a" }],
      secrets: { KEY: { secret: "Not a name" } },
      test: { expect: "result.sttus ==" },
      alerts: { longer_than: "soon" },
      colour: "red",
    });
    expect(problems).toHaveLength(8);
    expect(problems.join("\n")).toMatch(
      /colour is not a field[^]*generate can't stand[^]*agents\[1\]\.agent_id is there/,
    );
    expect(problemsOf({ name: "health" })).toEqual(["name is taken by the API: choose another name"]);
    expect(problemsOf({ workflow: undefined })).toEqual(["workflow is missing: give workflow, or generate"]);
    expect(problemsOf({ workflow: { file: "a.json" } })).toHaveLength(1);
    expect(workflowFileOf({ workflow: { file: "a.json" } })).toBe("a.json");
    for (const value of [undefined, {}, { workflow: {} }, { workflow: { file: 7 } }, { workflow: null }])
      expect(workflowFileOf(value)).toBeUndefined();
    expect(workflowFileOf({ workflow: { file: "a.json", nodes: [] } })).toBeUndefined();
    expect(workflowFileOf({ workflow: { nodes: "a.json" } })).toBeUndefined();
  });

  it("holds what the platform takes, to the bound", () => {
    const words = (count: number) => "x".repeat(count);
    expect(problemsOf({ workflow: { a: words(512 * 1024 - 8) } })).toEqual([]);
    expect(problemsOf({ workflow: { a: words(512 * 1024 - 7) } })).toEqual([
      "workflow is larger than 512 KB: give a smaller one",
    ]);
    expect(problemsOf({ workflow: { file: "a.json" } })).toEqual([
      "workflow names a file, which only the command line reads: give what is in it",
    ]);
    const agents = (...ids: string[]) => ({ agents: ids.map((agent_id) => ({ agent_id })) });
    expect(problemsOf(agents("a", "b"))).toEqual([]);
    expect(problemsOf(agents("a", "b", "b", "a"))).toEqual([
      "agents[2].agent_id is there already: name each agent once",
      "agents[3].agent_id is there already: name each agent once",
    ]);
    expect(problemsOf({ refine: ["shorter"] })).toEqual([
      "refine goes with generate only: change the workflow itself",
    ]);
    expect(problemsOf({ workflow: undefined, generate: "a sync", refine: ["shorter"] })).toEqual([]);
    const secrets = (count: number) => ({
      secrets: Object.fromEntries(Array.from({ length: count }, (_, n) => [`K${n}`, { secret: "crm" }])),
    });
    expect(problemsOf(secrets(50))).toEqual([]);
    expect(problemsOf(secrets(51))).toEqual(["secrets may have 50 at most"]);
    for (const longer_than of ["1ms", "7d"]) expect(problemsOf({ alerts: { longer_than } })).toEqual([]);
    for (const longer_than of ["0s", "8d", "soon"])
      expect(problemsOf({ alerts: { longer_than } })).toEqual([
        "alerts.longer_than must be a duration up to 7d such as 45s, 10m or 1h30m",
      ]);
    for (const name of ["a", "9", `a${"b".repeat(62)}`]) expect(problemsOf({ name }), name).toEqual([]);
    for (const name of ["", "-a", "aB", `a${"b".repeat(63)}`])
      expect(problemsOf({ name }), name).toEqual([
        "name may hold lower-case letters, digits, dashes and underscores, 63 at most",
      ]);
  });

  it("meets what its test is to come to by what the platform says of the run", () => {
    const result = { status: "success", output: { rows: 3 }, error: undefined, executionId: "e1" };
    const meets = (expected: string, changes: object = {}) =>
      meetsExpectation(expected, { ...result, ...changes }, Date.parse("2027-05-01T00:00:00Z"));
    const yes = { ok: true, value: true };
    expect(meets('result.status == "success" && output.rows == 3 && result.output.rows == 3')).toEqual(yes);
    expect(meets('result.error == null && result.execution_id == "e1"')).toEqual(yes);
    expect(meets('result.error == "late"', { error: "late" })).toEqual(yes);
    expect(meets("result.execution_id == null", { executionId: undefined })).toEqual(yes);
    expect(meets("output == null && result.output == null", { output: undefined })).toEqual(yes);
    expect(meets('now == instant("2027-05-01T00:00:00Z")')).toEqual(yes);
    expect(meets("output.rows > 3")).toEqual({ ok: true, value: false });
  });

  it("carries its mark in the last line of its description, which is taken off again", () => {
    const id = "11111111-1111-4111-8111-111111111111";
    const mark = markOf(id, 12);
    expect(mark).toBe(`outdial:${id}#12`);
    expect([withMark(undefined, mark), withMark("", mark), withMark("A\nB", mark)]).toEqual([
      mark,
      mark,
      `A\nB\n\n${mark}`,
    ]);
    expect(
      [`A\n${mark}  \n`, `A\n\noutdial:${id}`, `${mark} A`, "A\n", `A #${mark}`].map(withoutMark),
    ).toEqual(["A", "A", `${mark} A`, "A\n", "A #"]);
  });

  it("is made from what the platform exported, without our mark", () => {
    const mark = markOf("11111111-1111-4111-8111-111111111111", 12);
    const exported = {
      name: "CRM sync (v2)",
      description: withMark("keeps it up to date", mark),
      trigger_type: "post_call",
      trigger_config: null,
      workflow_json: { nodes: [] },
    };
    const made = definitionOfExport(exported, { active: false });
    expect(made).toEqual({
      ok: true,
      value: {
        name: "crm-sync-v2",
        description: "keeps it up to date",
        trigger_type: "post_call",
        workflow: { nodes: [] },
        active: false,
      },
    });
    expect(made.ok && readAutomationDefinition(made.value).ok).toBe(true);
    expect(withoutMark(mark)).toBe("");
    expect(definitionOfExport({ name: "x" }, {})).toEqual({
      ok: false,
      problem: "is not an exported automation: give the JSON of `outdial automation export`",
    });
    const named = (name: string | undefined) => {
      const read = definitionOfExport({ name, description: null, workflow_json: {} }, { active: undefined });
      return read.ok ? read.value : read.problem;
    };
    expect(named("__A--b!!C  d__")).toEqual({ name: "a--b-c-d", workflow: {} });
    expect(named("x".repeat(70))).toEqual({ name: "x".repeat(63), workflow: {} });
    expect(named("!!!")).toEqual({ workflow: {} });
    expect(named(undefined)).toEqual({ workflow: {} });
  });
});

it("knows the ends of executions by their words, and takes no unknown word for one", () => {
  const words = [
    "success",
    "Completed",
    "failed",
    "timed out",
    "timeout",
    "skipped",
    "running",
    "waiting",
    undefined,
  ];
  expect(words.map(executionEndOf)).toEqual([
    "succeeded",
    "succeeded",
    "failed",
    "timed_out",
    "timed_out",
    "skipped",
    undefined,
    undefined,
    undefined,
  ]);
});
