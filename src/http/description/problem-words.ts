import type { ProblemCode } from "../wire/problem.ts";

/** What a problem's code means, for programs and for people. */
interface ProblemWords {
  /** That it comes with; more than one where it tells of the same at several doors. */
  statuses: readonly [number, ...number[]];
  /** When it is answered. */
  when: string;
  /** What to do about it. */
  remedy: string;
}

/** Every problem that there is. Codes and their meanings are for ever: programs decide by them. */
export const PROBLEMS: Readonly<Record<ProblemCode, ProblemWords>> = {
  invalid_request: {
    statuses: [422, 400, 408, 414, 431],
    when: "a body, query, address or header is not as it must be",
    remedy: "mend what `errors` names, field by field; 408 came too slowly, 414 and 431 are too long",
  },
  invalid_spec: {
    statuses: [422],
    when: "a campaign's spec, a sequence, a schedule, an automation or a declared document has problems",
    remedy: "mend every field that `errors` names",
  },
  invalid_trigger: {
    statuses: [422],
    when: "a trigger's definition has problems",
    remedy: "mend every field that `errors` names",
  },
  invalid_route: {
    statuses: [422],
    when: "an attention route's definition has problems",
    remedy: "mend every field that `errors` names",
  },
  invalid_webhook: {
    statuses: [422],
    when: "the definition of a webhook of events has problems",
    remedy: "mend every field that `errors` names",
  },
  invalid_list: {
    statuses: [422],
    when: "a list can't be read; `list_code` and `line` say what and where",
    remedy: "mend the list and send it again: it goes on behind the last row that was taken",
  },
  caller_refused: {
    statuses: [422],
    when: "the agent is unknown or a draft, or a number is not owned",
    remedy: "name an agent that is published, and numbers of the platform's account",
  },
  blackout_over: {
    statuses: [422],
    when: "the last day of a blackout is over everywhere",
    remedy: "name days that are to come",
  },
  unauthorized: {
    statuses: [401],
    when: "no token was shown, or a wrong one; of a trigger also a wrong signature, or none of that name",
    remedy: "send `Authorization: Bearer ...` with a token; `outdial token list` shows those that there are",
  },
  token_expired: { statuses: [401], when: "the token is good no more", remedy: "ask for a new one" },
  token_revoked: { statuses: [401], when: "somebody took the token back", remedy: "ask for a new one" },
  session_over: {
    statuses: [401],
    when: "the session whose cookie was shown has ended: its time is over, nobody used it, or somebody signed out",
    remedy: "sign in again",
  },
  sign_in_code: {
    statuses: [401],
    when: "the code of a sign-in link was used, is older than ten minutes, was made by what is over, or never was",
    remedy: "make another link with `outdial sign-in`",
  },
  sign_in_refused: {
    statuses: [401],
    when: "what came back from the OpenID Connect provider lets nobody in",
    remedy: "sign in again; where it stays so, `detail` and the log say what did not fit",
  },
  no_role: {
    statuses: [403],
    when: "the provider knows the person, and nothing gives them a role or a brand here",
    remedy:
      "give them one at the provider, by the claim that OUTDIAL_OIDC_ROLES or OUTDIAL_OIDC_BRANDS names",
  },
  role_needed: {
    statuses: [403],
    when: "the caller's role is too small; `role` is the one that it takes",
    remedy: "ask somebody who has that role",
  },
  other_brands: {
    statuses: [403],
    when: "the caller is for other brands, or the request is about all of them",
    remedy: "name a brand of the token, or use one of all brands",
  },
  forbidden_host: {
    statuses: [403],
    when: "a server without a token was asked under another name than localhost",
    remedy: "set OUTDIAL_API_TOKEN",
  },
  cross_site: {
    statuses: [403],
    when: "another web site asked by somebody's session, or asked a server without a token",
    remedy: "set OUTDIAL_API_TOKEN, and send it; behind a proxy, OUTDIAL_PUBLIC_URL",
  },
  csrf_token: {
    statuses: [403],
    when: "a request by a session's cookie would change something, and lacks the header `x-csrf-token`, or shows another",
    remedy: "send `csrf_token` of GET /v1/session in it",
  },
  not_found: {
    statuses: [404],
    when: "there is nothing at this address, or nothing declared of this name",
    remedy: "look at /openapi.json",
  },
  method_not_allowed: {
    statuses: [405],
    when: "there is something at this address, and this method is none of those that it takes",
    remedy: "use one that `Allow` names",
  },
  unknown_campaign: missing("campaign", "GET /v1/campaigns"),
  unknown_contact: missing("contact of this number in the campaign", "rejects.csv"),
  unknown_preset: missing("preset", "GET /v1/presets"),
  unknown_sequence: missing("sequence", "GET /v1/sequences"),
  unknown_enrolment: missing("enrolment", "GET /v1/sequences/{ref}/enrolments"),
  unknown_trigger: missing("trigger", "GET /v1/triggers"),
  unknown_delivery: missing("delivery", "GET /v1/triggers/{name}/deliveries"),
  unknown_schedule: missing("schedule", "GET /v1/schedules"),
  unknown_automation: missing("automation", "GET /v1/automations"),
  unknown_execution: missing("execution", "GET /v1/automations/{name}/executions"),
  unknown_batch: missing("batch", "GET /v1/campaigns/{ref}/batches"),
  unknown_call: missing("call", "GET /v1/campaigns/{ref}/calls"),
  unknown_follow_up: missing("follow-up", "GET /v1/follow-ups"),
  unknown_action: missing("action", "GET /v1/follow-ups/{id}"),
  unknown_tag: missing("tag of this person", "GET /v1/tags"),
  unknown_attention: missing("entry that waits for people", "GET /v1/attention"),
  unknown_number: missing("trace of this number", "the number itself"),
  unknown_blackout: missing("blackout", "GET /v1/blackouts"),
  unknown_budget: missing("budget", "GET /v1/budgets"),
  unknown_source: missing("source", "GET /v1/suppressions/sources"),
  unknown_route: missing("attention route", "GET /v1/attention/routes"),
  unknown_webhook: missing("webhook of events", "GET /v1/events/webhooks"),
  unknown_session: missing("session, or it has ended", "GET /v1/sessions"),
  unknown_token: missing("token", "GET /v1/tokens"),
  not_suppressed: missing("suppression of this number in this scope", "GET /v1/suppressions"),
  campaign_exists: {
    statuses: [409],
    when: "the name has a run that is not over, or no new run was asked for",
    remedy: "go on with that run, or say `new` once it is over",
  },
  command_refused: {
    statuses: [409],
    when: "what was asked for does not fit how things are: a campaign is over, a version is no longer in force",
    remedy: "look at it as it is now, which `detail` tells, and decide anew",
  },
  enrolment_refused: {
    statuses: [409],
    when: "the sequence does not take this person; `reason` says why",
    remedy: "leave it, or see the sequence's policy of enrolling",
  },
  several_words: {
    statuses: [409],
    when: "the number is suppressed by several words, the person's own among them",
    remedy: "say with `source` which of them is taken back",
  },
  on_a_list: {
    statuses: [409],
    when: "the number is suppressed by the list of a source",
    remedy: "replace that list as a whole, or remove the source",
  },
  trigger_disabled: {
    statuses: [409],
    when: "the trigger takes nothing at present",
    remedy: "enable it, then send again",
  },
  rotation_refused: {
    statuses: [409],
    when: "the key can't be put in another's place as things are",
    remedy: "do what `detail` names",
  },
  import_differs: {
    statuses: [409],
    when: "the same list was begun with another mapping, region or format",
    remedy: "send it with the same ones as then",
  },
  digest_mismatch: {
    statuses: [409],
    when: "what arrived is not what was announced",
    remedy: "send the list again, whole, with its own digest",
  },
  list_shrinks: {
    statuses: [409],
    when: "a list that is to replace another is empty, or lacks more than half of its numbers",
    remedy: "see that it is whole; `allow_shrink=true` where it is meant",
  },
  list_is_older: {
    statuses: [409],
    when: "a list that is to replace another is older than that, or than one that is on its way",
    remedy: "send the newest one; `allow_older=true` where the older one is meant",
  },
  idempotency_key_reused: {
    statuses: [409],
    when: "a key or `command_id` came again with something else; nothing was done for it",
    remedy: "give each request a key of its own",
  },
  request_under_way: {
    statuses: [409],
    when: "the same request has no answer yet",
    remedy: "ask again as `Retry-After` says, or in a minute",
  },
  not_embedded: {
    statuses: [409],
    when: "the ledger is on PostgreSQL, and is not copied by this",
    remedy: "use `outdial backup`, which calls pg_dump",
  },
  precondition_failed: {
    statuses: [412],
    when: "what is to be replaced is another than `If-Match` names; `current` says what of it is there now, and `etag` its tag",
    remedy: "read it anew, and decide whether the change is still meant",
  },
  too_large: {
    statuses: [413],
    when: "the body is larger than the request takes",
    remedy: "send less at once, or a list to the route for lists",
  },
  unsupported_media_type: {
    statuses: [415],
    when: "the content type is missing, malformed or not taken",
    remedy: "send application/json; a list as text/csv or application/x-ndjson",
  },
  rate_limited: {
    statuses: [429],
    when: "too much came from one address, or through one trigger",
    remedy: "wait as long as `Retry-After` says",
  },
  events_gone: {
    statuses: [410],
    when: "what came behind this place was forgotten: events are kept for 30 days",
    remedy: "begin anew where the detail says, and read from results and the audit what came before",
  },
  too_many_streams: {
    statuses: [503, 429],
    when: "as many streams of events are open as this process, or one token, may have",
    remedy: "close one, or read page by page",
  },
  internal_error: {
    statuses: [500],
    when: "nobody foresaw it",
    remedy: "look at the system's log, which has the request's id",
  },
  platform_key_refused: {
    statuses: [502],
    when: "the platform refuses the key, or the key lacks a scope",
    remedy: "set a key that is valid",
  },
  platform_failed: { statuses: [502], when: "the platform failed", remedy: "try again" },
  platform_unreachable: {
    statuses: [503],
    when: "the platform does not answer",
    remedy: "check PLATFORM_BASE_URL and the way there",
  },
  provider_unavailable: {
    statuses: [503],
    when: "the OpenID Connect provider does not answer, or not as one does",
    remedy: "check OUTDIAL_OIDC_ISSUER and the way there; meanwhile sign in by a link (`outdial sign-in`)",
  },
  temporal_unavailable: {
    statuses: [503],
    when: "Temporal does not answer",
    remedy: "start it, or check TEMPORAL_ADDRESS",
  },
  ledger_unavailable: {
    statuses: [503],
    when: "the ledger does not answer",
    remedy: "check the database; ask again as `Retry-After` says",
  },
  busy: {
    statuses: [503],
    when: "bodies that are being read hold all the memory that there is for them",
    remedy: "send it again as `Retry-After` says",
  },
  ledger_full: {
    statuses: [507, 503],
    when: "the disk under the ledger is full; 503 to other systems, which come back",
    remedy: "make room",
  },
};

function missing(what: string, where: string): ProblemWords {
  return {
    statuses: [404],
    when: `there is no such ${what}, or none of the brands that the token is for`,
    remedy: `see ${where}`,
  };
}
