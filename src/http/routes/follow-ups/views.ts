import { isSecretValue, shownPathStart } from "../../../domain/ground/secret-signs.ts";
import type { Action } from "../../../ledger/follow-ups/actions.ts";
import type { FollowUp } from "../../../ledger/follow-ups/follow-ups.ts";
import type { ActionWire, FollowUpWire } from "../../wire/follow-ups.ts";
import { isoOf, isoOrNull } from "../../wire/instant.ts";

export function followUpView(followUp: FollowUp): FollowUpWire {
  return {
    id: followUp.id,
    campaign_id: followUp.campaignId,
    campaign: followUp.campaignName,
    phone: followUp.phone,
    zones: [...followUp.zones],
    call_id: followUp.callId ?? null,
    disposition: followUp.disposition,
    policy_version: followUp.policyVersion,
    state: followUp.state,
    processing: followUp.processing ?? null,
    wait_until: isoOf(followUp.waitUntilMs),
    hinted_at: isoOrNull(followUp.hintedAtMs),
    looks: followUp.looks,
    rules: followUp.rules ?? null,
    labels: followUp.labels ?? null,
    failed_actions: followUp.failedActions,
    created_at: isoOf(followUp.createdAtMs),
    ended_at: isoOrNull(followUp.endedAtMs),
  };
}

export function actionView(action: Action): ActionWire {
  return {
    id: action.id,
    follow_up_id: action.followUpId ?? null,
    enrolment_id: action.enrolmentId ?? null,
    owner: action.owner,
    n: action.n,
    kind: action.kind,
    state: action.state,
    spec: specView(action.spec),
    tries: action.tries,
    next_try_at: isoOrNull(action.nextTryAtMs),
    sent_at: isoOrNull(action.sentAtMs),
    external_id: action.externalId ?? null,
    request: action.request ?? null,
    answer: action.answer ?? null,
    error: action.error ?? null,
    created_at: isoOf(action.createdAtMs),
    ended_at: isoOrNull(action.endedAtMs),
  };
}

/** Somebody may have written a secret into a rule instead of its name. */
function specView(spec: Action["spec"]): Record<string, unknown> {
  if (spec.kind !== "webhook") return { ...spec };
  const headers = Object.fromEntries(
    Object.entries(spec.headers).map(([name, value]) => [
      name,
      typeof value === "string" && isSecretValue(name, value) ? "(not shown)" : value,
    ]),
  );
  return { ...spec, url: typeof spec.url === "string" ? shownUrl(spec.url) : spec.url, headers };
}

/** Without what may be a credential: user, password, the query's values, and a path that is a secret. */
function shownUrl(url: string): string {
  if (!URL.canParse(url)) return "(not shown)";
  const parsed = new URL(url);
  const start = shownPathStart(parsed);
  return `${parsed.origin}${start === undefined ? parsed.pathname : `${start}...`}${parsed.search === "" ? "" : "?..."}`;
}
