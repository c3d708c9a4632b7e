import {
  durationMsOf,
  fillAutomation,
  fillWebhook,
  retryOf,
  USUAL_DELAYS_MS,
  WEBHOOK_DELAYS_MS,
} from "./action-templates.ts";
import { actionSpecSchema, type ActionSpec, type SpecOf } from "./actions.ts";
import { factsOfCall } from "../campaigns/call-facts.ts";
import { callValues, type CallAccount } from "../campaigns/call-values.ts";
import { withoutSensitive } from "../campaigns/sensitive-spec.ts";
import { readCallbackTime } from "./callback-time.ts";
import {
  evaluate,
  evaluateCondition,
  evaluateText,
  type JsonValue,
  type ScopeValues,
} from "../expressions/expressions.ts";
import { rulesFor, type ActionTemplate, type FollowUpRule, type FollowUpRules } from "./follow-up-rules.ts";

/** Everything of the ledger that a follow-up's rules may speak of. */
export interface FollowUpFacts {
  rules: FollowUpRules;
  attempt: {
    number: number;
    disposition: string;
    reason: string | null;
    call_id: string | null;
    started_at: string | null;
    ended_at: string | null;
    duration_seconds: number | null;
  };
  /** What the batch said of the call. */
  item?: { status: string | null; error: string | null };
  contact: { phone: string; region: string | null };
  /** IANA names; in which of them the contact is, is not known. */
  zones: readonly string[];
  variables: Record<string, string>;
  /** Columns whose values no rule has, wherever they stand. */
  sensitive?: readonly string[] | undefined;
  campaign: { id: string; name: string; brand: string; run: number };
}

export interface PlanInput {
  followUpId: string;
  contactId: number;
  facts: FollowUpFacts;
  /** The call as the platform told it; undefined where it was not read. */
  call: Readonly<Record<string, unknown>> | undefined;
  /** The call should have been processed, and was not. */
  isUnprocessed: boolean;
  nowMs: number;
}

export interface PlannedAction {
  /** The rule. */
  owner: string;
  n: number;
  spec: ActionSpec;
}

export interface FollowUpPlan {
  /** The rules that select the call. */
  rules: string[];
  labels: Record<string, string>;
  actions: PlannedAction[];
  /** Conditions and labels without a value: the rule was passed over, or the label left out. */
  problems: { rule: string; problem: string }[];
}

/**
 * Classifies a call, and fills in the actions of the rules that select it. An action that can't be filled in stands in
 * the plan as one that people have to see to, and keeps none of the others from being done.
 */
export function planFollowUp(input: PlanInput): FollowUpPlan {
  const plan: FollowUpPlan = { rules: [], labels: {}, actions: [], problems: [] };
  for (const rule of rulesFor(input.facts.rules, input.facts.attempt.disposition)) {
    if (input.isUnprocessed && rule.on_unprocessed === "skip") continue;
    classify(rule, input, plan);
    if (!isSelected(rule, input, plan)) continue;
    plan.rules.push(rule.id);
    for (const [n, template] of rule.actions.entries()) {
      plan.actions.push({ owner: rule.id, n, spec: planned(template, rule, input, plan.labels) });
    }
  }
  return plan;
}

function classify(rule: FollowUpRule, input: PlanInput, plan: FollowUpPlan): void {
  for (const { label, value } of rule.classify) {
    const result = evaluateText(value, "follow_up", valuesOf(input, plan.labels));
    if (result.ok) plan.labels[label] = result.value.slice(0, MAX_LABEL_CHARS);
    else plan.problems.push({ rule: rule.id, problem: `label ${label}: ${result.problem}` });
  }
}

/** Labels are words, not texts. */
const MAX_LABEL_CHARS = 200;

/** A condition without a value selects nothing: half a reason is none to act on. */
function isSelected(rule: FollowUpRule, input: PlanInput, plan: FollowUpPlan): boolean {
  if (rule.when === undefined) return true;
  const result = evaluateCondition(rule.when, "follow_up", valuesOf(input, plan.labels));
  if (result.ok) return result.value;
  plan.problems.push({ rule: rule.id, problem: `when: ${result.problem}` });
  return false;
}

function valuesOf(input: PlanInput, labels: Record<string, string>): ScopeValues {
  const { facts, call, nowMs } = input;
  const analysis = call?.["call_analysis"];
  return {
    // The platform's own record, with the fields that calls have everywhere in their one form.
    call: { ...(call && withoutSensitive(call, facts.sensitive ?? [])), ...callValues(accountOf(input)) },
    analysis: typeof analysis === "object" && analysis !== null && !Array.isArray(analysis) ? analysis : {},
    attempt: facts.attempt,
    contact: facts.contact,
    variables: facts.variables,
    campaign: facts.campaign,
    labels,
    now: new Date(nowMs),
  };
}

