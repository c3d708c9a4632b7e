import { describe, expect, it } from "vitest";

import {
  definitionOfExport,
  markOf,
  readAutomationDefinition,
  withMark,
  withoutMark,
  workflowFileOf,
} from "../../../src/domain/automations/automation.ts";
import { NEW_MEMORY, type Build, type Memory } from "../../../src/domain/automations/automation-memory.ts";
import {
  afterFailure,
  beginTarget,
  contentOf,
  forgetDrifted,
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

  it("is undone only before it works, and only where there is something to take back", () => {
    expect(afterFailure(memory({ target: build({ deployed: undefined }) }))).toBe("fail");
    expect(afterFailure(memory({ target: build() }))).toBe("undo");
    expect(afterFailure(both({ deployed: undefined }))).toBe("undo");
    expect(afterFailure(both())).toBe("fail");
    expect(afterFailure(both({}, { asked: { kind: "test" } }))).toBe("stay");
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
    expect(beginTarget(forgetDrifted(nameless), WANTS).target).toMatchObject({ n: 2 });
    expect(
      forgetDrifted(memory({ live: build(), drift: { ...drift, facets: ["missing"] } })).live,
    ).toBeUndefined();
    const links = forgetDrifted(memory({ live: build(), drift: { ...drift, facets: ["links"] } })).live;
    expect(links).not.toHaveProperty("links");
    expect(links).toMatchObject({ active: true });
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
    expect(definitionOfExport({ name: "x" }, {}).ok).toBe(false);
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
