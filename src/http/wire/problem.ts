import { z } from "zod";

/** Words for programs, one a kind of problem. They never change their meaning. */
const PROBLEM_CODES = [
  "invalid_request",
  "invalid_spec",
  "invalid_list",
  "unauthorized",
  "token_expired",
  "token_revoked",
  "session_over",
  "sign_in_code",
  "sign_in_refused",
  "no_role",
  "role_needed",
  "other_brands",
  "unknown_token",
  "unknown_session",
  "forbidden_host",
  "cross_site",
  "csrf_token",
  "not_found",
  "method_not_allowed",
  "unknown_campaign",
  "unknown_contact",
  "unknown_batch",
  "unknown_call",
  "unknown_preset",
  "unknown_sequence",
  "unknown_enrolment",
  "enrolment_refused",
  "invalid_trigger",
  "invalid_route",
  "invalid_webhook",
  "unknown_trigger",
  "trigger_disabled",
  "unknown_delivery",
  "unknown_schedule",
  "unknown_automation",
  "unknown_execution",
  "rotation_refused",
  "unknown_follow_up",
  "unknown_action",
  "unknown_tag",
  "unknown_attention",
  "not_suppressed",
  "unknown_number",
  "unknown_blackout",
  "blackout_over",
  "unknown_budget",
  "unknown_source",
  "unknown_route",
  "unknown_webhook",
  "list_shrinks",
  "list_is_older",
  "campaign_exists",
  "command_refused",
  "idempotency_key_reused",
  "request_under_way",
  "import_differs",
  "digest_mismatch",
  "on_a_list",
  "several_words",
  "caller_refused",
  "platform_key_refused",
  "platform_unreachable",
  "platform_failed",
  "provider_unavailable",
  "temporal_unavailable",
  "ledger_unavailable",
  "ledger_full",
  "precondition_failed",
  "not_embedded",
  "events_gone",
  "too_many_streams",
  "rate_limited",
  "busy",
  "too_large",
  "unsupported_media_type",
  "internal_error",
] as const;

export type ProblemCode = (typeof PROBLEM_CODES)[number];

export const fieldProblemSchema = z.object({ field: z.string(), message: z.string() });

export type FieldProblem = z.output<typeof fieldProblemSchema>;

/** Every answer that is no success: `application/problem+json` (RFC 9457) with a stable `code`. */
export const problemSchema = z.looseObject({
  /** Where the description says what the code means, and what to do. */
  type: z.string().optional(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  /** The request's id, which the system's log names, too: `urn:uuid:` and the header `x-request-id`. */
  instance: z.string().optional(),
  /** What is wrong with which field, row or setting. */
  errors: z.array(fieldProblemSchema).optional(),
});

export type ProblemBody = z.output<typeof problemSchema>;
