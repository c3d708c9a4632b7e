import type { Build, Memory } from "./automation-memory.ts";

/*
 * Where an automation stands, and which step comes next.
 *
 * 1. An automation of the platform that can't be changed into what is declared (another definition, another trigger:
 *    contract 4.5 has no request for that) is replaced: a build of its own is brought up beside it and takes its
 *    place when it is tested and deployed. Until then nothing that works is touched.
 * 2. What fails before that is undone: a build of its own is deleted, a changed one gets its version back.
 * 3. From `promote` on nothing is undone any more: what is left is finished.
 */

export const AUTOMATION_STATES = [
  /** It is being brought to what is declared. */
  "changing",
  /** What was begun failed, and is being taken back. */
  "undoing",
  /** It is as declared. */
  "ready",
  /** A step needs a person. What was live before is live. */
  "failed",
  /** It is being taken off the platform. */
  "removing",
  "removed",
] as const;

export type AutomationState = (typeof AUTOMATION_STATES)[number];

/** The states in which its workflow takes steps. */
export type OnItsWay = Extract<AutomationState, "changing" | "undoing" | "removing">;

/** Whether its workflow has something to do about it. */
export function isOnItsWay(state: AutomationState): state is OnItsWay {
  return state === "changing" || state === "undoing" || state === "removing";
}

/** What is declared, as far as the order of the steps depends on it. Digests, and no values. */
export interface Wants {
  source: string;
  made: "create" | "generate";
  refine: readonly string[];
  settings: string;
  /** Keyed digests of the values, by key. */
  secrets: Readonly<Record<string, string>>;
  /** Undefined: there is no test run. */
  test: string | undefined;
  /** The test run has data, which the platform takes for what is deployed only. */
  testsDeployed: boolean;
  active: boolean;
  /** Undefined: links are left as they are. */
  links: string | undefined;
  repeat: "safe" | "never";
}

export type Step =
  /** Finds out what became of a request that was sent. */
  | { kind: "look" }
  /** Decides whether the live build is changed or replaced. */
  | { kind: "begin" }
  | { kind: "create" }
  | { kind: "generate" }
  | { kind: "refine"; index: number }
  | { kind: "restore"; version: number }
  | { kind: "settings" }
  | { kind: "secrets" }
  | { kind: "check" }
  | { kind: "test" }
  | { kind: "deploy" }
  /** What was brought up is what works from now on. */
  | { kind: "promote" }
  | { kind: "activate"; active: boolean }
  | { kind: "links" }
  /** Takes a build out of service that was replaced. */
  | { kind: "quiet"; workflowId: string }
  | { kind: "delete"; workflowId: string; what: "unfinished" | "former" | "live" }
  | { kind: "undo"; why: string }
  | { kind: "undone" }
  | { kind: "settle" }
  | { kind: "removed" };

/** Replaced builds that are kept. */
const MOST_FORMER = 3;

/** The step that comes next. Pure: the same again until something is written. */
export function nextStep(state: OnItsWay, memory: Memory, wants: Wants): Step {
  if (memory.sent) return { kind: "look" };
  if (state === "removing") return removal(memory);
  if (state === "undoing") return undoing(memory);
  return bringingUp(memory, wants) ?? finishing(memory, wants);
}

function bringingUp(memory: Memory, wants: Wants): Step | undefined {
  const { target, live } = memory;
  if (!target) return { kind: "begin" };
  if (!canBecome(target, wants)) return leaving(memory, target);
  if (target.workflowId === undefined) return { kind: wants.made };
  if (target.restoring !== undefined) return { kind: "restore", version: target.restoring };
  if (target.refined.length < wants.refine.length) return { kind: "refine", index: target.refined.length };
  if (target.settings !== wants.settings) return { kind: "settings" };
  if (!sameSecrets(target.secrets, wants.secrets)) return { kind: "secrets" };
  const content = contentOf(target);
  if (target.checked !== content) return { kind: "check" };
  const mustTest = wants.test !== undefined && target.tested !== testKeyOf(target, wants);
  const isFirst = target.deployed === undefined && target.n !== live?.n;
  if (mustTest && isFirst && !wants.testsDeployed) return { kind: "test" };
  if (target.deployed !== content) return { kind: "deploy" };
  if (mustTest) return { kind: "test" };
  return isPromoted(memory) ? undefined : { kind: "promote" };
}

/** A target of an earlier definition. */
function leaving(memory: Memory, target: Build): Step {
  const { live } = memory;
  if (target.n === live?.n) {
    if (target.moved) return { kind: "undo", why: "another definition took its place" };
    return { kind: "begin" };
  }
  if (target.workflowId === undefined) return { kind: "begin" };
  return { kind: "delete", workflowId: target.workflowId, what: "unfinished" };
}

/** What is left when the target works. */
function finishing({ target, former }: Memory, wants: Wants): Step {
  const active = target?.active !== wants.active;
  const links = wants.links !== undefined && target?.links !== wants.links;
  const loud = former.find(({ isQuiet }) => !isQuiet);
  const quiet: Step | undefined = loud && { kind: "quiet", workflowId: loud.workflowId };
  // Between the two a call may end: either both builds run for it, or none does.
  if (quiet && wants.repeat === "never") return quiet;
  if (active) return { kind: "activate", active: wants.active };
  if (links) return { kind: "links" };
  if (quiet) return quiet;
  const oldest = former.at(-1);
  if (oldest && former.length > MOST_FORMER)
    return { kind: "delete", workflowId: oldest.workflowId, what: "former" };
  return { kind: "settle" };
}