function accountOf({ facts: { attempt, item }, call }: PlanInput): CallAccount {
  const timeOf = (iso: string | null) => (iso === null ? undefined : Date.parse(iso));
  return {
    callId: attempt.call_id ?? undefined,
    // Its times are the attempt's, which are within reason.
    call: call && factsOfCall({ ...call, call_id: attempt.call_id ?? "" }, () => undefined),
    itemStatus: item?.status ?? undefined,
    errorText: item?.error ?? undefined,
    durationSeconds: attempt.duration_seconds ?? undefined,
    attempt: attempt.number,
    disposition: attempt.disposition,
    reason: attempt.reason ?? "",
    startedAtMs: timeOf(attempt.started_at),
    endedAtMs: timeOf(attempt.ended_at),
  };
}

function planned(
  template: ActionTemplate,
  rule: FollowUpRule,
  input: PlanInput,
  labels: Record<string, string>,
): ActionSpec {
  const filling: Filling = {
    rule,
    input,
    subject: subjectOf(rule, input, labels),
    // What needs no value of the call is filled in whatever they are.
    get values() {
      return valuesOf(input, labels);
    },
  };
  const flow = { inOrder: rule.mode === "in_order", onFailure: rule.on_failure };
  try {
    const spec = { ...fillKind(template, filling), flow };
    // What could not be read again would hold up whoever looks at the follow-up.
    actionSpecSchema.parse(spec);
    return spec;
  } catch (error) {
    return { ...unplanned(template, filling, error), flow };
  }
}

/** Longer than this a cause is not kept. */
const MAX_CAUSE_CHARS = 500;

/** The action without what the call was to tell it, and why: nobody does it but people. */
function unplanned(template: ActionTemplate, filling: Filling, error: unknown): ActionSpec {
  const cause = error instanceof Error ? error.message : String(error);
  const why = `it could not be planned: ${cause.slice(0, MAX_CAUSE_CHARS)}`;
  const bare = {
    ...template,
    ...(template.automation && { automation: { ...template.automation, data: {} } }),
    ...(template.webhook && { webhook: { ...template.webhook, data: {} } }),
    ...(template.callback && { callback: { ...template.callback, at: undefined } }),
    ...(template.enroll && { enroll: { ...template.enroll, variables: {}, key: undefined } }),
  };
  const spec = fillKind(bare, {
    rule: filling.rule,
    input: filling.input,
    subject: filling.subject,
    values: {},
  });
  if (spec.kind !== "callback") return { ...spec, unplanned: why };
  // A person who gives it a time has mended it.
  const { atMs: _, ...timeless } = spec;
  return { ...timeless, unreadable: why };
}

function subjectOf(
  rule: FollowUpRule,
  { followUpId, facts }: PlanInput,
  labels: Record<string, string>,
): Record<string, JsonValue> {
  return {
    follow_up_id: followUpId,
    rule: rule.id,
    campaign_id: facts.campaign.id,
    campaign: facts.campaign.name,
    call_id: facts.attempt.call_id,
    phone: facts.contact.phone,
    disposition: facts.attempt.disposition,
    labels,
  };
}

interface Filling {
  rule: FollowUpRule;
  input: PlanInput;
  values: ScopeValues;
  subject: Record<string, JsonValue>;
}

function fillKind(template: ActionTemplate, filling: Filling): ActionSpec {
  const { rule, input, subject } = filling;
  const { contact, campaign, attempt } = input.facts;
  if (template.automation) return fillAutomation(template.automation, "follow_up", filling.values, subject);
  if (template.webhook)
    return fillWebhook(template.webhook, "follow_up", filling.values, {
      brand: campaign.brand,
      subject,
      type: `follow_up.${rule.id}`,
      delaysMs: WEBHOOK_DELAYS_MS,
    });
  if (template.callback) return fillCallback(template.callback, filling);
  if (template.enroll) return fillEnrolment(template.enroll, filling);
  if (template.suppress) {
    const { scope, reason, retry } = template.suppress;
    return {
      kind: "suppress",
      subject,
      retry: retryOf(retry, USUAL_DELAYS_MS),
      phone: contact.phone,
      ...(scope === "brand" && { brand: campaign.brand }),
      reason,
    };
  }
  if (template.tag) {
    return {
      kind: "tag",
      subject,
      retry: retryOf(template.tag.retry, USUAL_DELAYS_MS),
      brand: campaign.brand,
      phone: contact.phone,
      tag: template.tag.tag,
      source: `follow-up ${rule.id}`,
    };
  }
  const { folder, timeout = "1m", retry } = template.recording ?? {};
  return {
    kind: "recording",
    subject,
    retry: retryOf(retry, USUAL_DELAYS_MS),
    ...(attempt.call_id !== null && { callId: attempt.call_id }),
    ...absenceOf(attempt),
    folder: folder ?? folderOf(campaign),
    timeoutMs: durationMsOf(timeout),
  };
}

