/*
 * Every metric that Outdial serves, once: docs/metrics.md is written from this table by `npm run docs`, the registry is
 * made from it, and a test holds what is served against it.
 *
 * 1. Names are Prometheus's own way: `outdial_`, what it is, its unit (`_seconds`, `_usd`, `_ratio`), `_total` for counters.
 * 2. Labels come from fixed lists of words, or are capped: no label holds a number of anybody, a path, an error's text or
 *    a key. Names that people gave are masked as in logs.
 * 3. `process` says what this one process did since it began: sums over processes are right. `ledger` says how the
 *    ledger stands: whoever serves the API reads it, and two of them say the same, so that `max` is right, not `sum`.
 */

export interface MetricDefinition {
  readonly type: "counter" | "gauge" | "histogram";
  readonly from: "process" | "ledger";
  /** What Prometheus shows, and docs/metrics.md. */
  readonly help: string;
  /** What its labels are, each with what stands in it. */
  readonly labels: Readonly<Record<string, string>>;
  /** Of a histogram: upper bounds, in the metric's unit. */
  readonly buckets?: readonly number[];
}

/** Requests to the platform: some milliseconds to the client's whole time for one. */
const REQUEST_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Plannings take milliseconds; one that takes a second keeps lines idle. */
const PLANNING_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Lines cost by the second while they are idle. */
const IDLE_BUCKETS = [0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 120, 300];

const METHOD = "the request's method";
const CAMPAIGN = {
  brand: "the campaign's brand",
  campaign:
    "its name, or `sequence <name>` for the calls of a sequence; `other` beyond the 200 with the most lines",
  run: "which run of the name; empty for the calls of a sequence and for `other`",
} as const;
const BRAND = { brand: "the brand; `other` beyond the first 50 by name" } as const;