function undoing({ target, live }: Memory): Step {
  if (target?.workflowId === undefined) return { kind: "undone" };
  if (!live) {
    const isOn = target.deployed !== undefined && target.active !== false;
    return isOn ? { kind: "activate", active: false } : { kind: "undone" };
  }
  if (target.n !== live.n) return { kind: "delete", workflowId: target.workflowId, what: "unfinished" };
  if (target.moved && live.version !== undefined) return { kind: "restore", version: live.version };
  if (live.deployed !== undefined && target.deployed !== live.deployed) return { kind: "deploy" };
  if (live.active === false && target.active !== false) return { kind: "activate", active: false };
  return { kind: "undone" };
}

function removal({ target, live, former, keepLive }: Memory): Step {
  if (target?.workflowId !== undefined && target.n !== live?.n)
    return { kind: "delete", workflowId: target.workflowId, what: "unfinished" };
  if (keepLive) return { kind: "removed" };
  if (live?.workflowId !== undefined) return { kind: "delete", workflowId: live.workflowId, what: "live" };
  const [first] = former;
  return first ? { kind: "delete", workflowId: first.workflowId, what: "former" } : { kind: "removed" };
}

/** Whether what is live is what was brought up. */
function isPromoted({ live, target }: Memory): boolean {
  return (
    live !== undefined &&
    target !== undefined &&
    live.n === target.n &&
    !target.moved &&
    target.restoring === undefined &&
    live.pinned === target.pinned &&
    live.deployed === target.deployed &&
    live.tested === target.tested
  );
}

/** Whether a build can be changed into what is declared, as far as what it does goes. */
function canBecome(build: Build, wants: Wants): boolean {
  return (
    build.source === wants.source && build.refined.every((digest, index) => digest === wants.refine[index])
  );
}

/** What a change begins with: the live build as it is, or a new one. */
export function beginTarget(memory: Memory, wants: Wants): Memory {
  const { live, asked } = memory;
  if (!live || !canBecome(live, wants)) {
    const n = memory.builds + 1;
    return { ...memory, builds: n, target: { n, source: wants.source, refined: [] } };
  }
  const target: Build = { ...live };
  if (asked?.kind === "test") delete target.tested;
  if (asked?.kind === "deploy") delete target.deployed;
  if (asked?.kind === "restore" && asked.version !== undefined) {
    target.restoring = asked.version;
    target.pinned = asked.version;
  }
  return { ...memory, target };
}

/** The target takes the place of what was live. */
export function promote(memory: Memory): Memory {
  const { target, live, former } = memory;
  if (!target) return memory;
  const { moved: _, ...settled } = target;
  const replaced = live?.workflowId !== undefined && live.n !== target.n ? [live.workflowId] : [];
  return {
    ...memory,
    target: settled,
    live: settled,
    former: [...replaced.map((workflowId) => ({ workflowId, isQuiet: false })), ...former],
  };
}

/** Forgets what is known of the live build as far as it was changed by hand: so it is brought back. */
export function forgetDrifted(memory: Memory): Memory {
  const { live, drift } = memory;
  const facets = new Set(drift?.facets);
  if (!live || facets.size === 0) return memory;
  const { live: _, ...withoutLive } = memory;
  if (facets.has("missing")) return withoutLive;
  const { settings, active, links, ...build } = live;
  const kept: Build = {
    ...build,
    ...(!facets.has("settings") && { settings }),
    ...(!facets.has("active") && { active }),
    ...(!facets.has("links") && { links }),
  };
  if (!facets.has("definition")) return { ...memory, live: kept };
  // Without the number of the version that was live another build takes its place.
  if (kept.version === undefined) return { ...memory, live: { ...kept, source: "changed by hand" } };
  return { ...memory, live: { ...kept, restoring: kept.version } };
}

/** What a build does, and with what: when it changes, it is checked, deployed and tested again. */
export function contentOf(build: Build): string {
  const secrets = Object.entries(build.secrets ?? {})
    .map(([key, digest]) => `${key}=${digest}`)
    .sort();
  return [build.source, ...build.refined, `v${build.pinned ?? ""}`, ...secrets].join("/");
}

export function testKeyOf(build: Build, wants: Wants): string {
  return `${contentOf(build)}/${wants.test ?? ""}`;
}

function sameSecrets(
  known: Readonly<Record<string, string>> | undefined,
  wanted: Readonly<Record<string, string>>,
): boolean {
  // One that is declared no more stays on the platform, which can't forget a secret.
  return Object.entries(wanted).every(([key, digest]) => known?.[key] === digest);
}

/** What becomes of a change of which a step failed for good. */
export function afterFailure(memory: Memory): "undo" | "fail" | "stay" {
  const { target, live, asked } = memory;
  if (asked?.kind === "test") return "stay";
  if (!target || isPromoted(memory)) return "fail";
  if (live) return "undo";
  return target.deployed === undefined ? "fail" : "undo";
}