/** Outcomes of calls that nobody took, unless somebody is known to have talked. */
const NOT_TAKEN: ReadonlySet<string> = new Set(["no_answer", "busy", "failed", "invalid_number"]);

/** Why there can be no recording, where that is known: none is asked for then. */
function absenceOf({ disposition, duration_seconds }: FollowUpFacts["attempt"]): { absence?: string } {
  const isTaken = !NOT_TAKEN.has(disposition) || (duration_seconds ?? 0) > 0;
  return isTaken ? {} : { absence: `nobody took the call (${disposition})` };
}

/** A campaign's own folder. Its name holds nothing that leads elsewhere; a run of it has its own. */
function folderOf(campaign: FollowUpFacts["campaign"]): string {
  const name = campaign.name
    .trim()
    .slice(0, 80)
    .replaceAll(/[^\p{L}\p{N} ._-]/gu, "-");
  return campaign.run > 1 ? `${name}/run ${campaign.run}` : name;
}

function fillCallback(
  template: NonNullable<ActionTemplate["callback"]>,
  filling: Filling,
): SpecOf<"callback"> {
  const { input, subject } = filling;
  const { facts, nowMs } = input;
  const { started_at: startedAt, ended_at: endedAt } = facts.attempt;
  const spec = {
    kind: "callback" as const,
    subject,
    retry: retryOf(template.retry, USUAL_DELAYS_MS),
    campaignId: facts.campaign.id,
    contactId: input.contactId,
    maxPerContact: template.max_per_contact,
  };
  const defaultMs = nowMs + durationMsOf(template.default_delay);
  const said = saidIn(template.at, filling);
  if (!said.ok && said.isNothing)
    return {
      ...spec,
      problems: [`at: ${said.problem}; ${template.default_delay} was taken`],
      atMs: defaultMs,
    };
  const endedAtMs = Date.parse(endedAt ?? startedAt ?? "");
  const time = said.ok
    ? readCallbackTime({
        said: said.value,
        zones: facts.zones,
        saidAtMs: Number.isNaN(endedAtMs) ? nowMs : Math.min(endedAtMs, nowMs),
        nowMs,
      })
    : { kind: "unreadable" as const, why: said.problem };
  switch (time.kind) {
    case "at":
      return { ...spec, atMs: time.atMs };
    case "nothing":
      return { ...spec, atMs: defaultMs };
    case "unreadable":
      if (template.on_unreadable === "ask") return { ...spec, unreadable: `at: ${time.why}` };
      return { ...spec, problems: [`at: ${time.why}; ${template.default_delay} was taken`], atMs: defaultMs };
  }
}

type Said = { ok: true; value: JsonValue | undefined } | { ok: false; isNothing: boolean; problem: string };

/** What an expression says. One that asks for a field which is not there says that nothing was said. */
function saidIn(at: string | undefined, filling: Filling): Said {
  if (at === undefined) return { ok: true, value: undefined };
  const { values } = filling;
  const result = evaluate(at, "follow_up", values);
  if (result.ok) return result;
  return { ok: false, isNothing: isMissing(at, values), problem: result.problem };
}

/** Whether an expression only asks for a field, and the data end before it: no part of them may hold it otherwise. */
function isMissing(source: string, values: ScopeValues): boolean {
  if (!/^\s*[a-z_]\w*(?:\.\w+)+\s*$/i.test(source)) return false;
  let value: unknown = values;
  for (const field of source.trim().split(".")) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    const next: unknown = Object.hasOwn(value, field) ? Reflect.get(value, field) : undefined;
    if (next === undefined || next === null) return true;
    value = next;
  }
  return false;
}

function fillEnrolment(
  template: NonNullable<ActionTemplate["enroll"]>,
  { input, values, subject }: Filling,
): SpecOf<"enroll"> {
  const problems: string[] = [];
  const variables: Record<string, string> = {};
  for (const [name, source] of Object.entries(template.variables)) {
    const result = evaluateText(source, "follow_up", values);
    if (result.ok) variables[name] = result.value;
    else problems.push(`variables.${name}: ${result.problem}; it was left out`);
  }
  const key = template.key === undefined ? undefined : evaluateText(template.key, "follow_up", values);
  if (key?.ok === false) problems.push(`key: ${key.problem}`);
  return {
    kind: "enroll",
    subject,
    retry: retryOf(template.retry, USUAL_DELAYS_MS),
    ...(problems.length > 0 && { problems }),
    brand: input.facts.campaign.brand,
    sequence: template.sequence,
    contactId: input.contactId,
    phone: input.facts.contact.phone,
    variables,
    ...(key?.ok && { personKey: key.value }),
  };
}