export const METRICS = {
  outdial_build_info: {
    type: "gauge",
    from: "process",
    help: "Always 1; its label says which version of Outdial runs.",
    labels: { version: "Outdial's version" },
  },
  outdial_dials_total: {
    type: "counter",
    from: "process",
    help: "Calls that the platform was asked to make, by starts that it took or may have taken.",
    labels: {},
  },
  outdial_dials_returned_total: {
    type: "counter",
    from: "process",
    help: "Of these, calls that were proven not to have been made: their people are called again.",
    labels: {},
  },
  outdial_batch_starts_total: {
    type: "counter",
    from: "process",
    help: "Start requests of batches, by what their answers say.",
    labels: {
      result:
        "`begun`: the platform took it. `unclear`: it may have. `not_begun`: it did not, and is asked again or the batch is given up",
    },
  },
  outdial_calls_ended_total: {
    type: "counter",
    from: "process",
    help: "Calls whose outcome was written, by what they came to: attempts of the report.",
    labels: { disposition: "[what it came to](dispositions.md)" },
  },
  outdial_call_seconds_total: {
    type: "counter",
    from: "process",
    help: "Time that these calls held a line, from beginning to end as the platform tells. Its rate is how many calls are up.",
    labels: {},
  },
  outdial_call_end_noticed_seconds: {
    type: "histogram",
    from: "process",
    help: "Time from the end of a call, as the platform tells, until its outcome is written and its line is free.",
    labels: {},
    buckets: IDLE_BUCKETS,
  },
  outdial_call_end_to_dial_seconds: {
    type: "histogram",
    from: "process",
    help: "Time from the end of a call to the start of the next one on its line, where somebody was waiting for it.",
    labels: {},
    buckets: IDLE_BUCKETS,
  },
  outdial_planning_duration_seconds: {
    type: "histogram",
    from: "process",
    help: "Time that one planning of a campaign took, in the ledger and beside it.",
    labels: {},
    buckets: PLANNING_BUCKETS,
  },
  outdial_retention_removed_total: {
    type: "counter",
    from: "process",
    help: "Rows, files and records of the platform that were too old to be kept and went, told once a turn.",
    labels: { kind: "what is kept for a time of its own, such as `contacts` or `recordings`" },
  },
  outdial_platform_requests_total: {
    type: "counter",
    from: "process",
    help: "Requests to the platform, each try counted.",
    labels: {
      method: METHOD,
      route: "the operation's route, with names of parameters for their values",
      result:
        "`ok`, `refused` (4xx), `rate_limited` (429), `failed` (5xx), `unreadable` (an answer that makes no sense), `unanswered` (none came), `held_back` (not sent)",
    },
  },
  outdial_platform_request_duration_seconds: {
    type: "histogram",
    from: "process",
    help: "Time that requests to the platform took once they were let go, waits for a connection included.",
    labels: { method: METHOD, route: "as above" },
    buckets: REQUEST_BUCKETS,
  },
  outdial_platform_request_wait_seconds: {
    type: "histogram",
    from: "process",
    help: "Time that requests to the platform were held back first, since it takes no more of them at once or a second.",
    labels: {},
    buckets: REQUEST_BUCKETS,
  },
  outdial_platform_requests_under_way: {
    type: "gauge",
    from: "process",
    help: "Requests to the platform that are under way.",
    labels: {},
  },
  outdial_platform_requests_waiting: {
    type: "gauge",
    from: "process",
    help: "Requests to the platform that are held back.",
    labels: {},
  },
  outdial_platform_requests_limit: {
    type: "gauge",
    from: "process",
    help: "Requests to the platform that may be under way at once, as of its last refusals.",
    labels: {},
  },
  outdial_platform_requests_per_second_limit: {
    type: "gauge",
    from: "process",
    help: "Requests to the platform that may begin a second; absent while only the platform bounds them.",
    labels: {},
  },
  outdial_platform_held_seconds: {
    type: "gauge",
    from: "process",
    help: "For how long from now the platform wants no request (Retry-After).",
    labels: {},
  },
  outdial_clock_skew_seconds: {
    type: "gauge",
    from: "process",
    help: "By how much another clock is ahead of this machine's. Beyond 30 seconds nobody is dialed.",
    labels: { clock: "`platform`: of its newest answer. `ledger`: where this process reads the ledger" },
  },
  outdial_zone_data_age_seconds: {
    type: "gauge",
    from: "process",
    help: "How old the rules of time zones are that this process goes by.",
    labels: { version: "IANA's name of the release" },
  },
  outdial_http_requests_total: {
    type: "counter",
    from: "process",
    help: "Requests to the HTTP API that were answered.",
    labels: {
      method: METHOD,
      route: "the route, with names of parameters for their values; `none` where there is no such route",
      status: "the status of the answer",
    },
  },
  outdial_http_request_duration_seconds: {
    type: "histogram",
    from: "process",
    help: "Time that requests to the HTTP API took, lists that were sent with them included.",
    labels: { method: METHOD, route: "as above" },
    buckets: REQUEST_BUCKETS,
  },
  outdial_temporal_metrics_up: {
    type: "gauge",
    from: "process",
    help: "Whether the metrics of Temporal's SDK, which follow in the same answer, could be read; absent where no worker runs.",
    labels: {},
  },
  outdial_ledger_up: {
    type: "gauge",
    from: "ledger",
    help: "Whether the ledger could be read; where it could not, nothing else of it is served.",
    labels: {},
  },
  outdial_ledger_read_duration_seconds: {
    type: "gauge",
    from: "ledger",
    help: "Time that the last reading of the ledger for these metrics took.",
    labels: {},
  },
  outdial_ledger_read_age_seconds: {
    type: "gauge",
    from: "ledger",
    help: "How old that reading is.",
    labels: {},
  },
  outdial_ledger_has_room: {
    type: "gauge",
    from: "ledger",
    help: "Whether the disk under the ledger has room for more; without, nobody is dialed. A PostgreSQL tells when it is full.",
    labels: {},
  },
  outdial_dialing_held: {
    type: "gauge",
    from: "ledger",
    help: "Whether all dialing is held.",
    labels: { by: "`stop_all`, `recovery` or `no_credit`" },
  },
  outdial_lines_limit: {
    type: "gauge",
    from: "ledger",
    help: "Lines that may be busy: OUTDIAL_CONCURRENCY, or what running campaigns may have together where that is less.",
    labels: {},
  },
  outdial_lines_busy: {
    type: "gauge",
    from: "ledger",
    help: "Lines that batches hold: their calls are up, or about to be.",
    labels: {},
  },
  outdial_lines_free: {
    type: "gauge",
    from: "ledger",
    help: "Lines that may be busy, and are not.",
    labels: {},
  },
  outdial_lines_wanted: {
    type: "gauge",
    from: "ledger",
    help: "Busy lines, and those that people who may be called now could use beside them, as far as campaigns and the account have any: what to scale workers by.",
    labels: {},
  },
  outdial_fill_ratio: {
    type: "gauge",
    from: "ledger",
    help: "Busy lines, of those that may be busy, over running campaigns that have people waiting for a line; absent while none has.",
    labels: {},
  },
  outdial_campaigns: {
    type: "gauge",
    from: "ledger",
    help: "Campaigns that are not over, those that calls are placed into one by one not counted.",
    labels: { state: "`scheduled`, `running`, `paused` or `draining`" },
  },
  outdial_campaign_contacts: {
    type: "gauge",
    from: "ledger",
    help: "People of campaigns that are not over.",
    labels: { ...CAMPAIGN, state: "`open`, `leased`, `done` or `excluded`" },
  },
  outdial_campaign_attempts: {
    type: "gauge",
    from: "ledger",
    help: "Calls of campaigns that are not over whose outcome is known.",
    labels: CAMPAIGN,
  },
  outdial_campaign_lines_limit: {
    type: "gauge",
    from: "ledger",
    help: "Lines that a running campaign may have: its concurrency, or its share of the account's.",
    labels: CAMPAIGN,
  },
  outdial_campaign_lines_busy: {
    type: "gauge",
    from: "ledger",
    help: "Lines that its batches hold, and those of its callbacks.",
    labels: CAMPAIGN,
  },
  outdial_batches: {
    type: "gauge",
    from: "ledger",
    help: "Batches that are not settled.",
    labels: { state: "`planned`, `created`, `starting`, `running` or `draining`" },
  },
  outdial_batches_in_trouble: {
    type: "gauge",
    from: "ledger",
    help: "Batches for which the platform does not do what it was asked for.",
    labels: { trouble: "[what it does not do](operations.md#what-the-platform-does-not-do)" },
  },
  outdial_outbox_rows: {
    type: "gauge",
    from: "ledger",
    help: "What was accepted and waits to be handed on; counted up to 10000 of each kind.",
    labels: { kind: "what it is about" },
  },
  outdial_outbox_due_age_seconds: {
    type: "gauge",
    from: "ledger",
    help: "For how long the first of them has been due; 0 where none is.",
    labels: { kind: "what it is about" },
  },
  outdial_deliveries_waiting: {
    type: "gauge",
    from: "ledger",
    help: "Deliveries of triggers that wait to be acted on; counted up to 10000.",
    labels: { stand: "`in_order`, or `aside`: acting on it failed before" },
  },
  outdial_delivery_oldest_seconds: {
    type: "gauge",
    from: "ledger",
    help: "How long ago the first of those that wait in order was accepted; 0 where none waits.",
    labels: {},
  },
  outdial_overdue: {
    type: "gauge",
    from: "ledger",
    help: "What should have been looked at by now; counted up to 10000 of each kind.",
    labels: { kind: "what it is" },
  },
  outdial_attention_open: {
    type: "gauge",
    from: "ledger",
    help: "What waits for people; counted up to 10000 in all.",
    labels: { kind: "[what happened](operations.md#what-waits-for-people)" },
  },
  outdial_follow_ups_open: {
    type: "gauge",
    from: "ledger",
    help: "Follow-ups of calls that are not through; counted up to 10000.",
    labels: {},
  },
  outdial_follow_up_oldest_seconds: {
    type: "gauge",
    from: "ledger",
    help: "How old the oldest of these is; 0 where there is none.",
    labels: {},
  },
  outdial_money_held_usd: {
    type: "gauge",
    from: "ledger",
    help: "Money that is held for calls that are planned or up.",
    labels: BRAND,
  },
  outdial_money_spent_today_usd: {
    type: "gauge",
    from: "ledger",
    help: "Money spent on this day of UTC, as budgets count it.",
    labels: BRAND,
  },
  outdial_platform_balance_usd: {
    type: "gauge",
    from: "ledger",
    help: "Credits of the platform's account, as it told last; absent: it never did.",
    labels: {},
  },
  outdial_platform_balance_age_seconds: {
    type: "gauge",
    from: "ledger",
    help: "How long ago that was.",
    labels: {},
  },
  outdial_schedule_lateness_seconds: {
    type: "gauge",
    from: "ledger",
    help: "By how much the latest of the active schedules is behind its time; 0 where none is.",
    labels: {},
  },
  outdial_schedule_runs_open: {
    type: "gauge",
    from: "ledger",
    help: "Runs of schedules that are not over; counted up to 10000.",
    labels: { state: "`waiting`, `running` or `cancelling`" },
  },
  outdial_trace_spans_total: {
    type: "counter",
    from: "process",
    help: "Spans of [traces](traces.md), by what became of them; there are none where nothing is traced.",
    labels: {
      result:
        "`sent`: the receiver took it. Lost: `no_room` (too many wait), `unanswered`, `refused`, `cut_off` (the process ended)",
    },
  },
} as const satisfies Readonly<Record<string, MetricDefinition>>;

export type MetricName = keyof typeof METRICS;

/** The metrics of a type. */
export type NameOf<Type extends MetricDefinition["type"]> = {
  [Name in MetricName]: (typeof METRICS)[Name]["type"] extends Type ? Name : never;
}[MetricName];

/** What a metric is told with: a value for each of its labels. */
export type LabelsOf<Name extends MetricName> = Readonly<
  Record<keyof (typeof METRICS)[Name]["labels"] & string, string>
>;
