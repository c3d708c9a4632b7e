import { CALL_FIELD_NAMES, PLATFORM_CALL_FIELDS } from "./call-fields.ts";

/** The variables that each kind of place offers to its expressions, by CEL type, and the fields of those with a shape. */
interface Scope {
  readonly variables: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** The variable that is a call: its fields have the kinds of `CALL_FIELDS`. */
  readonly call?: string;
}

const TIMESTAMP = "google.protobuf.Timestamp";

const SEQUENCE = {
  variables: {
    variables: "map<string, string>",
    last_call: "dyn",
    events: "list<dyn>",
    contact: "dyn",
    now: TIMESTAMP,
  },
  fields: {
    last_call: [...CALL_FIELD_NAMES, "attempts"],
    contact: ["phone", "region"],
  },
  call: "last_call",
} as const satisfies Scope;

export const SCOPES = {
  /** A step of a sequence. */
  sequence: SEQUENCE,
  /** A sequence that waits for an event: `event` is the one that came. */
  event: {
    variables: { ...SEQUENCE.variables, event: "dyn" },
    fields: { ...SEQUENCE.fields, event: ["name", "data", "at"] },
    call: SEQUENCE.call,
  },
  /** A call that is over and whose disposition is being decided: no clock, so that the same call comes to the same. */
  call: { variables: { call: "dyn" }, fields: { call: CALL_FIELD_NAMES }, call: "call" },
  /** What came through a trigger; `item` is the one of its list that is being worked off. */
  trigger: {
    variables: { payload: "dyn", item: "dyn", headers: "map<string, string>", now: TIMESTAMP },
    fields: {},
  },
  /** A call that is over, and what is known of it. */
  follow_up: {
    variables: {
      call: "dyn",
      attempt: "dyn",
      contact: "dyn",
      campaign: "dyn",
      variables: "map<string, string>",
      analysis: "dyn",
      labels: "map<string, string>",
      now: TIMESTAMP,
    },
    fields: { call: [...CALL_FIELD_NAMES, ...PLATFORM_CALL_FIELDS] },
    call: "call",
  },
  /** A test run of an automation that is over: `result` is what the platform says of it. */
  automation: {
    variables: { result: "dyn", output: "dyn", now: TIMESTAMP },
    fields: { result: ["status", "output", "error", "execution_id"] },
  },
} as const satisfies Record<string, Scope>;

export type ExpressionScope = keyof typeof SCOPES;

export function scopeOf(name: ExpressionScope): Scope {
  return SCOPES[name];
}
