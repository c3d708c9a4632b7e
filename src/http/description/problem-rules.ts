import type { BrandOf, RouteAccess } from "../route-access.ts";
import type { ProblemCode } from "../wire/problem.ts";
import type { Operation } from "./operations/operation.ts";
import { PROBLEMS } from "./problem-words.ts";

/** What decides, beside its own line, how a route may refuse. */
export interface RouteFacts {
  method: string;
  access: RouteAccess;
  hasParams: boolean;
  authenticatesItself: boolean;
  isPublic: boolean;
  requestKey: "own" | "list" | undefined;
  etag: "shown" | "heeded" | undefined;
}

/** How a thing of the address, or one that is named beside it, is missed. */
const MISSING: Readonly<Partial<Record<BrandOf, ProblemCode>>> = {
  campaign: "unknown_campaign",
  sequence: "unknown_sequence",
  enrolment: "unknown_enrolment",
  follow_up: "unknown_follow_up",
  action: "unknown_action",
  attention: "unknown_attention",
  blackout: "unknown_blackout",
  source: "unknown_source",
  call: "unknown_call",
  trigger: "unknown_trigger",
  delivery: "unknown_delivery",
  schedule: "unknown_schedule",
};

export type Refusals = ReadonlyMap<number, ReadonlySet<ProblemCode>>;

/** Every status but success that a route may answer with, and the codes that come with each. */
export function refusalsOf(operation: Operation, facts: RouteFacts): Refusals {
  const refusals = new Map<number, Set<ProblemCode>>();
  const add = (status: number, ...codes: ProblemCode[]) => {
    const known = refusals.get(status) ?? new Set();
    for (const code of codes) known.add(code);
    refusals.set(status, known);
  };
  for (const code of operation.problems) {
    const [status, ...others] = PROBLEMS[code].statuses;
    add(status, code);
    // Of these one door answers as other systems heed it; streams are counted in all, and by token.
    if ((facts.authenticatesItself && code === "ledger_full") || code === "too_many_streams")
      for (const other of others) add(other, code);
  }
  add(500, "internal_error");
  if (facts.authenticatesItself) ofOutsiders(add, facts);
  else if (facts.isPublic) ofSignIn(add, facts);
  else if (facts.access.role !== undefined) ofCallers(add, facts);
  if (facts.etag === "heeded") add(412, "precondition_failed");
  const missing = MISSING[facts.access.brand];
  if (missing !== undefined) add(404, missing);
  return new Map([...refusals].toSorted(([one], [other]) => one - other));
}

type Add = (status: number, ...codes: ProblemCode[]) => void;

/** Other systems show no token, and send whatever they do. */
function ofOutsiders(add: Add, { hasParams }: RouteFacts): void {
  add(400, "invalid_request");
  add(429, "rate_limited");
  if (hasParams) {
    add(414, "invalid_request");
    add(422, "invalid_request");
  }
}

/** Whoever signs in is nobody yet. */
function ofSignIn(add: Add, { method }: RouteFacts): void {
  add(400, "invalid_request");
  add(422, "invalid_request");
  add(429, "rate_limited");
  if (method === "GET") return;
  add(401, "unauthorized", "token_expired", "token_revoked");
  add(403, "forbidden_host", "cross_site");
  add(413, "too_large");
  add(415, "unsupported_media_type");
  add(503, "ledger_unavailable");
  add(507, "ledger_full");
}

function ofCallers(add: Add, facts: RouteFacts): void {
  const { access, method, requestKey } = facts;
  add(400, "invalid_request");
  add(401, "unauthorized", "token_expired", "token_revoked", "session_over");
  add(403, "forbidden_host", "cross_site");
  if (method !== "GET") add(403, "csrf_token");
  if (access.role !== "viewer") add(403, "role_needed");
  if (access.brand !== "none") add(403, "other_brands");
  if (facts.hasParams) add(414, "invalid_request");
  add(422, "invalid_request");
  add(429, "rate_limited");
  add(503, "ledger_unavailable");
  if (method === "GET") return;
  add(413, "too_large");
  add(415, "unsupported_media_type");
  add(507, "ledger_full");
  if (requestKey !== "own") add(409, "idempotency_key_reused");
  if (requestKey === undefined) add(409, "request_under_way");
}
