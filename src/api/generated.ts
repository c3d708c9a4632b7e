// Written by `npm run docs` from the description of the API. Change the routes, not this file.
/* oxlint-disable */

/** A list: CSV, or rows of JSON one a line. */
export type ListBody = string | Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>;

/** What kinds of problems there are. They never change their meaning. */
export type ProblemCode =
  | "blackout_over"
  | "busy"
  | "caller_refused"
  | "campaign_exists"
  | "command_refused"
  | "cross_site"
  | "csrf_token"
  | "digest_mismatch"
  | "enrolment_refused"
  | "events_gone"
  | "forbidden_host"
  | "idempotency_key_reused"
  | "import_differs"
  | "internal_error"
  | "invalid_list"
  | "invalid_request"
  | "invalid_route"
  | "invalid_spec"
  | "invalid_trigger"
  | "invalid_webhook"
  | "ledger_full"
  | "ledger_unavailable"
  | "list_is_older"
  | "list_shrinks"
  | "method_not_allowed"
  | "no_role"
  | "not_embedded"
  | "not_found"
  | "not_suppressed"
  | "on_a_list"
  | "other_brands"
  | "platform_failed"
  | "platform_key_refused"
  | "platform_unreachable"
  | "precondition_failed"
  | "provider_unavailable"
  | "rate_limited"
  | "request_under_way"
  | "role_needed"
  | "rotation_refused"
  | "session_over"
  | "several_words"
  | "sign_in_code"
  | "sign_in_refused"
  | "temporal_unavailable"
  | "token_expired"
  | "token_revoked"
  | "too_large"
  | "too_many_streams"
  | "trigger_disabled"
  | "unauthorized"
  | "unknown_action"
  | "unknown_attention"
  | "unknown_automation"
  | "unknown_batch"
  | "unknown_blackout"
  | "unknown_budget"
  | "unknown_call"
  | "unknown_campaign"
  | "unknown_contact"
  | "unknown_delivery"
  | "unknown_enrolment"
  | "unknown_execution"
  | "unknown_follow_up"
  | "unknown_number"
  | "unknown_preset"
  | "unknown_route"
  | "unknown_schedule"
  | "unknown_sequence"
  | "unknown_session"
  | "unknown_source"
  | "unknown_tag"
  | "unknown_token"
  | "unknown_trigger"
  | "unknown_webhook"
  | "unsupported_media_type";

export declare namespace components {
  export type Action = {
    id: string;
    follow_up_id: (string) | (null);
    enrolment_id: (string) | (null);
    owner: string;
    n: number;
    kind: "automation" | "webhook" | "callback" | "suppress" | "enroll" | "tag" | "recording";
    state: "waiting" | "due" | "done" | "failed" | "unknown" | "skipped";
    spec: { [name: string]: unknown };
    tries: number;
    next_try_at: (string) | (null);
    sent_at: (string) | (null);
    external_id: string | null;
    request: ({ [name: string]: unknown }) | (null);
    answer: ({ [name: string]: unknown }) | (null);
    error: string | null;
    created_at: string;
    ended_at: (string) | (null);
  };
  export type AmendResult = {
    state: "scheduled" | "running" | "paused" | "draining" | "completed" | "cancelled";
    command_id: string;
    policy_version: number;
    differences: ({
      field: string;
      before: string;
      after: string;
    })[];
    warnings: (string)[];
  };
  export type AmendmentPreview = {
    policy_version: number;
    at: string;
    differences: ({
      field: string;
      before: string;
      after: string;
    })[];
    parts: ({
      campaign_id: string;
      name: string;
      callbacks: boolean;
      open: number;
      asked: number;
      one_in: number;
      unchanged: number;
      effects: ({
        before: {
          kind: "called" | "waits" | "excluded";
          reason: string | null;
        };
        after: {
          kind: "called" | "waits" | "excluded";
          reason: string | null;
        };
        contacts: number;
        contacts_in_all: number;
        until: ({
          first: string;
          last: string;
        }) | (null);
        samples: (string)[];
      })[];
      stopped: ({
        reason: "window" | "policy" | "concurrency";
        batches: number;
        calls: number;
      })[];
    })[];
  };
  export type ArchiveResult = {
    archived_at: (string) | (null);
  };
  export type Attempt = {
    /** The attempt's own number in the ledger. */
    attempt_id: number;
    contact_id: number;
    campaign_id: string;
    phone: string;
    zones: (string)[];
    /** Which call of the contact it is, from 1. */
    attempt_no: number;
    /** planned: nobody permitted it so far. live: permitted, and rings, is spoken on or is about to be dialed. ended: counts as dialed and is over. not_dialed: proven not to have been dialed. */
    state: "planned" | "live" | "ended" | "not_dialed";
    /** Whether what it came to is known for good. */
    decided: boolean;
    batch_id: string;
    platform_batch_id: string | null;
    agent_id: string;
    /** Published when its batch began; null: not known. */
    agent_version: (number) | (null);
    /** Another that was published before it was over, or may have been. */
    agent_changed_to: (number) | (null);
    variant: string | null;
    from_number: string;
    policy_version: number;
    /** Under which the platform has the call; null: it did not say, so far. */
    call_id: string | null;
    item_id: string | null;
    /** The platform's last word for it in its batch. */
    item_status: string | null;
    error: string | null;
    /** What it came to; null: it is not over, or not known yet. */
    disposition: string | null;
    /** What decided that. */
    disposition_reason: string | null;
    planned_at: string;
    /** When its batch was let begin. */
    permitted_at: (string) | (null);
    started_at: (string) | (null);
    ended_at: (string) | (null);
    settled_at: (string) | (null);
    duration_seconds: number | null;
    /** US dollars; null: it is not over. */
    cost: number | null;
    /** Whether the platform told it, or it is taken from the length of the call. */
    cost_told: boolean;
  };
  export type AttemptPage = {
    items: (components.Attempt)[];
    next_after: string | null;
  };
  export type Attention = {
    id: number;
    kind: "action_failed" | "action_unknown" | "rule_problem" | "sequence_problem" | "delivery_failed" | "delivery_differs" | "call_unknown" | "enrolment_stuck" | "overdue" | "outbox_stuck" | "schedule_run_failed" | "schedule_run_missed" | "schedule_list_undialable" | "schedule_run_long" | "schedule_drift" | "automation_failed" | "automation_drift" | "automation_execution_failed" | "automation_execution_long" | "automation_success_rate" | "automation_unseen" | "automation_rerun_failed" | "key_expiring" | "key_rotation" | "zone_data_old" | "suppression_list_old" | "scrubber_failing" | "step_failing" | "campaign_stalled" | "breaker_open" | "out_of_money" | "credit_low" | "caller_id_resting" | "canary_waiting" | "agent_changed" | "agent_unpublished" | "calls_refused" | "values_unreadable" | "batch_stuck" | "no_end" | "notices_failing" | "events_failing";
    subject: string;
    brand: string;
    summary: string;
    remedy: string;
    at: string;
    times: number;
    acknowledged_at: (string) | (null);
    acknowledged_by: string | null;
    acknowledged_until: (string) | (null);
    resolved_at: (string) | (null);
    resolved_by: string | null;
    resolution: string | null;
  };
  export type AttentionPage = {
    items: (components.Attention)[];
    next_after: string | null;
    total: number;
  };
  /** An attention route: who is told of what waits for people, by which way, and how often. */
  export type AttentionRouteDefinition = {
    /** What it is called. */
    name: string;
    /** By which way: one of webhook (url and the name of the secret that signs), slack (url, by the name of a secret) and email (to, from). */
    to: {
      webhook?: {
        url: (string) | ({
          secret: string;
        });
        secret: string;
      } | undefined;
      slack?: {
        url: {
          secret: string;
        };
      } | undefined;
      email?: {
        to: (string)[];
        from?: string | undefined;
      } | undefined;
    };
    /** What is told; left out: everything. */
    kinds?: ("action_failed" | "action_unknown" | "rule_problem" | "sequence_problem" | "delivery_failed" | "delivery_differs" | "call_unknown" | "enrolment_stuck" | "overdue" | "outbox_stuck" | "schedule_run_failed" | "schedule_run_missed" | "schedule_list_undialable" | "schedule_run_long" | "schedule_drift" | "automation_failed" | "automation_drift" | "automation_execution_failed" | "automation_execution_long" | "automation_success_rate" | "automation_unseen" | "automation_rerun_failed" | "key_expiring" | "key_rotation" | "zone_data_old" | "suppression_list_old" | "scrubber_failing" | "step_failing" | "campaign_stalled" | "breaker_open" | "out_of_money" | "credit_low" | "caller_id_resting" | "canary_waiting" | "agent_changed" | "agent_unpublished" | "calls_refused" | "values_unreadable" | "batch_stuck" | "no_end" | "notices_failing" | "events_failing")[] | undefined;
    /** What is not told; everything else is. */
    except_kinds?: ("action_failed" | "action_unknown" | "rule_problem" | "sequence_problem" | "delivery_failed" | "delivery_differs" | "call_unknown" | "enrolment_stuck" | "overdue" | "outbox_stuck" | "schedule_run_failed" | "schedule_run_missed" | "schedule_list_undialable" | "schedule_run_long" | "schedule_drift" | "automation_failed" | "automation_drift" | "automation_execution_failed" | "automation_execution_long" | "automation_success_rate" | "automation_unseen" | "automation_rerun_failed" | "key_expiring" | "key_rotation" | "zone_data_old" | "suppression_list_old" | "scrubber_failing" | "step_failing" | "campaign_stalled" | "breaker_open" | "out_of_money" | "credit_low" | "caller_id_resting" | "canary_waiting" | "agent_changed" | "agent_unpublished" | "calls_refused" | "values_unreadable" | "batch_stuck" | "no_end" | "notices_failing" | "events_failing")[] | undefined;
    /** Whose; left out: every brand's. */
    brands?: (string)[] | undefined;
    /** After how long it is told again of what goes on or comes back, such as 15m; then after twice as long each time, a day at most. */
    gather?: string | undefined;
    /** How often it is told again of what nobody has acknowledged: every, times. */
    remind?: {
      every: string;
      times?: number | undefined;
    } | undefined;
    /** When nothing is told but the kinds in except: zone, hours, except. */
    quiet_hours?: {
      zone: string;
      hours: ({
        on?: "every_day" | "weekdays" | "weekend" | "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday" | undefined;
        from: string;
        to: string;
      })[];
      except?: ("action_failed" | "action_unknown" | "rule_problem" | "sequence_problem" | "delivery_failed" | "delivery_differs" | "call_unknown" | "enrolment_stuck" | "overdue" | "outbox_stuck" | "schedule_run_failed" | "schedule_run_missed" | "schedule_list_undialable" | "schedule_run_long" | "schedule_drift" | "automation_failed" | "automation_drift" | "automation_execution_failed" | "automation_execution_long" | "automation_success_rate" | "automation_unseen" | "automation_rerun_failed" | "key_expiring" | "key_rotation" | "zone_data_old" | "suppression_list_old" | "scrubber_failing" | "step_failing" | "campaign_stalled" | "breaker_open" | "out_of_money" | "credit_low" | "caller_id_resting" | "canary_waiting" | "agent_changed" | "agent_unpublished" | "calls_refused" | "values_unreadable" | "batch_stuck" | "no_end" | "notices_failing" | "events_failing")[] | undefined;
    } | undefined;
  };
  export type AuditEntry = {
    id: number;
    at: string;
    actor: string;
    on_behalf_of: string | null;
    action: string;
    campaign_id: (string) | (null);
    detail: { [name: string]: unknown };
  };
  export type AuditPage = {
    items: (components.AuditEntry)[];
    next_after: string | null;
  };
  export type Automation = {
    id: string;
    name: string;
    state: "changing" | "undoing" | "ready" | "failed" | "removing" | "removed";
    step: string | null;
    error: string | null;
    workflow_id: string | null;
    trigger_type: string;
    active: boolean;
    drift: ({
      found: string;
      found_at: string;
      repaired_at: (string) | (null);
    }) | (null);
    created_at: string;
    updated_at: string;
    definition: { [name: string]: unknown };
    version: (number) | (null);
    pinned_version: (number) | (null);
    steps: ({
      step: string;
      at: string;
      found: string;
    })[];
    last_test: ({
      ok: boolean;
      at: string;
      found: string;
      execution_id: string | null;
    }) | (null);
    reruns: ({
      id: string;
      repeats: string;
      state: "due" | "running" | "done" | "failed" | "unknown";
      execution_id: string | null;
      error: string | null;
      asked_at: string;
      actor: string;
    })[];
  };
  /** An automation: a workflow of the platform that is made, tested, deployed and watched. */
  export type AutomationDefinition = {
    /** What it is called here and in schedules. */
    name: string;
    /** For people. */
    description?: string | undefined;
    /** What it does, as the platform's JSON, or { file: ... } beside this document. */
    workflow?: { [name: string]: components.AutomationDefinitionPart1 } | undefined;
    /** What it is to do, in words: the platform writes it. Instead of workflow. */
    generate?: string | undefined;
    /** What to change about what was generated, one after the other. */
    refine?: (string)[] | undefined;
    /** What sets it off. */
    trigger_type: "post_call" | "in_call" | "webhook" | "schedule";
    /** Settings of what sets it off, as the platform takes them. */
    trigger_config?: { [name: string]: components.AutomationDefinitionPart2 } | undefined;
    /** Whether the platform waits for its end. */
    execution_mode?: "sync" | "async" | undefined;
    /** How long an execution may take. */
    timeout_seconds?: number | undefined;
    /** By the name under which it looks for each: { secret: <name> }. Values never stand here. */
    secrets?: { [name: string]: {
      secret: string;
      type?: "string" | "pem" | "json" | "oauth" | undefined;
    } } | undefined;
    /** What a test run is given, and a condition over what it comes to. */
    test?: {
      data?: { [name: string]: components.AutomationDefinitionPart3 } | undefined;
      expect?: string | undefined;
    } | undefined;
    /** Whether it is switched on. */
    active?: boolean | undefined;
    /** Whose calls it works for. Left out: links stay as they are; empty: there are none. */
    agents?: ({
      agent_id: string;
      when?: string | undefined;
      priority?: number | undefined;
      mode?: "sync" | "async" | undefined;
    })[] | undefined;
    /** Whether an execution whose fate is unknown may be run again. */
    repeat?: "safe" | "never" | undefined;
    /** When people are told of it. */
    alerts?: {
      failed?: boolean | undefined;
      longer_than?: string | undefined;
      success_rate_below?: number | undefined;
    } | undefined;
    /** Whether a change made by hand on the platform is repaired or reported. */
    drift?: "repair" | "report" | undefined;
  };
  export type AutomationDefinitionPart1 = (string) | (number) | (boolean) | (null) | ((components.AutomationDefinitionPart1)[]) | ({ [name: string]: components.AutomationDefinitionPart1 });
  export type AutomationDefinitionPart2 = (string) | (number) | (boolean) | (null) | ((components.AutomationDefinitionPart2)[]) | ({ [name: string]: components.AutomationDefinitionPart2 });
  export type AutomationDefinitionPart3 = (string) | (number) | (boolean) | (null) | ((components.AutomationDefinitionPart3)[]) | ({ [name: string]: components.AutomationDefinitionPart3 });
  export type AutomationExport = {
    definition: { [name: string]: unknown };
    exported: { [name: string]: unknown };
  };
  export type AutomationHealth = {
    items: ({
      name: string;
      state: "changing" | "undoing" | "ready" | "failed" | "removing" | "removed";
      workflow_id: string | null;
      success_rate: (number) | (null);
      succeeded: number;
      failed: number;
      running: number;
      last: ({
        execution_id: string;
        status: string;
        started_at: string;
        ended_at: (string) | (null);
      }) | (null);
      alerts: ({
        kind: string;
        summary: string;
        remedy: string;
        at: string;
      })[];
    })[];
  };
  export type AutomationList = {
    items: (components.AutomationView)[];
  };
  export type AutomationPut = {
    id: string;
    name: string;
    state: "changing" | "undoing" | "ready" | "failed" | "removing" | "removed";
    step: string | null;
    error: string | null;
    workflow_id: string | null;
    trigger_type: string;
    active: boolean;
    drift: ({
      found: string;
      found_at: string;
      repaired_at: (string) | (null);
    }) | (null);
    created_at: string;
    updated_at: string;
    change: "created" | "changed" | "none";
    warnings: (string)[];
  };
  export type AutomationView = {
    id: string;
    name: string;
    state: "changing" | "undoing" | "ready" | "failed" | "removing" | "removed";
    step: string | null;
    error: string | null;
    workflow_id: string | null;
    trigger_type: string;
    active: boolean;
    drift: ({
      found: string;
      found_at: string;
      repaired_at: (string) | (null);
    }) | (null);
    created_at: string;
    updated_at: string;
  };
  export type BalanceSeen = {
    balance: number | null;
    unknown: string | null;
    is_limit: boolean;
    no_credit: ({
      since: string;
      reason: string;
    }) | (null);
    campaigns: number;
  };
  export type Basis = "express_written" | "express" | "existing_relationship" | "legitimate_interest";
  export type BatchDetail = {
    batch_id: string;
    campaign_id: string;
    /** planned: in the ledger only. created: the platform has it. starting: its start was permitted. running: seen begun. draining: takes no new dial any more. settled: each of its attempts is over. */
    state: "planned" | "created" | "starting" | "running" | "draining" | "settled";
    platform_batch_id: string | null;
    agent_id: string;
    variant: string | null;
    from_number: string;
    policy_version: number;
    /** People in it. */
    size: number;
    /** Of these: proven not to have been dialed, and given back. */
    returned: number;
    /** Calls that may be up at once. */
    slots: number;
    /** Lines that it still holds. */
    held_slots: number;
    planned_at: string;
    /** When the platform had it. */
    created_at: (string) | (null);
    /** When it was let begin. */
    permitted_at: (string) | (null);
    /** When it was seen begun. */
    started_at: (string) | (null);
    /** Nobody of it is called from then on. */
    dial_by: (string) | (null);
    /** Why it is to take no new dial. */
    stop_reason: string | null;
    stop_requested_at: (string) | (null);
    /** When the platform was seen to have ended it. */
    end_seen_at: (string) | (null);
    settled_at: (string) | (null);
    /** What the platform does not do for it. */
    trouble: string | null;
    trouble_since: (string) | (null);
    /** Of its people, in the order of its list; 1,000 at most. */
    attempts: (components.Attempt)[];
    /** How many of these are in which state. */
    states: { [name: string]: number };
    /** What those that are decided came to. */
    dispositions: { [name: string]: number };
  };
  export type BatchPage = {
    items: ({
      batch_id: string;
      campaign_id: string;
      /** planned: in the ledger only. created: the platform has it. starting: its start was permitted. running: seen begun. draining: takes no new dial any more. settled: each of its attempts is over. */
      state: "planned" | "created" | "starting" | "running" | "draining" | "settled";
      platform_batch_id: string | null;
      agent_id: string;
      variant: string | null;
      from_number: string;
      policy_version: number;
      /** People in it. */
      size: number;
      /** Of these: proven not to have been dialed, and given back. */
      returned: number;
      /** Calls that may be up at once. */
      slots: number;
      /** Lines that it still holds. */
      held_slots: number;
      planned_at: string;
      /** When the platform had it. */
      created_at: (string) | (null);
      /** When it was let begin. */
      permitted_at: (string) | (null);
      /** When it was seen begun. */
      started_at: (string) | (null);
      /** Nobody of it is called from then on. */
      dial_by: (string) | (null);
      /** Why it is to take no new dial. */
      stop_reason: string | null;
      stop_requested_at: (string) | (null);
      /** When the platform was seen to have ended it. */
      end_seen_at: (string) | (null);
      settled_at: (string) | (null);
      /** What the platform does not do for it. */
      trouble: string | null;
      trouble_since: (string) | (null);
    })[];
    next_after: string | null;
  };
  export type Blackout = {
    id: number;
    brand: string | null;
    from: string;
    to: string;
    name: string;
    created_at: string;
  };
  export type BlackoutAdded = {
    blackout: components.Blackout;
    is_new: boolean;
    stopped_batches: number;
    in_flight: components.InFlight;
    waiting: ({
      campaign_id: string;
      name: string;
    })[];
  };
  export type BlackoutList = {
    items: (components.Blackout)[];
  };
  export type BlackoutRemoved = {
    removed: components.Blackout;
  };
  export type Budget = {
    brand: string | null;
    total: number | null;
    per_day: number | null;
    zone: string | null;
    from: string;
    created_at: string;
  };
  export type BudgetList = {
    items: (components.BudgetUse)[];
  };
  export type BudgetRemoved = {
    removed: components.Budget;
  };
  export type BudgetSet = {
    budget: components.Budget;
  };
  export type BudgetUse = {
    brand: string | null;
    total: number | null;
    per_day: number | null;
    zone: string | null;
    from: string;
    created_at: string;
    spent: number;
    held: number;
    today: {
      date: string;
      spent: number;
      held: number;
    };
  };
  export type CallDetail = {
    /** The attempt's own number in the ledger. */
    attempt_id: number;
    contact_id: number;
    campaign_id: string;
    phone: string;
    zones: (string)[];
    /** Which call of the contact it is, from 1. */
    attempt_no: number;
    /** planned: nobody permitted it so far. live: permitted, and rings, is spoken on or is about to be dialed. ended: counts as dialed and is over. not_dialed: proven not to have been dialed. */
    state: "planned" | "live" | "ended" | "not_dialed";
    /** Whether what it came to is known for good. */
    decided: boolean;
    batch_id: string;
    platform_batch_id: string | null;
    agent_id: string;
    /** Published when its batch began; null: not known. */
    agent_version: (number) | (null);
    /** Another that was published before it was over, or may have been. */
    agent_changed_to: (number) | (null);
    variant: string | null;
    from_number: string;
    policy_version: number;
    /** Under which the platform has the call; null: it did not say, so far. */
    call_id: string | null;
    item_id: string | null;
    /** The platform's last word for it in its batch. */
    item_status: string | null;
    error: string | null;
    /** What it came to; null: it is not over, or not known yet. */
    disposition: string | null;
    /** What decided that. */
    disposition_reason: string | null;
    planned_at: string;
    /** When its batch was let begin. */
    permitted_at: (string) | (null);
    started_at: (string) | (null);
    ended_at: (string) | (null);
    settled_at: (string) | (null);
    duration_seconds: number | null;
    /** US dollars; null: it is not over. */
    cost: number | null;
    /** Whether the platform told it, or it is taken from the length of the call. */
    cost_told: boolean;
    campaign: string;
    run: number;
    brand: string;
    contact: components.Contact;
    /** Null: it was not asked, or could not tell. */
    platform: ({
      status: string | null;
      processing_status: string | null;
      /** It names a recording, which can be listened to. */
      has_recording: boolean;
      transcript: (unknown)[];
      /** Everything else that the platform says, as it came. */
      data: { [name: string]: unknown };
    }) | (null);
    /** Why it could not tell. */
    platform_unknown: string | null;
  };
  export type CallerIds = {
    name: string;
    items: ({
      number: string;
      last_hour: number;
      last_day: number;
      newest: number;
      answered: number;
      rests_until: (string) | (null);
      first_used_at: (string) | (null);
      left: (number) | (null);
    })[];
  };
  export type Campaign = {
    id: string;
    brand: string;
    name: string;
    run: number;
    state: "scheduled" | "running" | "paused" | "draining" | "completed" | "cancelled";
    state_reason: string | null;
    policy_version: number;
    concurrency: number;
    contacts: components.ContactCounts;
    attempts: number;
    dispositions: { [name: string]: number };
    standing: boolean;
    standing_key: string | null;
    parent_id: string | null;
    created_at: string;
    started_at: (string) | (null);
    ended_at: (string) | (null);
    archived_at: (string) | (null);
    spec: { [name: string]: unknown };
    lists: ({
      digest: string;
      source_name: string;
      rows: {
        read: number;
        rejected: number;
        duplicate: number;
        accepted: number;
      };
      never_dialed: components.NeverDialed;
      through_line: number;
      completed_at: (string) | (null);
    })[];
    held_slots: number;
    live_batches: number;
  };
  export type CampaignCloned = {
    id: string;
    brand: string;
    name: string;
    run: number;
    state: "scheduled" | "running" | "paused" | "draining" | "completed" | "cancelled";
    state_reason: string | null;
    policy_version: number;
    concurrency: number;
    contacts: components.ContactCounts;
    attempts: number;
    dispositions: { [name: string]: number };
    standing: boolean;
    standing_key: string | null;
    parent_id: string | null;
    created_at: string;
    started_at: (string) | (null);
    ended_at: (string) | (null);
    archived_at: (string) | (null);
    spec: { [name: string]: unknown };
    lists: ({
      digest: string;
      source_name: string;
      rows: {
        read: number;
        rejected: number;
        duplicate: number;
        accepted: number;
      };
      never_dialed: components.NeverDialed;
      through_line: number;
      completed_at: (string) | (null);
    })[];
    held_slots: number;
    live_batches: number;
    warnings: (string)[];
    estimate: components.Estimate;
    cloned_from: {
      id: string;
      name: string;
      run: number;
    };
    people: {
      looked_at: number;
      taken: number;
      excluded: number;
      left_out: { [name: string]: number };
      still_open: number;
    };
    dropped: (string)[];
  };
  export type CampaignCreated = {
    id: string;
    brand: string;
    name: string;
    run: number;
    state: "scheduled" | "running" | "paused" | "draining" | "completed" | "cancelled";
    state_reason: string | null;
    policy_version: number;
    concurrency: number;
    contacts: components.ContactCounts;
    attempts: number;
    dispositions: { [name: string]: number };
    standing: boolean;
    standing_key: string | null;
    parent_id: string | null;
    created_at: string;
    started_at: (string) | (null);
    ended_at: (string) | (null);
    archived_at: (string) | (null);
    spec: { [name: string]: unknown };
    lists: ({
      digest: string;
      source_name: string;
      rows: {
        read: number;
        rejected: number;
        duplicate: number;
        accepted: number;
      };
      never_dialed: components.NeverDialed;
      through_line: number;
      completed_at: (string) | (null);
    })[];
    held_slots: number;
    live_batches: number;
    warnings: (string)[];
    estimate: components.Estimate;
  };
  export type CampaignMoney = {
    spent: number;
    told: number;
    held: number;
    today: {
      spent: number;
      held: number;
    };
    total: number | null;
    per_day: number | null;
    zone: string;
  };
  export type CampaignPage = {
    items: (components.ListedCampaign)[];
    next_after: string | null;
    total: number;
  };
  /** A campaign: a list of people is called under a policy. It is written down and never started by apply. */
  export type CampaignSpec = {
    /** What it is called; once for each brand. */
    name: string;
    /** Whose it is. */
    brand?: string | undefined;
    /** The platform's agent that talks. */
    agent_id: string;
    /** Numbers of yours that are shown to people, in E.164 form. */
    from_numbers: (string)[];
    /** Agents or variables that are compared: each contact gets one of them, by their number. */
    variants?: ({
      name: string;
      weight?: number | undefined;
      agent_id?: string | undefined;
      variables?: { [name: string]: string } | undefined;
    })[] | undefined;
    /** Which of them somebody is called from, how often each may call, and when one that nobody answers rests. */
    caller_ids?: {
      sticky?: boolean | undefined;
      match?: "none" | "country" | "area" | undefined;
      per_hour?: number | undefined;
      per_day?: number | undefined;
      warm_up?: string | undefined;
      health?: {
        answered: number;
        newest?: number | undefined;
        at_least?: number | undefined;
        rest?: string | undefined;
      } | undefined;
    } | undefined;
    /** How many calls may be up at once. */
    concurrency: number;
    /** How long it takes from one call at once to all, at the beginning and after each pause. */
    ramp_up?: string | undefined;
    /** Its part of the account's lines against other campaigns', where they share them; 1 if nothing is said. */
    weight?: number | undefined;
    /** Those who take transferred calls: outside their hours nobody is called, and no more lines dial than they can take the transfers of. */
    transfers?: {
      hours?: {
        weekdays?: (string)[] | undefined;
        weekend?: (string)[] | undefined;
        monday?: (string)[] | undefined;
        tuesday?: (string)[] | undefined;
        wednesday?: (string)[] | undefined;
        thursday?: (string)[] | undefined;
        friday?: (string)[] | undefined;
        saturday?: (string)[] | undefined;
        sunday?: (string)[] | undefined;
      } | undefined;
      timezone?: string | undefined;
      capacity?: number | undefined;
      team?: string | undefined;
      expect?: number | undefined;
      talk?: string | undefined;
      answer?: string | undefined;
    } | undefined;
    /** high, normal or low: whether its list goes before others' where they share the account's lines. */
    priority?: "high" | "normal" | "low" | undefined;
    /** The country of numbers without +, such as US. */
    default_region?: string | undefined;
    /** How often somebody is tried, and how long after which outcome. */
    retry?: {
      max_attempts: number;
      delays?: { [name: string]: (string) | ({
        after: string;
        at: "next_window" | "other_part_of_day";
      }) | (((string) | ({
        after: string;
        at: "next_window" | "other_part_of_day";
      }))[]) | ({
        first: string;
        factor: number;
        at_most: string;
      }) } | undefined;
      max_per_disposition?: { [name: string]: number } | undefined;
    } | undefined;
    /** A column of the list, and the values of it that are called first and last. */
    contact_priority?: {
      column: string;
      first: number;
      last: number;
    } | undefined;
    /** Columns of the list whose values are encrypted in the ledger and told to the agent alone: never listed, and no rule reads them. */
    sensitive?: (string)[] | undefined;
    /** In which order first calls are made: that of the list, or newest_first. */
    order?: "list" | "newest_first" | undefined;
    /** When people may be called, in their own local time; weekdays 09:00 to 18:00 if nothing is said. */
    window?: ("always") | ({
      weekdays?: (string)[] | undefined;
      weekend?: (string)[] | undefined;
      monday?: (string)[] | undefined;
      tuesday?: (string)[] | undefined;
      wednesday?: (string)[] | undefined;
      thursday?: (string)[] | undefined;
      friday?: (string)[] | undefined;
      saturday?: (string)[] | undefined;
      sunday?: (string)[] | undefined;
    }) | undefined;
    /** Places such as US or DE-BY on whose public holidays nobody there is called. */
    holidays?: (string)[] | undefined;
    /** Dates with hours of their own, or none; they go before holidays. */
    exceptions?: ({
      date: string;
      to?: string | undefined;
      name?: string | undefined;
      hours?: (string)[] | undefined;
    })[] | undefined;
    /** Rules of countries and states that hold besides, such as us-states; careful where neither these nor a window are named. */
    presets?: (string)[] | undefined;
    /** Rules of presets that do not hold for it, each with the reason, which is audited and reported. */
    override?: ({
      rule: string;
      reason: string;
    })[] | undefined;
    /** How often a number may be called in any stretch of time, whoever calls. */
    frequency?: ({
      attempts?: number | undefined;
      conversations?: number | undefined;
      within: string;
      across?: "brand" | "everything" | undefined;
      at_cap?: "wait" | "end" | undefined;
    })[] | undefined;
    /** Countries whose numbers may be called, and costly kinds that may be, too. */
    numbers?: {
      countries?: (string)[] | undefined;
      kinds?: ("premium_rate" | "shared_cost" | "personal" | "satellite")[] | undefined;
    } | undefined;
    /** Which consent a number must have to be called, and how old it may be. */
    consent?: {
      require: "any" | "express" | "express_written";
      max_age?: string | undefined;
    } | undefined;
    /** Sources of suppressions that must be there, have a list and be young enough for anybody to be called. */
    requires_sources?: (string)[] | undefined;
    /** strict: numbers of +1 are not placed by their prefix, but by what is said of the person, or all over their country. */
    zones?: "strict" | undefined;
    /** How many calls are made before somebody has to approve of them. */
    canary?: number | undefined;
    /** Which share of its newest calls, by what they came to, has it pause itself, and whether it probes. */
    breaker?: {
      newest?: number | undefined;
      at_least?: number | undefined;
      failed?: number | undefined;
      invalid_number?: number | undefined;
      voicemail?: number | undefined;
      opted_out?: number | undefined;
      short?: {
        under: string;
        share: number;
      } | undefined;
      probe?: {
        after: string;
        calls?: number | undefined;
        tries?: number | undefined;
      } | undefined;
    } | undefined;
    /** tell or pause: what becomes of it when another version of its agent is published while it runs; told if nothing is said. */
    on_agent_change?: "tell" | "pause" | undefined;
    /** What its calls may cost in US dollars, in all and on a day of UTC or of `zone`, and what one is expected to cost. */
    budget?: {
      total?: (string) | (number) | undefined;
      per_day?: (string) | (number) | undefined;
      zone?: string | undefined;
      expect_per_call?: (string) | (number) | undefined;
    } | undefined;
    /** Nobody is called before. */
    starts_at?: string | undefined;
    /** Nobody is called after. */
    ends_at?: string | undefined;
    /** Which answers of the agent's own analysis, and what else is known of a call, decide what it came to. */
    analysis?: {
      rules?: ({
        key?: string | undefined;
        equals?: (string) | (boolean) | (number) | undefined;
        when?: string | undefined;
        disposition: "answered" | "voicemail" | "no_answer" | "busy" | "failed" | "invalid_number" | "opted_out" | "callback_requested" | "unknown";
      })[] | undefined;
      keep?: (string)[] | undefined;
      wait?: string | undefined;
    } | undefined;
    /** What a call from somebody does to the calls that were still to be made to them. */
    inbound?: ("close" | "ignore") | ({
      reschedule: string;
    }) | undefined;
    /** Time between two calls to a number, unless a delay of retry is shorter; a minute at least where phones ring, 5m if nothing is said. */
    least_gap?: string | undefined;
    /** Leaves out whoever was called within this, such as 7d. */
    not_called_within?: string | undefined;
    /** Where a recurring campaign gets its people from, fresh for each run. */
    contacts?: ({
      file: string;
      format?: "csv" | "ndjson" | undefined;
      map?: { [name: string]: string } | undefined;
    }) | ({
      url: (string) | ({
        secret: string;
      });
      headers?: { [name: string]: {
        secret: string;
      } } | undefined;
      format?: "csv" | "ndjson" | undefined;
      map?: { [name: string]: string } | undefined;
    }) | ({
      database: string;
      query: string;
      phone?: string | undefined;
    }) | undefined;
    /** What is done after calls. */
    follow_ups?: ({
      id: string;
      on?: ("answered" | "voicemail" | "no_answer" | "busy" | "failed" | "invalid_number" | "opted_out" | "callback_requested" | "unknown")[] | undefined;
      when?: string | undefined;
      needs_processing?: (boolean) | ("auto") | undefined;
      wait?: string | undefined;
      on_unprocessed?: "act" | "skip" | undefined;
      classify?: ({
        label: string;
        value: string;
      })[] | undefined;
      mode?: "in_order" | "parallel" | undefined;
      on_failure?: "stop" | "continue" | undefined;
      actions: ({
        automation?: {
          workflow_id: string;
          data?: { [name: string]: string } | undefined;
          timeout?: string | undefined;
          repeat?: "safe" | "never" | undefined;
          retry?: {
            max_tries?: number | undefined;
            delays?: (string)[] | undefined;
          } | undefined;
        } | undefined;
        webhook?: {
          url: (string) | ({
            secret: string;
          });
          secret?: string | undefined;
          headers?: { [name: string]: (string) | ({
            secret: string;
          }) } | undefined;
          data?: { [name: string]: string } | undefined;
          timeout?: string | undefined;
          retry?: {
            max_tries?: number | undefined;
            delays?: (string)[] | undefined;
          } | undefined;
          give_up_on?: (number)[] | undefined;
        } | undefined;
        callback?: {
          at?: string | undefined;
          default_delay?: string | undefined;
          on_unreadable?: "ask" | "default_delay" | undefined;
          max_per_contact?: number | undefined;
          retry?: {
            max_tries?: number | undefined;
            delays?: (string)[] | undefined;
          } | undefined;
        } | undefined;
        suppress?: {
          scope?: "brand" | "global" | undefined;
          reason: string;
          retry?: {
            max_tries?: number | undefined;
            delays?: (string)[] | undefined;
          } | undefined;
        } | undefined;
        enroll?: {
          sequence: string;
          variables?: { [name: string]: string } | undefined;
          key?: string | undefined;
          retry?: {
            max_tries?: number | undefined;
            delays?: (string)[] | undefined;
          } | undefined;
        } | undefined;
        tag?: {
          tag: string;
          retry?: {
            max_tries?: number | undefined;
            delays?: (string)[] | undefined;
          } | undefined;
        } | undefined;
        recording?: {
          folder?: string | undefined;
          timeout?: string | undefined;
          retry?: {
            max_tries?: number | undefined;
            delays?: (string)[] | undefined;
          } | undefined;
        } | undefined;
      })[];
    })[] | undefined;
  };
  export type Canary = {
    campaign_id: string;
    name: string;
    state: "scheduled" | "running" | "paused" | "draining" | "completed" | "cancelled";
    canary: (number) | (null);
    approval: "none" | "calling" | "waiting" | "approved";
    calls: ({
      phone: string;
      zones: (string)[];
      call_id: string | null;
      disposition: string | null;
      disposition_reason: string | null;
      started_at: (string) | (null);
      ended_at: (string) | (null);
      duration_seconds: number | null;
    })[];
  };
  export type Certificate = {
    id: string;
    installation_id: string;
    person: string;
    last_digits: string;
    asked_at: string;
    asked_by: string;
    reason: string;
    done_at: string;
    removed: { [name: string]: number };
    waiting: ({
      what: "recording" | "record of a call";
      name: string;
      where: string;
      since: string;
      why: string;
    })[];
    complete_at: (string) | (null);
    kept: ({
      what: string;
      rows: number;
      as: "number" | "digest" | "nothing that leads to the person";
      why: string;
    })[];
    elsewhere: ({
      where: string;
      what: string;
    })[];
  };
  export type CitedPolicy = {
    campaign_id: string;
    campaign: string;
    run: number;
    brand: string;
    version: number;
    by: string;
    since: string;
    rules: { [name: string]: unknown };
  };
  export type Consent = {
    id: number;
    phone: string;
    brand: string;
    basis: (components.Basis) | (null);
    at: string;
    proof: string | null;
    expires_at: (string) | (null);
    source: string;
    recorded_at: string;
  };
  export type ConsentAdded = {
    added: number;
    already: number;
  };
  export type ConsentList = {
    items: (components.Consent)[];
  };
  export type ConsentWithdrawn = {
    phone: string;
    brand: string;
    stopped_batches: number;
    in_flight: components.InFlight;
  };
  export type Contact = {
    /** The contact's own number in the ledger. */
    contact_id: number;
    campaign_id: string;
    /** The campaign's name. */
    campaign: string;
    /** Which run of that name. */
    run: number;
    brand: string;
    /** E.164. */
    phone: string;
    /** Country of the number; null: of no one country. */
    region: string | null;
    /** Time zones, of all that they may be in; calls keep to the hours of each. */
    zones: (string)[];
    /** Countries, and states as US-FL, where these were kept. */
    places: (string)[];
    /** Higher is called first. */
    priority: number;
    /** Where they stand in their list; null: their call was placed by itself. */
    line: (number) | (null);
    /** open: waits to be called. leased: a call is planned or under way. done: has its outcome. excluded: will not be called. */
    state: "open" | "leased" | "done" | "excluded";
    /** Calls that count as dialed. */
    attempts: number;
    /** What the last of them came to, whether or not another follows. */
    last_disposition: string | null;
    /** Of one who is done: what it came to in the end. */
    outcome: string | null;
    /** Why they are done or excluded, or are to be taken back from a call. */
    reason: string | null;
    /** Of one who is open: when they are due; null otherwise, and while they are held. */
    due_at: (string) | (null);
    /** Nobody calls before somebody lets it go on, whenever it is due. */
    held: boolean;
    /** Of a call of a sequence: whose. */
    enrolment_id: string | null;
    /** Which call of that enrolment it is. */
    call_no: (number) | (null);
    /** Of a callback: the action that asked for it. */
    action_id: string | null;
    ended_at: (string) | (null);
  };
  export type ContactCounts = {
    total: number;
    done: number;
    excluded: number;
    open: number;
    leased: number;
  };
  export type ContactDetail = {
    /** The contact's own number in the ledger. */
    contact_id: number;
    campaign_id: string;
    /** The campaign's name. */
    campaign: string;
    /** Which run of that name. */
    run: number;
    brand: string;
    /** E.164. */
    phone: string;
    /** Country of the number; null: of no one country. */
    region: string | null;
    /** Time zones, of all that they may be in; calls keep to the hours of each. */
    zones: (string)[];
    /** Countries, and states as US-FL, where these were kept. */
    places: (string)[];
    /** Higher is called first. */
    priority: number;
    /** Where they stand in their list; null: their call was placed by itself. */
    line: (number) | (null);
    /** open: waits to be called. leased: a call is planned or under way. done: has its outcome. excluded: will not be called. */
    state: "open" | "leased" | "done" | "excluded";
    /** Calls that count as dialed. */
    attempts: number;
    /** What the last of them came to, whether or not another follows. */
    last_disposition: string | null;
    /** Of one who is done: what it came to in the end. */
    outcome: string | null;
    /** Why they are done or excluded, or are to be taken back from a call. */
    reason: string | null;
    /** Of one who is open: when they are due; null otherwise, and while they are held. */
    due_at: (string) | (null);
    /** Nobody calls before somebody lets it go on, whenever it is due. */
    held: boolean;
    /** Of a call of a sequence: whose. */
    enrolment_id: string | null;
    /** Which call of that enrolment it is. */
    call_no: (number) | (null);
    /** Of a callback: the action that asked for it. */
    action_id: string | null;
    ended_at: (string) | (null);
    /** What its list said, for the agent. */
    variables: { [name: string]: string };
    /** The newest 100 attempts, the newest first; the campaign's attempts have the others. */
    calls: (components.Attempt)[];
    /** Of one who is open: what keeps them from being called now. */
    waits_for: ({
      reason: string;
      detail: string;
      /** Null: not known. */
      since: (string) | (null);
    })[];
  };
  export type ContactPage = {
    items: (components.Contact)[];
    next_after: string | null;
  };
  export type Conversion = {
    version: (number) | (null);
    people: number;
    is_sample: boolean;
    steps: ({
      step: string;
      came: number;
      went_on: { [name: string]: number };
      ended: number;
      there: number;
    })[];
  };
  export type DataKeys = {
    keys: ({
      id: string;
      state: "current" | "older" | "missing";
      contacts: number;
      enrolments: number;
      more: boolean;
    })[];
  };
  export type Declaration = {
    kind: "attention-route" | "event-webhook" | "automation" | "suppression-source" | "suppression-list" | "sequence" | "campaign" | "trigger" | "schedule";
    brand: string;
    name: string;
    digest: string;
    actor: string;
    applied_at: string;
    removal: string;
    prunable: "yes" | "refused" | "never";
  };
  export type DeclarationList = {
    items: (components.Declaration)[];
  };
  export type DeclaredApplied = {
    kind: "attention-route" | "event-webhook" | "automation" | "suppression-source" | "suppression-list" | "sequence" | "campaign" | "trigger" | "schedule";
    brand: string;
    name: string;
    fields: ({
      field: string;
      before: string | null;
      after: string | null;
    })[];
    warnings: (string)[];
    change: "created" | "changed" | "none";
  };
  export type DeclaredDiff = {
    items: (components.DeclaredDifference)[];
  };
  export type DeclaredDifference = {
    kind: "attention-route" | "event-webhook" | "automation" | "suppression-source" | "suppression-list" | "sequence" | "campaign" | "trigger" | "schedule";
    brand: string;
    name: string;
    fields: ({
      field: string;
      before: string | null;
      after: string | null;
    })[];
    warnings: (string)[];
    change: "create" | "change" | "same" | "refused";
    reason: string | null;
  };
  export type DeclaredDocuments = {
    items: ({ [name: string]: unknown })[];
    next_after: string | null;
    withheld: ({
      kind: "attention-route" | "event-webhook" | "automation" | "suppression-source" | "suppression-list" | "sequence" | "campaign" | "trigger" | "schedule";
      brand: string;
      name: string;
      fields: (string)[];
    })[];
  };
  export type DeclaredPruned = {
    kind: "attention-route" | "event-webhook" | "automation" | "suppression-source" | "suppression-list" | "sequence" | "campaign" | "trigger" | "schedule";
    brand: string;
    name: string;
    removal: string;
  };
  export type Delivery = {
    id: string;
    trigger: string;
    state: "received" | "done" | "ignored" | "failed";
    times: number;
    received_at: string;
    ended_at: (string) | (null);
    unheard: number;
    result: ({ [name: string]: unknown }) | (null);
    key: string;
    digest: string;
    body: ({
      type: "json" | "form";
      headers: { [name: string]: string };
      text: string;
    }) | (null);
  };
  export type DeliveryAccepted = {
    delivery_id: string;
    duplicate?: true | undefined;
    differs?: true | undefined;
  };
  export type DeliveryPage = {
    items: (components.DeliverySummary)[];
    next_after: string | null;
    total: number;
  };
  export type DeliverySummary = {
    id: string;
    trigger: string;
    state: "received" | "done" | "ignored" | "failed";
    times: number;
    received_at: string;
    ended_at: (string) | (null);
    unheard: number;
    result: ({ [name: string]: unknown }) | (null);
  };
  export type DialCheck = {
    rule: string;
    allowed: boolean | null;
    says: string;
  };
  export type Enrolled = {
    enrolment_id: string;
    result: "enrolled" | "already";
  };
  export type Enrolment = {
    id: string;
    sequence_id: string;
    version: number;
    phone: string;
    zones: (string)[];
    key: string;
    source: string;
    state: "active" | "done";
    paused: boolean;
    step: string | null;
    outcome: string | null;
    reason: string | null;
    created_at: string;
    started_at: (string) | (null);
    wake_at: (string) | (null);
    awaits_call: boolean;
    ended_at: (string) | (null);
    sequence: string;
    brand: string;
    region: string | null;
    variables: { [name: string]: string };
    calls: ({
      n: number;
      campaign_id: string;
      state: "open" | "leased" | "done" | "excluded";
      outcome: string | null;
      reason: string | null;
      attempts: number;
      due_at: (string) | (null);
      held_by: ({
        reason: string;
        detail: string;
        since: (string) | (null);
      })[];
      call_id: string | null;
      duration_seconds: number | null;
      ended_at: (string) | (null);
    })[];
    actions: ({
      id: string;
      step: string;
      kind: string;
      state: string;
      tries: number;
      next_try_at: (string) | (null);
      error: string | null;
      created_at: string;
      ended_at: (string) | (null);
    })[];
    journey: ({
      n: number;
      at: string;
      step: string | null;
      what: string;
      detail: { [name: string]: unknown };
    })[];
  };
  export type EnrolmentCommand = {
    enrolment_id: string;
    command_id: string;
    state: "active" | "done";
    paused: boolean;
    step: string | null;
    outcome: string | null;
  };
  export type EnrolmentCounts = {
    total: number;
    active: number;
    done: number;
    not_started: number;
    paused: number;
  };
  export type EnrolmentList = {
    sequence_id: string;
    digest: string;
    rows: {
      read: number;
      rejected: number;
      duplicate: number;
      accepted: number;
    };
    never_dialed: components.NeverDialed;
    through_line: number;
    already: boolean;
    enrolments: components.EnrolmentCounts;
  };
  export type EnrolmentPage = {
    items: (components.EnrolmentSummary)[];
    next_after: string | null;
    total: number;
  };
  export type EnrolmentSummary = {
    id: string;
    sequence_id: string;
    version: number;
    phone: string;
    zones: (string)[];
    key: string;
    source: string;
    state: "active" | "done";
    paused: boolean;
    step: string | null;
    outcome: string | null;
    reason: string | null;
    created_at: string;
    started_at: (string) | (null);
    wake_at: (string) | (null);
    awaits_call: boolean;
    ended_at: (string) | (null);
  };
  export type Estimate = {
    contacts: number;
    cost: ({
      low: number;
      median: number;
      high: number;
    }) | (null);
    per_contact: ({
      low: number;
      median: number;
      high: number;
    }) | (null);
    unknown: string | null;
    calls: {
      low: number;
      median: number;
      high: number;
    };
    minutes: {
      low: number;
      median: number;
      high: number;
    };
    by_disposition: { [name: string]: {
      calls: number;
      minutes: number;
    } };
    per_minute: number | null;
    per_call: number | null;
    outcomes_from: string;
    left: ({
      of: string;
      period: "balance" | "total" | "day";
      usd: number;
      enough: ("yes" | "likely" | "no") | (null);
    })[];
  };
  export type Event = {
    id: string;
    type: string;
    at: string;
    brand: string | null;
    campaign_id: (string) | (null);
    callbacks_of: (string) | (null);
    campaign: string | null;
    data: { [name: string]: unknown };
  };
  export type EventPage = {
    items: (components.Event)[];
    next_after: string;
    more: boolean;
  };
  /** A webhook of events: a program elsewhere that is sent what happens, in order, by signed requests. */
  export type EventWebhookDefinition = {
    /** What it is called. */
    name: string;
    /** Where it goes: webhook, with url and the name of the secret that signs. */
    to: {
      webhook: {
        url: (string) | ({
          secret: string;
        });
        secret: string;
      };
    };
    /** Of which types events are sent; left out: all. */
    types?: ("campaign.created" | "campaign.started" | "campaign.paused" | "campaign.resumed" | "campaign.ending" | "campaign.completed" | "campaign.cancelled" | "campaign.amended" | "campaign.people_withdrawn" | "retention.applied" | "call.ended" | "contact.finished" | "follow_up.done" | "follow_up.failed" | "enrolment.started" | "enrolment.finished" | "schedule_run.finished" | "delivery.ended" | "attention.opened" | "attention.resolved" | "suppression.added" | "suppression.removed" | "consent.withdrawn" | "budget.set" | "budget.removed" | "credit.exhausted" | "credit.restored" | "dialing.stopped" | "dialing.resumed" | "recovery.required" | "recovery.released")[] | undefined;
    /** Whose; left out: every brand's, and what is of none. */
    brands?: (string)[] | undefined;
  };
  export type EventWebhookEnabled = {
    webhook: components.EventWebhookView;
    was_disabled: boolean;
    passed_over: boolean;
  };
  export type EventWebhookList = {
    items: (components.EventWebhookView)[];
  };
  export type EventWebhookPut = {
    webhook: components.EventWebhookView;
    warnings: (string)[];
    change: "created" | "changed" | "none";
  };
  export type EventWebhookRemoved = {
    removed: components.EventWebhookView;
  };
  export type EventWebhookShown = {
    webhook: components.EventWebhookView;
    warnings: (string)[];
  };
  export type EventWebhookTested = {
    delivered: boolean;
    said: string;
  };
  export type EventWebhookView = {
    name: string;
    definition: { [name: string]: unknown };
    state: "active" | "failing" | "disabled";
    delivered_at: (string) | (null);
    failures: number;
    failing_since: (string) | (null);
    trouble: string | null;
    next_at: (string) | (null);
    disabled_at: (string) | (null);
    after: string;
    created_at: string;
    changed_at: string;
  };
  export type Examination = {
    ok: boolean;
    checks: ({
      name: string;
      status: "ok" | "warn" | "fail";
      detail: string;
      remedy?: string | undefined;
    })[];
  };
  export type Execution = {
    execution_id: string;
    workflow_id: string;
    status: string;
    trigger_source: string | null;
    error: string | null;
    repeats: string | null;
    started_at: string;
    ended_at: (string) | (null);
  };
  export type ExecutionPage = {
    items: (components.Execution)[];
    next_after: string | null;
    total: number;
  };
  export type Explanation = {
    contact: {
      phone: string;
      line: (number) | (null);
      state: string;
      reason: string | null;
      outcome: string | null;
      zones: (string)[];
      places: (string)[];
      due_at: (string) | (null);
      attempts: number;
    };
    attempts: ({
      attempt_no: number;
      state: string;
      batch_id: string;
      policy_version: number;
      agent_version: (number) | (null);
      agent_changed_to: (number) | (null);
      disposition: string | null;
      disposition_reason: string | null;
      planned_at: string;
      started_at: (string) | (null);
      ended_at: (string) | (null);
    })[];
    refusals: ({
      reason: string;
      detail: string;
      policy_version: number;
      times: number;
      first_at: string;
      last_at: string;
    })[];
    holds: ({
      reason: string;
      detail: string;
      policy_version: number;
      from: string;
      until: (string) | (null);
    })[];
  };
  export type ExportPage = {
    phone: string;
    made_at: string;
    installation_id: string;
    outdial: string;
    records: ({
      table: string;
      row: { [name: string]: unknown };
    })[];
    next_after: string | null;
  };
  export type FieldProblem = {
    field: string;
    message: string;
  };
  export type FollowUp = {
    id: string;
    campaign_id: string;
    campaign: string;
    phone: string;
    zones: (string)[];
    call_id: string | null;
    disposition: string;
    policy_version: number;
    state: "waiting" | "acting" | "done" | "failed";
    processing: string | null;
    wait_until: string;
    hinted_at: (string) | (null);
    looks: number;
    rules: ((string)[]) | (null);
    labels: ({ [name: string]: string }) | (null);
    failed_actions: number;
    created_at: string;
    ended_at: (string) | (null);
  };
  export type FollowUpDetail = {
    id: string;
    campaign_id: string;
    campaign: string;
    phone: string;
    zones: (string)[];
    call_id: string | null;
    disposition: string;
    policy_version: number;
    state: "waiting" | "acting" | "done" | "failed";
    processing: string | null;
    wait_until: string;
    hinted_at: (string) | (null);
    looks: number;
    rules: ((string)[]) | (null);
    labels: ({ [name: string]: string }) | (null);
    failed_actions: number;
    created_at: string;
    ended_at: (string) | (null);
    actions: (components.Action)[];
  };
  export type FollowUpPage = {
    items: (components.FollowUp)[];
    next_after: string | null;
    total: number;
  };
  export type ForgetAnswer = {
    preview: components.ForgetPreview;
    forgetting: (components.Forgetting) | (null);
  };
  export type ForgetPreview = {
    rows: { [name: string]: number };
    recordings: number;
    calls: number;
    waits_for: string | null;
    becomes: { [name: string]: string };
    elsewhere: ({
      where: string;
      what: string;
    })[];
  };
  export type Forgetting = {
    id: string;
    person: string;
    last_digits: string;
    state: "settling" | "removing" | "waiting" | "done";
    waits_for: string | null;
    as_hash: boolean;
    reason: string;
    asked_at: string;
    asked_by: string;
    removed: { [name: string]: number };
    certificate: (components.Certificate) | (null);
  };
  export type ForgettingPage = {
    items: (components.Forgetting)[];
    next_after: string | null;
  };
  export type GoOnResult = {
    stopped: false;
    was_stopped: boolean;
  };
  export type HaltResult = {
    state: "scheduled" | "running" | "paused" | "draining" | "completed" | "cancelled";
    command_id: string;
    in_flight: components.InFlight;
  };
  export type HintAccepted = {
    accepted: true;
  };
  export type ImportResult = {
    campaign_id: string;
    digest: string;
    rows: {
      read: number;
      rejected: number;
      duplicate: number;
      accepted: number;
    };
    never_dialed: components.NeverDialed;
    through_line: number;
    already: boolean;
  };
  export type InFlight = {
    batches: number;
    calls_up: number;
    uncertain: number;
  };
  export type Installation = {
    installation_id: string;
  };
  export type JsonValue = (string) | (number) | (boolean) | (null) | ((components.JsonValue)[]) | ({ [name: string]: components.JsonValue });
  export type KeyRotation = {
    id: string;
    state: "rotating" | "stored" | "switched" | "verified" | "done" | "failed";
    old_key_id: string;
    old_key_prefix: string;
    new_key_id: string | null;
    new_key_prefix: string | null;
    tries: number;
    grace_hours: number;
    grace_until: (string) | (null);
    error: string | null;
    actor: string;
    created_at: string;
    ended_at: (string) | (null);
  };
  export type KeyRotationList = {
    items: (components.KeyRotation)[];
  };
  export type KeyStatus = {
    source: "file" | "environment";
    file: string | null;
    fixed: string | null;
    key: ({
      id: string;
      name: string | null;
      prefix: string | null;
      scopes: ((string)[]) | (null);
      expires_at: string | null;
      grace_period_ends_at: string | null;
      last_used_at: string | null;
    }) | (null);
    unknown: string | null;
    ends_at: (string) | (null);
    last_rotation: (components.KeyRotation) | (null);
  };
  export type LedgerCopy = {
    folder: string;
    at: string;
    files: number;
    bytes: number;
    held_ms: number;
  };
  export type ListReplaced = {
    source: components.Source;
    added: number;
    kept: number;
    removed: number;
    stopped_batches: number;
    in_flight: components.InFlight;
    rows: {
      read: number;
      rejected: number;
      partly_read: number;
    };
    rejected: (components.RejectedRow)[];
    partly_read: (components.RejectedRow)[];
  };
  export type ListedCampaign = {
    id: string;
    brand: string;
    name: string;
    run: number;
    state: "scheduled" | "running" | "paused" | "draining" | "completed" | "cancelled";
    state_reason: string | null;
    policy_version: number;
    concurrency: number;
    contacts: components.ContactCounts;
    attempts: number;
    dispositions: { [name: string]: number };
    standing: boolean;
    standing_key: string | null;
    parent_id: string | null;
    created_at: string;
    started_at: (string) | (null);
    ended_at: (string) | (null);
    archived_at: (string) | (null);
    /** Lines that its calls hold at this moment. */
    held_slots: number;
    /** Calls that were handed to the platform, as a mean of the last five minutes. */
    calls_a_minute: number;
    /** US dollars that its calls cost so far, those of its callbacks included; of callbacks: of the campaign that they are of. */
    spent: number;
  };
  export type ListedSequence = {
    id: string;
    brand: string;
    name: string;
    state: "active" | "paused" | "closed";
    state_reason: string | null;
    version: number;
    enrolments: (components.EnrolmentCounts) | (null);
    created_at: string;
  };
  export type Me = {
    kind: "system" | "token" | "link" | "person";
    name: string;
    role: components.Role;
    brands: ((string)[]) | (null);
    actor: string;
  };
  export type NeverDialed = ({
    reason: "no_time_zone" | "no_common_window" | "no_transfer_hours";
    region: string | null;
    zones: (string)[];
    contacts: number;
    why: string;
    remedy: string;
  })[];
  export type OftenCalled = {
    /** From then on calls were counted. */
    since: string;
    items: ({
      phone: string;
      calls: number;
      /** So many campaigns and steps of sequences called. */
      campaigns: number;
      /** When the last of the calls began. */
      last_at: string;
    })[];
    /** All who were called so often; `items` are the first of them. */
    total: number;
    /** Calls that were looked at. */
    looked_through: number;
    /** Where there are more calls than are looked at: only those since then were. Null: all since `since` were. */
    back_to: (string) | (null);
  };
  export type Outlook = {
    /** Of this moment it is, for all who ask for a while. */
    at: string;
    /** How far people came, call by call. */
    funnel: ({
      /** Which of their calls; 0: before the first. */
      call: number;
      /** Everybody who came that far. */
      contacts: number;
      /** For whom it was the last one, by what they came to. */
      done: { [name: string]: number };
      excluded: number;
      /** Who wait for another one, or are being called. */
      open: number;
    })[];
    due: {
      /** Due already: hours, lines and rules hold them back, or nothing does. */
      now: {
        /** First calls. */
        first: number;
        retries: number;
      };
      /** Who falls due in each of the next 48 hours. */
      hours: ({
        /** First calls. */
        first: number;
        retries: number;
        from: string;
      })[];
      later: {
        /** First calls. */
        first: number;
        retries: number;
      };
    };
    /** By where people are, most first. */
    zones: ({
      zones: (string)[];
      places: (string)[];
      /** Who are open there. */
      contacts: number;
      /** When they may be called within the next 24 hours, by hours and days off. */
      open: ({
        from: string;
        until: string;
      })[];
      /** What the clocks there showed at `at`. */
      local: ({
        at: string;
        zones: (string)[];
      })[];
    })[];
    more_zones: boolean;
    forecast: ({
      /** From when on: now, or when it may begin. */
      from: string;
      /** When everybody is through: a tenth of the runs are before `low`, a tenth behind `high`. */
      end: {
        low: string;
        median: string;
        high: string;
      };
      /** Calls still to be made. */
      calls: {
        low: number;
        median: number;
        high: number;
      };
      /** People who were not through within a year. */
      open: {
        low: number;
        median: number;
        high: number;
      };
      calls_by_hour: ({
        from: string;
        calls: number;
      })[];
      /** Calls that it may have up at once. */
      lines: number;
      /** Whose outcomes calls are taken to come to. */
      outcomes_from: string;
      runs: number;
      /** So many were rehearsed, and stand for all who are open. */
      people: number;
    }) | (null);
    /** Why there is no forecast. */
    forecast_unknown: string | null;
  };
  export type PastCalls = {
    campaigns: number;
    contacts_dialed: number;
    attempt_dispositions: { [name: string]: number };
    talk_seconds: number;
    spent: number;
  };
  export type PersonCallPage = {
    phone: string;
    items: ({
      call_id: string;
      direction: "outbound" | "inbound";
      record: ({ [name: string]: unknown }) | (null);
      has_recording: boolean;
    })[];
    next_after: string | null;
  };
  export type Preset = {
    id: string;
    version: string;
    title: string;
    reviewed: string;
    countries: (string)[];
    needs: (string)[];
    rules: (components.PresetRule)[];
  };
  export type PresetList = {
    items: ({
      id: string;
      version: string;
      title: string;
      reviewed: string;
      countries: (string)[];
      needs: (string)[];
      rules: number;
    })[];
  };
  export type PresetRule = {
    id: string;
    kind: "hours" | "sundays" | "holidays" | "calls" | "consent";
    where: string;
    places: ((string)[]) | (null);
    says: string;
    source: string;
    url: string;
    dated: string;
    note: string | null;
  };
  export type Problem = {
    type?: string | undefined;
    title: string;
    status: number;
    detail: string;
    code: string;
    instance?: string | undefined;
    errors?: (components.FieldProblem)[] | undefined;
    [name: string]: unknown;
  };
  export type Progress = {
    campaign_id: string;
    name: string;
    run: number;
    state: "scheduled" | "running" | "paused" | "draining" | "completed" | "cancelled";
    state_reason: string | null;
    contacts: components.ContactCounts;
    attempts: number;
    dispositions: { [name: string]: number };
    concurrency: number;
    held_slots: number;
    live_batches: number;
    holds: ({
      reason: string;
      detail: string;
      until: (string) | (null);
      zone_sets: number;
    })[];
    agents: ({
      agent_id: string;
      name: string;
      state: "published" | "draft" | "gone";
      version: (number) | (null);
      origin: string | null;
      was_version: (number) | (null);
      changed_at: (string) | (null);
      seen_at: string;
      missing: (string)[];
    })[];
    transfers: ({
      people: number;
      lines: number;
      share: number;
      conversations: number;
      known: number;
      transferred: number;
    }) | (null);
    follow_ups: {
      open: number;
    };
    callbacks: {
      open: number;
    };
    money: components.CampaignMoney;
    started_at: (string) | (null);
    ended_at: (string) | (null);
    now: string;
  };
  export type Ready = {
    ok: true;
  };
  export type RecoverResult = {
    looked: number;
    settled_batches: number;
    adopted_batches: number;
    adopted_attempts: number;
    strangers: number;
    deleted: number;
    foreign: (string)[];
    passed_over_schedules: number;
    tokens_in_force: {
      count: number;
      names: (string)[];
    };
  };
  export type Rehearsal = {
    campaign: string;
    /** SHA-256 of the list. */
    digest: string;
    from: string;
    runs: number;
    /** Of the first run; with it, the same list and the same spec it is the same again. */
    seed: number;
    /** Calls that may be up at once: of the campaign, or of the account where that has fewer. */
    lines: number;
    outcomes: {
      /** Whose outcomes calls are taken to come to. */
      from: string;
      shares: { [name: string]: number };
      invalid_numbers: number;
      uncertainty: number;
    };
    /** read = ok + rejected + duplicate. */
    rows: {
      read: number;
      ok: number;
      rejected: number;
      duplicate: number;
    };
    /** When everybody is through: a tenth of the runs are before `low`, a tenth behind `high`. */
    end: {
      low: string;
      median: string;
      high: string;
    };
    calls: {
      low: number;
      median: number;
      high: number;
    };
    talk_seconds: {
      low: number;
      median: number;
      high: number;
    };
    line_seconds: {
      low: number;
      median: number;
      high: number;
    };
    /** Null: no price is known. */
    cost_usd: ({
      low: number;
      median: number;
      high: number;
    }) | (null);
    cost_per_minute_usd: number | null;
    /** Of the spec. */
    budget: ({ [name: string]: unknown }) | (null);
    balance_usd: number | null;
    most_lines: number;
    attempt_dispositions: { [name: string]: {
      low: number;
      median: number;
      high: number;
    } };
    dispositions: { [name: string]: {
      low: number;
      median: number;
      high: number;
    } };
    final_reasons: { [name: string]: {
      low: number;
      median: number;
      high: number;
    } };
    excluded_reasons: { [name: string]: {
      low: number;
      median: number;
      high: number;
    } };
    excluded_details: { [name: string]: string };
    never_dialed: components.NeverDialed;
    rejected_by_code: { [name: string]: number };
    /** People who were not through within a year. */
    open: {
      low: number;
      median: number;
      high: number;
    };
    time_zone: string;
    /** Hours of the clocks of `time_zone`, without an offset. */
    calls_by_hour: ({
      low: number;
      median: number;
      high: number;
      hour: string;
    })[];
    /** Hours that people waited in all, by what for. */
    held_contact_hours: { [name: string]: number };
    end_by: ({
      at: string;
      /** Lines that it takes; null: no number of them is enough. */
      lines: (number) | (null);
      runs_in_time?: number | undefined;
      runs?: number | undefined;
      earliest_end?: string | undefined;
      left_out?: number | undefined;
    }) | (null);
    /** How many are to come. */
    blackouts: (number) | (null);
    /** What the forecast leaves out, in words. */
    not_known: (string)[];
    took_ms: number;
  };
  export type RehearsedBranch = {
    /** What leads here: dispositions, `event`, `timeout`, `done` and so on. */
    when: (string)[];
    /** Of a call: when its tries are made. */
    tries: (string)[];
    points: ({
      at: string;
      step: string | null;
      what: string;
      detail: { [name: string]: unknown };
    })[];
    end?: {
      at: string;
      outcome: string;
      reason: string;
    } | undefined;
    /** It goes on, and that is not walked. */
    cut?: {
      at: string;
      why: string;
    } | undefined;
    fork?: {
      at: string;
      step: string;
      /** What decides: call, event, action, split or branch. */
      about: string;
      ways: (components.RehearsedBranch)[];
    } | undefined;
  };
  export type RehearsedWay = {
    points: ({
      at: string;
      step: string | null;
      what: string;
      detail: { [name: string]: unknown };
    })[];
    end?: {
      at: string;
      outcome: string;
      reason: string;
    } | undefined;
    /** It goes on, and that is not walked. */
    cut?: {
      at: string;
      why: string;
    } | undefined;
    fork?: {
      at: string;
      step: string;
      /** What decides: call, event, action, split or branch. */
      about: string;
      ways: (components.RehearsedBranch)[];
    } | undefined;
  };
  export type RejectedRow = {
    line: number;
    code: string;
    reason: string;
    raw: string;
  };
  export type Report = {
    campaign_id: string;
    name: string;
    run: number;
    brand: string;
    state: "scheduled" | "running" | "paused" | "draining" | "completed" | "cancelled";
    state_reason: string | null;
    policy_version: number;
    presets: (string)[];
    overrides: ({
      rule: string;
      reason: string;
    })[];
    rows: {
      read: number;
      rejected: number;
      duplicate: number;
    };
    contacts: components.ContactCounts;
    contacts_dialed: number;
    attempts: number;
    dispositions: { [name: string]: number };
    attempt_dispositions: { [name: string]: number };
    excluded_reasons: { [name: string]: number };
    variants: ({
      name: string;
      contacts: number;
      reached: number;
      reached_share: ({
        share: number;
        from: number;
        to: number;
      }) | (null);
      difference: ({
        share: number;
        from: number;
        to: number;
      }) | (null);
      attempts: number;
      attempt_dispositions: { [name: string]: number };
    })[];
    agent_versions: ({
      agent_id: string;
      version: (number) | (null);
      attempts: number;
      changed_under_way: number;
      attempt_dispositions: { [name: string]: number };
    })[];
    batches: {
      total: number;
      unsettled: number;
      held_slots: number;
    };
    talk_seconds: number;
    money: {
      spent: number;
      told: number;
      held: number;
      today: {
        spent: number;
        held: number;
      };
      total: number | null;
      per_day: number | null;
      zone: string;
      per_conversation: number | null;
    };
    follow_ups: {
      open: number;
      open_failed: number;
      failed: number;
      done: number;
    };
    callbacks: {
      open: number;
    };
    created_at: string;
    started_at: (string) | (null);
    ended_at: (string) | (null);
  };
  export type Rerun = {
    id: string;
    automation: string;
    repeats: string;
    state: "due" | "running" | "done" | "failed" | "unknown";
  };
  export type ResumeResult = {
    state: "scheduled" | "running" | "paused" | "draining" | "completed" | "cancelled";
    command_id: string;
  };
  export type Retention = {
    kinds: (components.RetentionKind)[];
  };
  export type RetentionAnswer = {
    kinds: (components.RetentionKind)[];
    due: ({
      kind: "contacts" | "attempts" | "analysis" | "recordings" | "platform_calls" | "enrolments" | "deliveries" | "events" | "audit";
      rows: number;
      more: boolean;
    })[];
    is_set: boolean;
  };
  export type RetentionKind = {
    kind: "contacts" | "attempts" | "analysis" | "recordings" | "platform_calls" | "enrolments" | "deliveries" | "events" | "audit";
    what: string;
    keep: string | null;
    standard: string | null;
    least: string;
    most: string | null;
    changed_by: string | null;
    changed_at: (string) | (null);
    removed: (number) | (null);
    last_removed_at: (string) | (null);
  };
  export type Retried = {
    retried: number;
  };
  export type RetriedPage = {
    retried: number;
    /** Where others may stand behind these: `after` of the request that goes on; else null. */
    next_after: string | null;
  };
  export type Role = "viewer" | "operator" | "admin";
  export type RouteList = {
    items: (components.RouteView)[];
  };
  export type RoutePut = {
    route: components.RouteView;
    change: "created" | "changed" | "none";
    warnings: (string)[];
  };
  export type RouteRemoved = {
    removed: components.RouteView;
  };
  export type RouteShown = {
    route: components.RouteView;
    messages: ({
      id: string;
      headline: string;
      entries: number;
      created_at: string;
      tries: number;
      outcome: ("delivered" | "given_up") | (null);
      ended_at: (string) | (null);
      error: string | null;
    })[];
    warnings: (string)[];
  };
  export type RouteView = {
    name: string;
    definition: { [name: string]: unknown };
    delivered_at: (string) | (null);
    failures: number;
    trouble: string | null;
    next_at: (string) | (null);
    created_at: string;
    changed_at: string;
  };
  export type RoutesTested = {
    items: ({
      route: string;
      delivered: boolean;
      said: string;
    })[];
  };
  export type RulesTest = {
    items: ({
      disposition: ("answered" | "voicemail" | "no_answer" | "busy" | "failed" | "invalid_number" | "opted_out" | "callback_requested" | "unknown") | (null);
      reason: string;
      rule: (number) | (null);
      follow_ups: ({
        rule: string;
        actions: (string)[];
      })[];
      way: ({
        passed: (string)[];
        step: string | null;
        outcome: string | null;
      }) | (null);
      problems: (string)[];
      call_id: string;
      recorded: string | null;
      before: ({
        disposition: ("answered" | "voicemail" | "no_answer" | "busy" | "failed" | "invalid_number" | "opted_out" | "callback_requested" | "unknown") | (null);
        reason: string;
        rule: (number) | (null);
        follow_ups: ({
          rule: string;
          actions: (string)[];
        })[];
        way: ({
          passed: (string)[];
          step: string | null;
          outcome: string | null;
        }) | (null);
        problems: (string)[];
      }) | (null);
      differs: ("disposition" | "follow_ups" | "way")[];
    })[];
    summary: {
      calls: number;
      undecided: number;
      dispositions: { [name: string]: number };
      by_rule: { [name: string]: number };
      follow_ups: { [name: string]: number };
      problems: ({
        problem: string;
        calls: number;
      })[];
      changed: {
        calls: number;
        dispositions: ({
          from: string;
          to: string;
          calls: number;
        })[];
        follow_ups: number;
        ways: number;
      };
    };
    unreadable: ({
      call_id: string;
      why: string;
    })[];
    next_after: (number) | (null);
  };
  export type Schedule = {
    id: string;
    name: string;
    state: "active" | "paused" | "removed";
    reason: string | null;
    definition: { [name: string]: unknown };
    installed: boolean | null;
    drift: ({
      found: string;
      found_at: (string) | (null);
      repaired_at: (string) | (null);
    }) | (null);
    looked_at: (string) | (null);
    created_at: string;
    updated_at: string;
    next: (string)[];
    last_run: ({
      state: "waiting" | "running" | "cancelling" | "done" | "failed" | "cancelled" | "skipped" | "missed";
      due_at: string;
    }) | (null);
  };
  export type ScheduleBackfill = {
    runs: (components.ScheduleRun)[];
    already: number;
  };
  /** A schedule: an automation or a campaign that is run again and again. */
  export type ScheduleDefinition = {
    /** What it is called. */
    name: string;
    /** What is run: exactly one of automation, workflow_id and campaign. */
    run: {
      automation?: string | undefined;
      workflow_id?: string | undefined;
      data?: { [name: string]: components.ScheduleDefinitionPart1 } | undefined;
      timeout?: string | undefined;
      repeat?: "safe" | "never" | undefined;
      campaign?: string | undefined;
      brand?: string | undefined;
      spec?: { [name: string]: components.ScheduleDefinitionPart2 } | undefined;
      contacts?: ({
        file: string;
        format?: "csv" | "ndjson" | undefined;
        map?: { [name: string]: string } | undefined;
      }) | ({
        url: (string) | ({
          secret: string;
        });
        headers?: { [name: string]: {
          secret: string;
        } } | undefined;
        format?: "csv" | "ndjson" | undefined;
        map?: { [name: string]: string } | undefined;
      }) | ({
        database: string;
        query: string;
        phone?: string | undefined;
      }) | undefined;
      not_called_within?: string | undefined;
    };
    /** When, as a cron pattern of five fields. Or every, or calendar. */
    cron?: string | undefined;
    /** How often, such as 1h. */
    every?: string | undefined;
    /** How long after each full interval. */
    offset?: string | undefined;
    /** On which days at which times. */
    calendar?: {
      at: (string)[];
      weekdays?: ("weekdays" | "weekend") | (("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[]) | undefined;
      days_of_month?: (number)[] | undefined;
      months?: (number)[] | undefined;
    } | undefined;
    /** Whose local time that is, such as America/New_York. */
    time_zone?: string | undefined;
    /** Each run begins so much later at the most, by chance. */
    jitter?: string | undefined;
    /** What becomes of a run that is due while another goes on. */
    overlap?: "skip" | "buffer_one" | "cancel_other" | "allow" | undefined;
    /** How late a run may begin; a later one is not made. */
    catch_up?: string | undefined;
    /** Whether a failed run pauses the schedule. */
    pause_on_failure?: boolean | undefined;
    /** A run that takes longer is told to people. */
    longer_than?: string | undefined;
    /** Who keeps the time. */
    engine?: "temporal" | "platform" | undefined;
    /** Whether a change made by hand is repaired or reported. */
    drift?: "repair" | "report" | undefined;
  };
  export type ScheduleDefinitionPart1 = (string) | (number) | (boolean) | (null) | ((components.ScheduleDefinitionPart1)[]) | ({ [name: string]: components.ScheduleDefinitionPart1 });
  export type ScheduleDefinitionPart2 = (string) | (number) | (boolean) | (null) | ((components.ScheduleDefinitionPart2)[]) | ({ [name: string]: components.ScheduleDefinitionPart2 });
  export type ScheduleList = {
    items: (components.Schedule)[];
  };
  export type ScheduleNext = {
    items: (string)[];
  };
  export type SchedulePut = {
    id: string;
    name: string;
    state: "active" | "paused" | "removed";
    reason: string | null;
    definition: { [name: string]: unknown };
    installed: boolean | null;
    drift: ({
      found: string;
      found_at: (string) | (null);
      repaired_at: (string) | (null);
    }) | (null);
    looked_at: (string) | (null);
    created_at: string;
    updated_at: string;
    change: "created" | "changed" | "none";
    warnings: (string)[];
  };
  export type ScheduleRun = {
    id: string;
    due_at: string;
    cause: "schedule" | "now" | "backfill";
    state: "waiting" | "running" | "cancelling" | "done" | "failed" | "cancelled" | "skipped" | "missed";
    reason: string | null;
    campaign_id: string | null;
    execution_id: string | null;
    result: ({
      never_dialed?: {
        contacts: number;
        of: number;
      } | undefined;
      [name: string]: unknown;
    }) | (null);
    started_at: (string) | (null);
    ended_at: (string) | (null);
  };
  export type ScheduleRunPage = {
    items: (components.ScheduleRun)[];
    next_after: string | null;
    total: number;
  };
  export type ScheduleView = {
    id: string;
    name: string;
    state: "active" | "paused" | "removed";
    reason: string | null;
    definition: { [name: string]: unknown };
    installed: boolean | null;
    drift: ({
      found: string;
      found_at: (string) | (null);
      repaired_at: (string) | (null);
    }) | (null);
    looked_at: (string) | (null);
    created_at: string;
    updated_at: string;
  };
  export type Sequence = {
    id: string;
    brand: string;
    name: string;
    state: "active" | "paused" | "closed";
    state_reason: string | null;
    version: number;
    enrolments: components.EnrolmentCounts;
    created_at: string;
    outcomes: { [name: string]: number };
    steps: { [name: string]: number };
    versions: ({
      version: number;
      digest: string;
      actor: string;
      created_at: string;
    })[];
    lists: ({
      digest: string;
      source_name: string;
      rows: {
        read: number;
        rejected: number;
        duplicate: number;
        accepted: number;
      };
      never_dialed: components.NeverDialed;
      through_line: number;
      completed_at: (string) | (null);
    })[];
    definition: { [name: string]: unknown };
  };
  export type SequenceCheck = {
    ok: boolean;
    problems: ({
      field: string;
      message: string;
    })[];
    warnings: (string)[];
  };
  export type SequenceCommand = {
    state: "active" | "paused" | "closed";
    in_flight?: {
      batches: number;
      calls_up: number;
      uncertain: number;
    } | undefined;
    told?: number | undefined;
  };
  /** A sequence: the steps that somebody goes through, over hours or weeks. */
  export type SequenceDefinition = {
    /** What it is called; once for each brand. */
    name: string;
    /** Whose it is. */
    brand?: string | undefined;
    /** Of calls whose step names none. */
    agent_id?: string | undefined;
    /** Of calls whose step names none. */
    from_numbers?: (string)[] | undefined;
    /** When people may be called, in their own local time. */
    window?: ("always") | ({
      weekdays?: (string)[] | undefined;
      weekend?: (string)[] | undefined;
      monday?: (string)[] | undefined;
      tuesday?: (string)[] | undefined;
      wednesday?: (string)[] | undefined;
      thursday?: (string)[] | undefined;
      friday?: (string)[] | undefined;
      saturday?: (string)[] | undefined;
      sunday?: (string)[] | undefined;
    }) | undefined;
    /** Places such as US or DE-BY on whose public holidays nobody there is called. */
    holidays?: (string)[] | undefined;
    /** Dates with hours of their own, or none; they go before holidays. */
    exceptions?: ({
      date: string;
      to?: string | undefined;
      name?: string | undefined;
      hours?: (string)[] | undefined;
    })[] | undefined;
    /** Rules of countries and states that hold besides, such as us-states; careful where neither these nor a window are named. */
    presets?: (string)[] | undefined;
    /** Rules of presets that do not hold for it, each with the reason, which is audited and reported. */
    override?: ({
      rule: string;
      reason: string;
    })[] | undefined;
    /** How often a number may be called in any stretch of time, whoever calls. */
    frequency?: ({
      attempts?: number | undefined;
      conversations?: number | undefined;
      within: string;
      across?: "brand" | "everything" | undefined;
      at_cap?: "wait" | "end" | undefined;
    })[] | undefined;
    /** Countries whose numbers may be called, and costly kinds that may be, too. */
    numbers?: {
      countries?: (string)[] | undefined;
      kinds?: ("premium_rate" | "shared_cost" | "personal" | "satellite")[] | undefined;
    } | undefined;
    /** Which consent a number must have to be called, and how old it may be. */
    consent?: {
      require: "any" | "express" | "express_written";
      max_age?: string | undefined;
    } | undefined;
    /** Sources of suppressions that must be there, have a list and be young enough for anybody to be called. */
    requires_sources?: (string)[] | undefined;
    /** Those who take transferred calls: outside their hours nobody is called, and all steps together dial no more lines than they can take the transfers of. */
    transfers?: {
      hours?: {
        weekdays?: (string)[] | undefined;
        weekend?: (string)[] | undefined;
        monday?: (string)[] | undefined;
        tuesday?: (string)[] | undefined;
        wednesday?: (string)[] | undefined;
        thursday?: (string)[] | undefined;
        friday?: (string)[] | undefined;
        saturday?: (string)[] | undefined;
        sunday?: (string)[] | undefined;
      } | undefined;
      timezone?: string | undefined;
      capacity?: number | undefined;
      team?: string | undefined;
      expect?: number | undefined;
      talk?: string | undefined;
      answer?: string | undefined;
    } | undefined;
    /** What becomes of a step's calls when another version of their agent is published: tell, if nothing is said, or pause, until they are resumed. */
    on_agent_change?: "tell" | "pause" | undefined;
    /** Calls of one step that may be up at once. */
    concurrency?: number | undefined;
    /** What a step weighs against campaigns where they share the account's lines; 1 if nothing is said. */
    weight?: number | undefined;
    /** Of calls whose step says nothing of it. */
    retry?: {
      max_attempts: number;
      delays?: { [name: string]: (string) | ({
        after: string;
        at: "next_window" | "other_part_of_day";
      }) | (((string) | ({
        after: string;
        at: "next_window" | "other_part_of_day";
      }))[]) | ({
        first: string;
        factor: number;
        at_most: string;
      }) } | undefined;
      max_per_disposition?: { [name: string]: number } | undefined;
    } | undefined;
    /** Which answers of the agent's own analysis, and what else is known of a call, decide what it came to. */
    analysis?: {
      rules?: ({
        key?: string | undefined;
        equals?: (string) | (boolean) | (number) | undefined;
        when?: string | undefined;
        disposition: "answered" | "voicemail" | "no_answer" | "busy" | "failed" | "invalid_number" | "opted_out" | "callback_requested" | "unknown";
      })[] | undefined;
      keep?: (string)[] | undefined;
      wait?: string | undefined;
    } | undefined;
    /** Time between two calls to a number, unless a delay of retry is shorter; a minute at least where phones ring, 5m if nothing is said. */
    least_gap?: string | undefined;
    /** The country of numbers without +, such as US. */
    default_region?: string | undefined;
    /** strict: numbers of +1 are not placed by their prefix, but by what is said of the person, or all over their country. */
    zones?: "strict" | undefined;
    /** What is known of everybody if nothing else is said. */
    variables?: { [name: string]: string } | undefined;
    /** Variables of people that are encrypted in the ledger and told to the agent alone, in every call: nothing else reads, shows or writes them. */
    sensitive?: (string)[] | undefined;
    /** What becomes of somebody who is enrolled again. */
    re_enrolment?: {
      policy?: "ignore" | "restart" | "parallel" | undefined;
      key?: string | undefined;
    } | undefined;
    /** What a call from somebody does to the calls that wait for them. */
    inbound?: {
      do: "close" | "reschedule" | "ignore";
      delay?: string | undefined;
      times?: number | undefined;
      outcome?: string | undefined;
    } | undefined;
    /** Conditions under which somebody has arrived. */
    goals?: ({
      when: string;
      outcome: string;
    })[] | undefined;
    /** Conditions under which somebody leaves. */
    exit_when?: ({
      when: string;
      outcome: string;
    })[] | undefined;
    /** In their order, each with an id. */
    steps: ({
      id: string;
      call?: {
        agent_id?: string | undefined;
        from_numbers?: (string)[] | undefined;
        window?: ("always") | ({
          weekdays?: (string)[] | undefined;
          weekend?: (string)[] | undefined;
          monday?: (string)[] | undefined;
          tuesday?: (string)[] | undefined;
          wednesday?: (string)[] | undefined;
          thursday?: (string)[] | undefined;
          friday?: (string)[] | undefined;
          saturday?: (string)[] | undefined;
          sunday?: (string)[] | undefined;
        }) | undefined;
        holidays?: (string)[] | undefined;
        exceptions?: ({
          date: string;
          to?: string | undefined;
          name?: string | undefined;
          hours?: (string)[] | undefined;
        })[] | undefined;
        presets?: (string)[] | undefined;
        override?: ({
          rule: string;
          reason: string;
        })[] | undefined;
        frequency?: ({
          attempts?: number | undefined;
          conversations?: number | undefined;
          within: string;
          across?: "brand" | "everything" | undefined;
          at_cap?: "wait" | "end" | undefined;
        })[] | undefined;
        numbers?: {
          countries?: (string)[] | undefined;
          kinds?: ("premium_rate" | "shared_cost" | "personal" | "satellite")[] | undefined;
        } | undefined;
        consent?: {
          require: "any" | "express" | "express_written";
          max_age?: string | undefined;
        } | undefined;
        requires_sources?: (string)[] | undefined;
        transfers?: {
          hours?: {
            weekdays?: (string)[] | undefined;
            weekend?: (string)[] | undefined;
            monday?: (string)[] | undefined;
            tuesday?: (string)[] | undefined;
            wednesday?: (string)[] | undefined;
            thursday?: (string)[] | undefined;
            friday?: (string)[] | undefined;
            saturday?: (string)[] | undefined;
            sunday?: (string)[] | undefined;
          } | undefined;
          timezone?: string | undefined;
          capacity?: number | undefined;
          team?: string | undefined;
          expect?: number | undefined;
          talk?: string | undefined;
          answer?: string | undefined;
        } | undefined;
        on_agent_change?: "tell" | "pause" | undefined;
        concurrency?: number | undefined;
        weight?: number | undefined;
        retry?: {
          max_attempts: number;
          delays?: { [name: string]: (string) | ({
            after: string;
            at: "next_window" | "other_part_of_day";
          }) | (((string) | ({
            after: string;
            at: "next_window" | "other_part_of_day";
          }))[]) | ({
            first: string;
            factor: number;
            at_most: string;
          }) } | undefined;
          max_per_disposition?: { [name: string]: number } | undefined;
        } | undefined;
        analysis?: {
          rules?: ({
            key?: string | undefined;
            equals?: (string) | (boolean) | (number) | undefined;
            when?: string | undefined;
            disposition: "answered" | "voicemail" | "no_answer" | "busy" | "failed" | "invalid_number" | "opted_out" | "callback_requested" | "unknown";
          })[] | undefined;
          keep?: (string)[] | undefined;
          wait?: string | undefined;
        } | undefined;
        least_gap?: string | undefined;
        variables?: { [name: string]: string } | undefined;
        follow_ups?: ({
          id: string;
          on?: ("answered" | "voicemail" | "no_answer" | "busy" | "failed" | "invalid_number" | "opted_out" | "callback_requested" | "unknown")[] | undefined;
          when?: string | undefined;
          needs_processing?: (boolean) | ("auto") | undefined;
          wait?: string | undefined;
          on_unprocessed?: "act" | "skip" | undefined;
          classify?: ({
            label: string;
            value: string;
          })[] | undefined;
          mode?: "in_order" | "parallel" | undefined;
          on_failure?: "stop" | "continue" | undefined;
          actions: ({
            automation?: {
              workflow_id: string;
              data?: { [name: string]: string } | undefined;
              timeout?: string | undefined;
              repeat?: "safe" | "never" | undefined;
              retry?: {
                max_tries?: number | undefined;
                delays?: (string)[] | undefined;
              } | undefined;
            } | undefined;
            webhook?: {
              url: (string) | ({
                secret: string;
              });
              secret?: string | undefined;
              headers?: { [name: string]: (string) | ({
                secret: string;
              }) } | undefined;
              data?: { [name: string]: string } | undefined;
              timeout?: string | undefined;
              retry?: {
                max_tries?: number | undefined;
                delays?: (string)[] | undefined;
              } | undefined;
              give_up_on?: (number)[] | undefined;
            } | undefined;
            callback?: {
              at?: string | undefined;
              default_delay?: string | undefined;
              on_unreadable?: "ask" | "default_delay" | undefined;
              max_per_contact?: number | undefined;
              retry?: {
                max_tries?: number | undefined;
                delays?: (string)[] | undefined;
              } | undefined;
            } | undefined;
            suppress?: {
              scope?: "brand" | "global" | undefined;
              reason: string;
              retry?: {
                max_tries?: number | undefined;
                delays?: (string)[] | undefined;
              } | undefined;
            } | undefined;
            enroll?: {
              sequence: string;
              variables?: { [name: string]: string } | undefined;
              key?: string | undefined;
              retry?: {
                max_tries?: number | undefined;
                delays?: (string)[] | undefined;
              } | undefined;
            } | undefined;
            tag?: {
              tag: string;
              retry?: {
                max_tries?: number | undefined;
                delays?: (string)[] | undefined;
              } | undefined;
            } | undefined;
            recording?: {
              folder?: string | undefined;
              timeout?: string | undefined;
              retry?: {
                max_tries?: number | undefined;
                delays?: (string)[] | undefined;
              } | undefined;
            } | undefined;
          })[];
        })[] | undefined;
        give_up_after?: string | undefined;
      } | undefined;
      wait?: {
        for?: string | undefined;
        until?: string | undefined;
        days?: ("weekdays" | "weekend" | "business") | (("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[]) | undefined;
        business_days?: number | undefined;
        until_date?: string | undefined;
        at?: string | undefined;
        offset?: string | undefined;
      } | undefined;
      wait_for?: {
        event: string;
        when?: string | undefined;
        timeout: string;
      } | undefined;
      branch?: (({
        when: string;
        to: string;
      }) | ({
        otherwise: string;
      }))[] | undefined;
      split?: ({
        weight: number;
        to: string;
      })[] | undefined;
      automation?: {
        workflow_id: string;
        data?: { [name: string]: string } | undefined;
        timeout?: string | undefined;
        repeat?: "safe" | "never" | undefined;
        retry?: {
          max_tries?: number | undefined;
          delays?: (string)[] | undefined;
        } | undefined;
      } | undefined;
      webhook?: {
        url: (string) | ({
          secret: string;
        });
        secret?: string | undefined;
        headers?: { [name: string]: (string) | ({
          secret: string;
        }) } | undefined;
        data?: { [name: string]: string } | undefined;
        timeout?: string | undefined;
        retry?: {
          max_tries?: number | undefined;
          delays?: (string)[] | undefined;
        } | undefined;
        give_up_on?: (number)[] | undefined;
      } | undefined;
      set?: { [name: string]: string } | undefined;
      suppress?: {
        scope?: "brand" | "global" | undefined;
        reason: string;
      } | undefined;
      exit?: {
        outcome: string;
        reason?: string | undefined;
      } | undefined;
      on?: { [name: string]: string } | undefined;
      next?: string | undefined;
    })[];
  };
  export type SequenceEvent = {
    told: number;
  };
  export type SequencePage = {
    items: (components.ListedSequence)[];
    next_after: string | null;
    total: number;
  };
  export type SequencePut = {
    id: string;
    brand: string;
    name: string;
    state: "active" | "paused" | "closed";
    version: number;
    result: "created" | "new_version" | "same";
    warnings: (string)[];
  };
  export type SequenceRehearsal = {
    sequence: string;
    phone: string;
    zones: (string)[];
    from: string;
    way: components.RehearsedWay;
    /** Ends that are shown; 64 at most. */
    ends: number;
    /** Dispositions that are not shown, by step. */
    not_walked: { [name: string]: (string)[] };
    /** How many are to come. */
    blackouts: (number) | (null);
  };
  export type Session = {
    kind: "system" | "token" | "link" | "person";
    name: string;
    role: components.Role;
    brands: ((string)[]) | (null);
    actor: string;
    created_at: string;
    expires_at: string;
    idle_expires_at: string;
    csrf_token: string;
  };
  export type SessionEnded = {
    ended: components.SessionSeen;
  };
  export type SessionPage = {
    items: (components.SessionSeen)[];
    next_after: string | null;
  };
  export type SessionSeen = {
    id: string;
    kind: "system" | "token" | "link" | "person";
    name: string;
    role: components.Role;
    brands: ((string)[]) | (null);
    actor: string;
    created_at: string;
    last_used_at: string;
    expires_at: string;
    idle_expires_at: string;
    own: boolean;
  };
  export type SessionsEnded = {
    ended: (components.SessionSeen)[];
  };
  export type SignInCode = {
    code: string;
    name: string;
    role: components.Role;
    brands: ((string)[]) | (null);
    expires_at: string;
  };
  export type SignInWays = {
    oidc: ({
      name: string;
    }) | (null);
  };
  export type Source = {
    name: string;
    type: "own" | "do_not_call" | "litigators" | "reassigned" | "scrub";
    brand: string | null;
    max_age: string | null;
    renewed_at: (string) | (null);
    stale_at: (string) | (null);
    age: "fresh" | "old" | "stale";
    numbers: number;
    scrub: ({
      url: string;
      secret: string;
      cache_for: string;
      when_away: "wait" | "dial";
      tried_at: (string) | (null);
      failures: number;
      trouble: string | null;
      away_since: (string) | (null);
      asked_again_at: (string) | (null);
    }) | (null);
    created_at: string;
  };
  export type SourceChecked = {
    source: components.Source;
    outcome: "answered" | "silent" | "away" | "wrong";
    status: (number) | (null);
    latency_ms: number;
    trouble: string | null;
    said: string | null;
    numbers: ({
      phone: string;
      verdict: ("listed" | "clear" | "unanswered") | (null);
      reason: string | null;
      until: (string) | (null);
    })[];
  };
  export type SourceList = {
    items: (components.Source)[];
  };
  export type SourceLoad = {
    id: number;
    list: string;
    state: "loading" | "taken" | "refused" | "abandoned";
    as_of: string;
    added: number;
    kept: number;
    removed: (number) | (null);
    actor: string;
    began_at: string;
    ended_at: (string) | (null);
  };
  export type SourcePut = {
    source: components.Source;
    is_new: boolean;
    stopped_batches: number;
    in_flight: components.InFlight;
  };
  export type SourceRemoved = {
    removed: components.Source;
  };
  export type SourceShown = {
    source: components.Source;
    loads: (components.SourceLoad)[];
  };
  export type StartResult = {
    state: "scheduled" | "running" | "paused" | "draining" | "completed" | "cancelled";
    command_id: string;
    workflow: "running" | "later";
    warnings: (string)[];
    estimate: components.Estimate;
  };
  export type StopAllResult = {
    stopped: true;
    in_flight: components.InFlight;
    waiting: ({
      campaign_id: string;
      name: string;
    })[];
  };
  export type Story = {
    phone: string;
    brand: string | null;
    since: (string) | (null);
    until: (string) | (null);
    made_at: string;
    installation_id: string;
    outdial: string;
    simulated: boolean;
    zone_data: {
      version: string;
      released_on: string | null;
    };
    country: string | null;
    zones: (string)[];
    places: (string)[];
    zones_of_number: (string)[];
    counts: {
      contacts: number;
      campaigns: number;
      calls: number;
      enrolments: number;
    };
    suppressed: ({
      brand: string | null;
      source: string;
      reason: string;
      since: string;
      expires_at: (string) | (null);
    })[];
    entries: (components.StoryEntry)[];
    policies: (components.CitedPolicy)[];
    next_after: string | null;
  };
  export type StoryEntry = {
    id: string;
    at: string;
    until: ((string) | ("still")) | (null);
    kind: string;
    brand: string | null;
    campaign: ({
      id: string;
      name: string;
      run: number;
      standing: boolean;
    }) | (null);
    sequence: ({
      name: string;
      version: number;
    }) | (null);
    policy_version: (number) | (null);
    local: ({
      at: string;
      zones: (string)[];
    })[];
    what: string;
    facts: { [name: string]: (string) | (number) | (boolean) | (null) | ((string)[]) };
    checks: ((components.DialCheck)[]) | (null);
  };
  export type Suppression = {
    id: number;
    phone: string;
    brand: string | null;
    said_by: "person" | "list" | "service";
    source: string;
    reason: string;
    created_at: string;
    expires_at: (string) | (null);
  };
  export type SuppressionAdded = {
    added: number;
    already: number;
    stopped_batches: number;
    in_flight: components.InFlight;
  };
  export type SuppressionImport = {
    added: number;
    already: number;
    stopped_batches: number;
    in_flight: components.InFlight;
    rows: {
      read: number;
      rejected: number;
      partly_read: number;
    };
    rejected: (components.RejectedRow)[];
    partly_read: (components.RejectedRow)[];
  };
  export type SuppressionPage = {
    items: (components.Suppression)[];
    next_after: string | null;
    listed_by: ({
      source: string;
      type: string;
      brand: string | null;
      since: string;
    })[];
    total: number;
  };
  export type SuppressionRemoved = {
    phone: string;
    removed: true;
    taken_back: ({
      said_by: "person" | "list" | "service";
      source: string;
      reason: string;
    })[];
    still: ({
      brand: string | null;
      source: string;
      reason: string;
    })[];
  };
  export type Sweep = {
    at: string;
    found: number;
    settled: number;
    detail: { [name: string]: number };
  };
  export type System = {
    installation_id: string;
    version: string;
    ledger: {
      kind: "embedded" | "postgres";
      migrations: {
        applied: number;
        known: number;
      };
    };
    platform_url: string;
    zone_data: {
      version: string;
      released_on: (string) | (null);
      old: boolean;
    };
    stopped: ({
      at: string;
      reason: string;
    }) | (null);
    recovery: string | null;
    outbox: ({
      kind: string;
      waiting: number;
      failing: number;
      oldest: string;
    })[];
    attention: { [name: string]: number };
    last_sweep: (components.Sweep) | (null);
    now: string;
  };
  export type Tag = {
    phone: string;
    tag: string;
    source: string;
    at: string;
  };
  export type TagPage = {
    items: (components.Tag)[];
    total: number;
    next_after: string | null;
  };
  export type TagRemoved = {
    phone: string;
    tag: string;
    removed: true;
  };
  export type Timeline = {
    from: string;
    until: string;
    bucket_seconds: number;
    concurrency: number;
    buckets: ({
      from: string;
      /** Calls that began in it. */
      dials: number;
      /** Of these, so many were answered; calls that are up are not yet. */
      answered: number;
      /** Calls that were up at its end. */
      up: number;
    })[];
  };
  export type Token = {
    name: string;
    id: string;
    role: components.Role;
    brands: ((string)[]) | (null);
    created_at: string;
    created_by: string;
    expires_at: (string) | (null);
    expired: boolean;
    last_used_at: (string) | (null);
    revoked_at: (string) | (null);
    revoked_by: string | null;
    revoked_reason: string | null;
  };
  export type TokenCreated = {
    token: components.Token;
    secret: string;
  };
  export type TokenList = {
    items: (components.Token)[];
  };
  export type TokenName = string;
  export type TokenRevoked = {
    revoked: components.Token;
  };
  export type Trigger = {
    id: string;
    name: string;
    version: number;
    enabled: boolean;
    path: string;
    definition: { [name: string]: unknown };
    created_at: string;
    updated_at: string;
    failed_deliveries: number;
    warnings: (string)[];
  };
  /** A trigger: a door through which another system tells of something. */
  export type TriggerDefinition = {
    /** The last part of its address, /v1/triggers/<name>. */
    name: string;
    /** How it makes sure who sends; secrets by their names. */
    auth: ({
      scheme: "standard_webhooks";
      secret: string;
      tolerance?: string | undefined;
    }) | ({
      scheme: "hubspot_v3";
      secret: string;
      public_url: string;
    }) | ({
      scheme: "hmac";
      secret: string;
      header: string;
      algorithm?: "sha256" | "sha1" | "sha512" | undefined;
      encoding?: "hex" | "base64" | undefined;
      prefix?: string | undefined;
      timestamp?: {
        header: string;
        unit?: "seconds" | "milliseconds" | undefined;
        template?: string | undefined;
        tolerance?: string | undefined;
      } | undefined;
    }) | ({
      scheme: "bearer";
      secret: string;
    });
    /** What is the same whenever the same thing is sent again. */
    idempotency?: {
      header?: string | undefined;
      field?: string | undefined;
    } | undefined;
    /** The list that a payload holds, each element an item of its own. */
    each?: string | undefined;
    /** Which payloads, or items, count. */
    when?: string | undefined;
    /** Enrolls somebody in a sequence. */
    enroll?: {
      brand?: string | undefined;
      phone: string;
      default_region?: string | undefined;
      sequence: string;
      time_zone?: string | undefined;
      country?: string | undefined;
      state?: string | undefined;
      postal_code?: string | undefined;
      consent_basis?: string | undefined;
      consent_at?: string | undefined;
      consent_proof?: string | undefined;
      consent_expires_at?: string | undefined;
      variables?: { [name: string]: string } | undefined;
      key?: string | undefined;
    } | undefined;
    /** Tells sequences of something that happened to somebody. */
    event?: {
      brand?: string | undefined;
      phone: string;
      default_region?: string | undefined;
      name?: string | undefined;
      name_from?: string | undefined;
      sequence?: string | undefined;
      data?: { [name: string]: string } | undefined;
    } | undefined;
    /** Takes somebody out of a sequence. */
    exit?: {
      brand?: string | undefined;
      phone: string;
      default_region?: string | undefined;
      sequence: string;
      outcome?: string | undefined;
    } | undefined;
  };
  export type TriggerList = {
    items: (components.TriggerView)[];
  };
  export type TriggerPut = {
    id: string;
    name: string;
    version: number;
    enabled: boolean;
    path: string;
    definition: { [name: string]: unknown };
    created_at: string;
    updated_at: string;
    change: "created" | "changed" | "none";
    warnings: (string)[];
  };
  export type TriggerTried = {
    /** Whether all of it could be acted on. */
    ok: boolean;
    /** What may not be what the trigger's author means. */
    warnings: (string)[];
    items: (({
      /** The trigger's condition says that it does not count. */
      kind: "ignored";
      ok: true;
    }) | ({
      kind: "problem";
      ok: false;
      field: string;
      problem: string;
    }) | ({
      kind: "wanted";
      /** Whether its numbers can be read. */
      ok: boolean;
      idempotency_key?: string | undefined;
      /** What would be done, each with its number as it was read, or why it can't be. */
      wanted: ({ [name: string]: unknown })[];
    }))[];
  };
  export type TriggerView = {
    id: string;
    name: string;
    version: number;
    enabled: boolean;
    path: string;
    definition: { [name: string]: unknown };
    created_at: string;
    updated_at: string;
  };
  export type Validation = {
    /** SHA-256 of the list, as its import has to announce it; null: it was not read to its end. */
    digest: string | null;
    layout: {
      format: "csv" | "ndjson";
      encoding: string;
      delimiter: string | null;
      /** Of a CSV file. */
      columns: (({
        name: string;
        /** What it is read as, or `variable`. */
        role: string;
      })[]) | (null);
    };
    /** read = ok + rejected + duplicate. Duplicate: the number is in an earlier row. */
    rows: {
      read: number;
      ok: number;
      rejected: number;
      duplicate: number;
    };
    rejected_by_code: { [name: string]: number };
    /** The first rows that make no contact; `rows.rejected` counts all. */
    problems: ({
      line: number;
      code: string;
      reason: string;
      raw: string;
    })[];
    /** Why the list can't be read to its end; the counts are of the rows before. */
    stopped: ({
      code: string;
      message: string;
      line: (number) | (null);
    }) | (null);
    warnings: (string)[];
    /** Contacts by country of their number. */
    regions: { [name: string]: number };
    /** Contacts by the zones that they may be in, most first; 100 at most. */
    zone_sets: ({
      zones: (string)[];
      contacts: number;
    })[];
    /** Contacts by what their zones were found from. */
    placed_by: { [name: string]: number };
    /** Who can never be called under the campaign's hours. */
    never_dialed: components.NeverDialed;
    /** Who has no such consent in the list as the campaign asks for; 100 reasons at most. */
    without_consent: ({
      contacts: number;
      why: string;
    })[];
    /** Contacts whose numbers must not be dialed for the brand, and the first lines with one. */
    suppressed: {
      contacts: number;
      lines: (number)[];
    };
    /** The first lines whose number is in an earlier row; 100 at most. `rows.duplicate` counts all. */
    duplicate_lines: (number)[];
    /** Contacts whose number the campaign has already; null: no campaign was named. */
    in_campaign: (number) | (null);
    /** Whose hours and rules it was held against. */
    under: string;
  };
  export type Withdrawal = {
    excluded: number;
    ringing: number;
    already: number;
    over: number;
    unknown: (string)[];
    more: boolean;
    stopped_batches: number;
    in_flight: components.InFlight;
  };
  export type ZoneHolds = {
    at: string;
    items: ({
      /** Empty: the whole campaign. */
      zones: (string)[];
      places: (string)[];
      reason: string;
      detail: string;
      since: string;
      /** When it ends by itself, as far as that is known. */
      until: (string) | (null);
      /** What the clocks in its zones show now. */
      local: ({
        at: string;
        zones: (string)[];
      })[];
    })[];
    more: boolean;
  };
}

/** Every route, by its name: what it takes, what it answers, and how it may refuse. */
export interface Operations {
  /** Says who looks after an entry. */
  acknowledgeAttention: {
    path: {
      /** Its id. */
      id: number;
    };
    query: undefined;
    body: {
      by?: string | undefined;
      for?: string | undefined;
    } | undefined;
    answer: components.Attention;
    problem: "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_attention" | "unsupported_media_type";
  };
  /** Keeps everybody from being called on some days. */
  addBlackout: {
    path: undefined;
    query: undefined;
    body: {
      from: string;
      to?: string | undefined;
      name: string;
      brand?: string | undefined;
    };
    answer: components.BlackoutAdded;
    problem: "blackout_over" | "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unsupported_media_type";
  };
  /** Keeps what was said of consent to be called. */
  addConsents: {
    path: undefined;
    query: undefined;
    body: {
      brand?: string | undefined;
      entries: ({
        basis: string;
        at: string;
        proof?: string | undefined;
        expires_at?: string | undefined;
        phone: string;
      })[];
      default_region?: string | undefined;
    };
    answer: components.ConsentAdded;
    problem: "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unsupported_media_type";
  };
  /** Keeps numbers from being called. */
  addSuppressions: {
    path: undefined;
    query: undefined;
    body: {
      entries: ({
        phone: string;
        brand?: string | undefined;
        reason: string;
        expires_at?: string | undefined;
      })[];
      default_region?: string | undefined;
    };
    answer: components.SuppressionAdded;
    problem: "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unsupported_media_type";
  };
  /** Changes a campaign's pace and policy. */
  amendCampaign: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
    };
    body: {
      reason?: string | undefined;
      command_id?: string | undefined;
      spec: components.CampaignSpec;
      if_version?: number | undefined;
    };
    answer: components.AmendResult;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "invalid_spec" | "ledger_full" | "ledger_unavailable" | "other_brands" | "precondition_failed" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_campaign" | "unsupported_media_type";
  };
  /** Brings about what a document says. */
  applyDeclared: {
    path: undefined;
    query: undefined;
    body: {
      document: unknown;
      schedules?: ({
        name: string;
        brand?: string | undefined;
        campaign?: string | undefined;
        not_called_within?: string | undefined;
        has_spec?: boolean | undefined;
      })[] | undefined;
    };
    answer: components.DeclaredApplied;
    problem: "caller_refused" | "campaign_exists" | "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "invalid_spec" | "ledger_full" | "ledger_unavailable" | "other_brands" | "platform_failed" | "platform_key_refused" | "platform_unreachable" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unsupported_media_type";
  };
  /** Approves of a campaign's first calls. */
  approveCampaign: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
    };
    body: {
      reason?: string | undefined;
      command_id?: string | undefined;
    } | undefined;
    answer: components.ResumeResult;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_campaign" | "unsupported_media_type";
  };
  /** Takes a campaign that is over off the list. */
  archiveCampaign: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
    };
    body: {
      reason?: string | undefined;
    } | undefined;
    answer: components.ArchiveResult;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_campaign" | "unsupported_media_type";
  };
  /** Makes runs of the past that did not happen. */
  backfillSchedule: {
    path: {
      /** Its name. */
      name: string;
    };
    query: undefined;
    body: {
      from: string;
      to: string;
    };
    answer: components.ScheduleBackfill;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_schedule" | "unsupported_media_type";
  };
  /** Signs a browser in, by a token or a code. */
  beginSession: {
    path: undefined;
    query: undefined;
    body: {
      token?: string | undefined;
      code?: string | undefined;
    };
    answer: components.Session;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "rate_limited" | "sign_in_code" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unsupported_media_type";
  };
  /** Ends a campaign for good; answers when no new call can begin. */
  cancelCampaign: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
    };
    body: {
      reason?: string | undefined;
      command_id?: string | undefined;
    } | undefined;
    answer: components.HaltResult;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_campaign" | "unsupported_media_type";
  };
  /** Says that the process is alive. */
  checkAlive: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: components.Ready;
    problem: "internal_error";
  };
  /** Reads what the platform's account has, now. */
  checkBalance: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: components.BalanceSeen;
    problem: "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "platform_failed" | "platform_key_refused" | "platform_unreachable" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unsupported_media_type";
  };
  /** Says whether the ledger and Temporal answer. */
  checkReady: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: components.Ready;
    problem: "internal_error" | "ledger_unavailable" | "temporal_unavailable";
  };
  /** Says what is wrong with a sequence's definition; nothing is written. */
  checkSequence: {
    path: undefined;
    query: undefined;
    body: {
      definition: components.SequenceDefinition;
    };
    answer: components.SequenceCheck;
    problem: "cross_site" | "csrf_token" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unsupported_media_type";
  };
  /** Asks a scrubbing service of some numbers. */
  checkSource: {
    path: {
      /** Its name. */
      name: string;
    };
    query: undefined;
    body: {
      phones: (string)[];
      default_region?: string | undefined;
    };
    answer: components.SourceChecked;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_source" | "unsupported_media_type";
  };
  /** Makes another campaign of one that is there. */
  cloneCampaign: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
    };
    body: {
      name?: string | undefined;
      contacts?: ("none" | "all" | "unreached") | ({
        dispositions: ("answered" | "voicemail" | "no_answer" | "busy" | "failed" | "invalid_number" | "opted_out" | "callback_requested" | "unknown")[];
      }) | undefined;
      tag?: string | undefined;
      starts_at?: (string) | (null) | undefined;
      ends_at?: (string) | (null) | undefined;
    } | undefined;
    answer: components.CampaignCloned;
    problem: "caller_refused" | "campaign_exists" | "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "invalid_spec" | "ledger_full" | "ledger_unavailable" | "other_brands" | "platform_failed" | "platform_key_refused" | "platform_unreachable" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_campaign" | "unsupported_media_type";
  };
  /** Lets nobody else into a sequence. */
  closeSequence: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
    };
    body: {
      reason?: string | undefined;
    } | undefined;
    answer: components.SequenceCommand;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_sequence" | "unsupported_media_type";
  };
  /** Says what documents would change. */
  compareDeclared: {
    path: undefined;
    query: undefined;
    body: {
      documents: (unknown)[];
      schedules?: ({
        name: string;
        brand?: string | undefined;
        campaign?: string | undefined;
        not_called_within?: string | undefined;
        has_spec?: boolean | undefined;
      })[] | undefined;
      others?: ({
        kind: "attention-route" | "event-webhook" | "automation" | "suppression-source" | "suppression-list" | "sequence" | "campaign" | "trigger" | "schedule";
        brand?: string | undefined;
        name: string;
      })[] | undefined;
    };
    answer: components.DeclaredDiff;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "invalid_spec" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unsupported_media_type";
  };
  /** Copies an embedded ledger, for a backup. */
  copyLedger: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: components.LedgerCopy;
    problem: "cross_site" | "csrf_token" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "not_embedded" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unsupported_media_type";
  };
  /** Writes a campaign down; nobody is called before it is started. */
  createCampaign: {
    path: undefined;
    query: undefined;
    body: {
      spec: components.CampaignSpec;
      new?: boolean | undefined;
    };
    answer: components.CampaignCreated;
    problem: "caller_refused" | "campaign_exists" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "invalid_spec" | "ledger_full" | "ledger_unavailable" | "other_brands" | "platform_failed" | "platform_key_refused" | "platform_unreachable" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unsupported_media_type";
  };
  /** Makes a link's code, which signs in once. */
  createSignInCode: {
    path: undefined;
    query: undefined;
    body: {
      name: components.TokenName;
      role: components.Role;
      brands?: (string)[] | undefined;
    };
    answer: components.SignInCode;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unsupported_media_type";
  };
  /** Makes a token; its secret is shown once. */
  createToken: {
    path: undefined;
    query: undefined;
    body: {
      name: components.TokenName;
      role: components.Role;
      brands?: (string)[] | undefined;
      expires_at?: string | undefined;
    };
    answer: components.TokenCreated;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unsupported_media_type";
  };
  /** Takes what another system tells. */
  deliver: {
    path: {
      /** Its name. */
      name: string;
    };
    query: undefined;
    body: unknown;
    answer: components.DeliveryAccepted;
    problem: "busy" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "rate_limited" | "too_large" | "trigger_disabled" | "unauthorized" | "unsupported_media_type";
  };
  /** Deploys an automation. */
  deployAutomation: {
    path: {
      /** Its name. */
      name: string;
    };
    query: undefined;
    body: undefined;
    answer: components.AutomationView;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_automation" | "unsupported_media_type";
  };
  /** Keeps a trigger from taking any. */
  disableTrigger: {
    path: {
      /** Its name. */
      name: string;
    };
    query: undefined;
    body: undefined;
    answer: components.Trigger;
    problem: "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_trigger" | "unsupported_media_type";
  };
  /** Hands out the rows of a campaign's lists that made no contact. */
  downloadRejects: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
    };
    body: undefined;
    answer: Response;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_campaign";
  };
  /** Hands out a line for each contact. */
  downloadResults: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
    };
    body: undefined;
    answer: Response;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_campaign";
  };
  /** Hands out the rows of a sequence's lists that enrolled nobody. */
  downloadSequenceRejects: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
    };
    body: undefined;
    answer: Response;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_sequence";
  };
  /** Draws a sequence as a Mermaid diagram. */
  drawSequence: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
      /** Which of its versions. */
      version?: number | undefined;
    };
    body: undefined;
    answer: Response;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_sequence";
  };
  /** Has a webhook that was disabled go on where it stopped. */
  enableEventWebhook: {
    path: {
      /** Its name. */
      name: string;
    };
    query: undefined;
    body: undefined;
    answer: components.EventWebhookEnabled;
    problem: "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_webhook" | "unsupported_media_type";
  };
  /** Lets a trigger take deliveries. */
  enableTrigger: {
    path: {
      /** Its name. */
      name: string;
    };
    query: undefined;
    body: undefined;
    answer: components.Trigger;
    problem: "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_trigger" | "unsupported_media_type";
  };
  /** Ends a session, at once. */
  endOtherSession: {
    path: {
      /** Its id. */
      id: string;
    };
    query: undefined;
    body: {
      reason: string;
    };
    answer: components.SessionEnded;
    problem: "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_session" | "unsupported_media_type";
  };
  /** Signs out, everywhere. */
  endSession: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: Response;
    problem: "cross_site" | "csrf_token" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unsupported_media_type";
  };
  /** Ends all sessions of somebody, at once. */
  endSessionsOf: {
    path: undefined;
    query: undefined;
    body: {
      kind: "system" | "token" | "link" | "person";
      name: string;
      reason: string;
    };
    answer: components.SessionsEnded;
    problem: "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unsupported_media_type";
  };
  /** Enrolls one person. */
  enroll: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
    };
    body: {
      phone: string;
      region?: string | undefined;
      time_zone?: string | undefined;
      country?: string | undefined;
      state?: string | undefined;
      postal_code?: string | undefined;
      consent?: {
        basis: string;
        at: string;
        proof?: string | undefined;
        expires_at?: string | undefined;
      } | undefined;
      variables?: { [name: string]: (string) | (number) | (boolean) } | undefined;
      key?: string | undefined;
      request_key?: string | undefined;
    };
    answer: components.Enrolled;
    problem: "cross_site" | "csrf_token" | "enrolment_refused" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_sequence" | "unsupported_media_type";
  };
  /** Enrolls the people of a list. */
  enrollList: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
    };
    query: {
      /** The file's name, for reports and to tell its format where nothing else does. */
      source_name?: string | undefined;
      /** JSON: `phone`, `time_zone` and `region` name the columns with these roles; another key renames a column. */
      map?: string | undefined;
      /** The country of numbers without `+`, two letters. */
      default_region?: string | undefined;
      /** What the list is, where its content type does not say. */
      format?: "csv" | "ndjson" | undefined;
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
      /** The list's SHA-256, 64 hexadecimal digits: what makes it the same list again. */
      digest: string;
      /** The column that tells several enrolments of one person apart. */
      key_column?: string | undefined;
    };
    body: ListBody;
    answer: components.EnrolmentList;
    problem: "command_refused" | "cross_site" | "csrf_token" | "digest_mismatch" | "forbidden_host" | "idempotency_key_reused" | "import_differs" | "internal_error" | "invalid_list" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_sequence" | "unsupported_media_type";
  };
  /** Says what a campaign's calls are likely to cost. */
  estimateCampaign: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
    };
    body: undefined;
    answer: components.Estimate;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "platform_failed" | "platform_key_refused" | "platform_unreachable" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_campaign";
  };
  /** Says what is missing or misconfigured in this installation, and how to mend it. */
  examine: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: components.Examination;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "unauthorized";
  };
  /** Takes one person out. */
  exitEnrolment: {
    path: {
      /** Its id. */
      id: string;
    };
    query: undefined;
    body: {
      reason?: string | undefined;
      command_id?: string | undefined;
      outcome?: string | undefined;
    } | undefined;
    answer: components.EnrolmentCommand;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_enrolment" | "unsupported_media_type";
  };
  /** Takes everybody out of a sequence. */
  exitSequence: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
    };
    body: {
      reason?: string | undefined;
      command_id?: string | undefined;
    } | undefined;
    answer: components.SequenceCommand;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_sequence" | "unsupported_media_type";
  };
  /** Says why one number was or was not dialed. */
  explainContact: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
      /** A phone number with `+`, or in any form where the country is known. */
      phone: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
    };
    body: undefined;
    answer: components.Explanation;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_campaign" | "unknown_contact";
  };
  /** Hands an automation out as a document. */
  exportAutomation: {
    path: {
      /** Its name. */
      name: string;
    };
    query: undefined;
    body: undefined;
    answer: components.AutomationExport;
    problem: "command_refused" | "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "platform_failed" | "platform_key_refused" | "platform_unreachable" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_automation";
  };
  /** Hands out everything that is known of a person. */
  exportPerson: {
    path: {
      /** A phone number with `+`, or in any form where the country is known. */
      phone: string;
    };
    query: {
      /** The country of numbers without `+`, two letters. */
      default_region?: string | undefined;
      /** What the page before gave as `next_after`; absent, the first page. */
      after?: string | undefined;
      /** How many at most. */
      limit?: number | undefined;
    };
    body: undefined;
    answer: components.ExportPage;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "unauthorized";
  };
  /** Lists the contacts with a number in all campaigns, newest first. */
  findContacts: {
    path: undefined;
    query: {
      /** The number. */
      phone: string;
      /** Only in campaigns of this brand. */
      brand?: string | undefined;
      /** The country of a number without +. */
      default_region?: string | undefined;
      /** What the page before gave as `next_after`; absent, the first page. */
      after?: string | undefined;
      /** How many at most. */
      limit?: number | undefined;
    };
    body: undefined;
    answer: components.ContactPage;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized";
  };
  /** Tells what happens as it happens. */
  followEvents: {
    path: undefined;
    query: {
      /** Only events of these types, separated by commas; docs/events.md has them all. */
      types?: string | undefined;
      /** Only of this campaign, by its id or its name. */
      campaign?: string | undefined;
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
      /** Begin behind this place; the header `Last-Event-ID` goes before it; absent, now. */
      after?: string | undefined;
    };
    body: undefined;
    answer: Response;
    problem: "cross_site" | "events_gone" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "too_many_streams" | "unauthorized" | "unknown_campaign";
  };
  /** Forgets a person: nobody calls the number from the answer on. */
  forgetPerson: {
    path: {
      /** A phone number with `+`, or in any form where the country is known. */
      phone: string;
    };
    query: undefined;
    body: {
      reason: string;
      as_hash?: boolean | undefined;
      dry_run?: boolean | undefined;
      default_region?: string | undefined;
    };
    answer: components.ForgetAnswer;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unsupported_media_type";
  };
  /** Lets dialing go on after everything was stopped. */
  goOn: {
    path: undefined;
    query: undefined;
    body: {
      reason: string;
    };
    answer: components.GoOnResult;
    problem: "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unsupported_media_type";
  };
  /** Declares a workflow that was exported. */
  importAutomation: {
    path: undefined;
    query: undefined;
    body: {
      exported: unknown;
      definition?: { [name: string]: unknown } | undefined;
    };
    answer: components.AutomationPut;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "invalid_spec" | "ledger_full" | "ledger_unavailable" | "other_brands" | "platform_failed" | "platform_key_refused" | "platform_unreachable" | "precondition_failed" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unsupported_media_type";
  };
  /** Keeps the numbers of a list from being called. */
  importSuppressions: {
    path: undefined;
    query: {
      /** The file's name, for reports and to tell its format where nothing else does. */
      source_name?: string | undefined;
      /** JSON: `phone`, `time_zone` and `region` name the columns with these roles; another key renames a column. */
      map?: string | undefined;
      /** The country of numbers without `+`, two letters. */
      default_region?: string | undefined;
      /** What the list is, where its content type does not say. */
      format?: "csv" | "ndjson" | undefined;
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
      /** Why, which is kept for good. */
      reason?: string | undefined;
      /** The list's SHA-256, 64 hexadecimal digits: what makes it the same list again. */
      digest?: string | undefined;
    };
    body: ListBody;
    answer: components.SuppressionImport;
    problem: "cross_site" | "csrf_token" | "digest_mismatch" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_list" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unsupported_media_type";
  };
  /** Lists every intended call of a campaign, made or not, the newest batches first. */
  listAttempts: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
      /** Only those that came to this. */
      disposition?: "answered" | "voicemail" | "no_answer" | "busy" | "failed" | "invalid_number" | "opted_out" | "callback_requested" | "unknown" | undefined;
      /** Only those to this number. */
      phone?: string | undefined;
      /** What the page before gave as `next_after`; absent, the first page. */
      after?: string | undefined;
      /** How many at most. */
      limit?: number | undefined;
      /** Only those in this state. */
      state?: "planned" | "live" | "ended" | "not_dialed" | undefined;
    };
    body: undefined;
    answer: components.AttemptPage;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_campaign";
  };
  /** Lists what waits for people, each thing once. */
  listAttention: {
    path: undefined;
    query: {
      /** Only of this kind. */
      kind?: "action_failed" | "action_unknown" | "rule_problem" | "sequence_problem" | "delivery_failed" | "delivery_differs" | "call_unknown" | "enrolment_stuck" | "overdue" | "outbox_stuck" | "schedule_run_failed" | "schedule_run_missed" | "schedule_list_undialable" | "schedule_run_long" | "schedule_drift" | "automation_failed" | "automation_drift" | "automation_execution_failed" | "automation_execution_long" | "automation_success_rate" | "automation_unseen" | "automation_rerun_failed" | "key_expiring" | "key_rotation" | "zone_data_old" | "suppression_list_old" | "scrubber_failing" | "step_failing" | "campaign_stalled" | "breaker_open" | "out_of_money" | "credit_low" | "caller_id_resting" | "canary_waiting" | "agent_changed" | "agent_unpublished" | "calls_refused" | "values_unreadable" | "batch_stuck" | "no_end" | "notices_failing" | "events_failing" | undefined;
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
      /** Only what is about this. */
      subject?: string | undefined;
      /** Those that were dealt with, instead of those that wait. */
      resolved?: "true" | "false" | boolean | undefined;
      /** What the page before gave as `next_after`; absent, the first page. */
      after?: string | undefined;
      /** How many at most. */
      limit?: number | undefined;
    };
    body: undefined;
    answer: components.AttentionPage;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized";
  };
  /** Lists who did what, newest first. */
  listAudit: {
    path: undefined;
    query: {
      /** From this moment on, ISO 8601 with offset. */
      since?: string | undefined;
      /** Before this moment, ISO 8601 with offset. */
      until?: string | undefined;
      /** Only what this one did. */
      actor?: string | undefined;
      /** Only what was done of this kind. */
      action?: string | undefined;
      /** Only of this campaign, by its id. */
      campaign?: string | undefined;
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
      /** What the page before gave as `next_after`; absent, the first page. */
      after?: string | undefined;
      /** How many at most. */
      limit?: number | undefined;
    };
    body: undefined;
    answer: components.AuditPage;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "unauthorized";
  };
  /** Lists automations by their names. */
  listAutomations: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: components.AutomationList;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized";
  };
  /** Lists the batches of a campaign, newest first. */
  listBatches: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
      /** Only those in this state. */
      state?: "planned" | "created" | "starting" | "running" | "draining" | "settled" | undefined;
      /** Only those that are not settled. */
      unsettled?: string | undefined;
      /** What the page before gave as `next_after`; absent, the first page. */
      after?: string | undefined;
      /** How many at most. */
      limit?: number | undefined;
    };
    body: undefined;
    answer: components.BatchPage;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_campaign";
  };
  /** Lists days on which nobody is called. */
  listBlackouts: {
    path: undefined;
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
    };
    body: undefined;
    answer: components.BlackoutList;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized";
  };
  /** Lists budgets, with what is spent and held. */
  listBudgets: {
    path: undefined;
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
    };
    body: undefined;
    answer: components.BudgetList;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized";
  };
  /** Shows how the numbers that a campaign calls from do. */
  listCallerIds: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
    };
    body: undefined;
    answer: components.CallerIds;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_campaign";
  };
  /** Lists the calls of a campaign that are up or over, the newest batches first. */
  listCalls: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
      /** Only those that came to this. */
      disposition?: "answered" | "voicemail" | "no_answer" | "busy" | "failed" | "invalid_number" | "opted_out" | "callback_requested" | "unknown" | undefined;
      /** Only those to this number. */
      phone?: string | undefined;
      /** What the page before gave as `next_after`; absent, the first page. */
      after?: string | undefined;
      /** How many at most. */
      limit?: number | undefined;
      /** live: only those that are under way; ended: that are over. */
      state?: "live" | "ended" | undefined;
    };
    body: undefined;
    answer: components.AttemptPage;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_campaign";
  };
  /** Hands out what the platform holds of each call to and from a person. */
  listCallsOfPerson: {
    path: {
      /** A phone number with `+`, or in any form where the country is known. */
      phone: string;
    };
    query: {
      /** The country of numbers without `+`, two letters. */
      default_region?: string | undefined;
      /** What the page before gave as `next_after`; absent, the first page. */
      after?: string | undefined;
      /** How many at most. */
      limit?: number | undefined;
    };
    body: undefined;
    answer: components.PersonCallPage;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "platform_failed" | "platform_key_refused" | "platform_unreachable" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "unauthorized";
  };
  /** Lists campaigns, newest first. */
  listCampaigns: {
    path: undefined;
    query: {
      /** What the page before gave as `next_after`; absent, the first page. */
      after?: string | undefined;
      /** How many at most. */
      limit?: number | undefined;
      /** Only those that are not over. */
      open?: "true" | "false" | boolean | undefined;
      /** Also those that sequences and callbacks place their calls into. */
      standing?: "true" | "false" | boolean | undefined;
      /** Only those that are archived; by default only others. */
      archived?: "true" | "false" | boolean | undefined;
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
    };
    body: undefined;
    answer: components.CampaignPage;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized";
  };
  /** Shows what was said of a number's consent. */
  listConsents: {
    path: undefined;
    query: {
      /** A phone number with `+`, or in any form where the country is known. */
      phone: string;
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
    };
    body: undefined;
    answer: components.ConsentList;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized";
  };
  /** Lists the contacts of a campaign, in the order in which they came in. */
  listContacts: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
      /** Only those in this state. */
      state?: "open" | "leased" | "done" | "excluded" | undefined;
      /** Only those who are done, and came to this. */
      outcome?: "answered" | "voicemail" | "no_answer" | "busy" | "failed" | "invalid_number" | "opted_out" | "callback_requested" | "unknown" | undefined;
      /** Only those who are excluded, or done, for this reason. */
      reason?: string | undefined;
      /** Only those whose last call came to this, whether or not another follows. */
      last_disposition?: "answered" | "voicemail" | "no_answer" | "busy" | "failed" | "invalid_number" | "opted_out" | "callback_requested" | "unknown" | undefined;
      /** Only those with so many calls. */
      attempts?: number | undefined;
      /** Only those who are open and due from then on. */
      due_from?: string | undefined;
      /** Only those who are open and due before then. */
      due_before?: string | undefined;
      /** Only those whom this rule of the gate kept from being called, once or more. */
      refused_by?: string | undefined;
      /** Only the one with this number. */
      phone?: string | undefined;
      /** Only numbers that begin so, in their order. Not for viewers, who are shown no numbers. */
      phone_prefix?: string | undefined;
      /** What the page before gave as `next_after`; absent, the first page. */
      after?: string | undefined;
      /** How many at most. */
      limit?: number | undefined;
    };
    body: undefined;
    answer: components.ContactPage;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_campaign";
  };
  /** Lists the keys of sensitive values by their ids, and how much each seals. */
  listDataKeys: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: components.DataKeys;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "unauthorized";
  };
  /** Lists what was declared. */
  listDeclared: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: components.DeclarationList;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized";
  };
  /** Lists what came through a trigger, newest first. */
  listDeliveries: {
    path: {
      /** Its name. */
      name: string;
    };
    query: {
      /** Only those in this state. */
      state?: "received" | "done" | "ignored" | "failed" | undefined;
      /** What the page before gave as `next_after`; absent, the first page. */
      after?: string | undefined;
      /** How many at most. */
      limit?: number | undefined;
    };
    body: undefined;
    answer: components.DeliveryPage;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_trigger";
  };
  /** Hands out what is there as documents. */
  listDocuments: {
    path: undefined;
    query: {
      /** Only of this kind. */
      kind: "attention-route" | "event-webhook" | "automation" | "suppression-source" | "campaign" | "sequence" | "trigger" | "schedule";
      /** What the page before gave as `next_after`; absent, the first page. */
      after?: string | undefined;
      /** How many at most. */
      limit?: number | undefined;
    };
    body: undefined;
    answer: components.DeclaredDocuments;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "unauthorized";
  };
  /** Lists who is or was in a sequence, newest first. */
  listEnrolments: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
      /** What the page before gave as `next_after`; absent, the first page. */
      after?: string | undefined;
      /** How many at most. */
      limit?: number | undefined;
      /** Only those in this state. */
      state?: "active" | "done" | undefined;
      /** Only who is at this step. */
      step?: string | undefined;
      /** Only whose way ended so. */
      outcome?: string | undefined;
      /** A phone number with `+`, or in any form where the country is known. */
      phone?: string | undefined;
    };
    body: undefined;
    answer: components.EnrolmentPage;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_sequence";
  };
  /** Lists who is sent what happens. */
  listEventWebhooks: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: components.EventWebhookList;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "unauthorized";
  };
  /** Lists what happened, in order, page by page for ever. */
  listEvents: {
    path: undefined;
    query: {
      /** Only events of these types, separated by commas; docs/events.md has them all. */
      types?: string | undefined;
      /** Only of this campaign, by its id or its name. */
      campaign?: string | undefined;
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
      /** What the page before gave as `next_after`; absent, the oldest that are kept. */
      after?: string | undefined;
      /** From this moment on, ISO 8601 with offset. */
      since?: string | undefined;
      /** How many at most. */
      limit?: number | undefined;
    };
    body: undefined;
    answer: components.EventPage;
    problem: "cross_site" | "events_gone" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_campaign";
  };
  /** Lists what an automation ran, newest first. */
  listExecutions: {
    path: {
      /** Its name. */
      name: string;
    };
    query: {
      /** Only what failed. */
      failed?: "true" | "false" | boolean | undefined;
      /** What the page before gave as `next_after`; absent, the first page. */
      after?: string | undefined;
      /** How many at most. */
      limit?: number | undefined;
    };
    body: undefined;
    answer: components.ExecutionPage;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_automation";
  };
  /** Lists what follows calls, newest first. */
  listFollowUps: {
    path: undefined;
    query: {
      /** Only those in this state. */
      state?: "waiting" | "acting" | "done" | "failed" | undefined;
      /** Only what failed. */
      failed?: "true" | "false" | boolean | undefined;
      /** Only of this campaign, by its id or its name. */
      campaign?: string | undefined;
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
      /** A phone number with `+`, or in any form where the country is known. */
      phone?: string | undefined;
      /** What the page before gave as `next_after`; absent, the first page. */
      after?: string | undefined;
      /** How many at most. */
      limit?: number | undefined;
    };
    body: undefined;
    answer: components.FollowUpPage;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_campaign";
  };
  /** Lists who asked to be forgotten, newest first. */
  listForgettings: {
    path: undefined;
    query: {
      /** What the page before gave as `next_after`; absent, the first page. */
      after?: string | undefined;
      /** How many at most. */
      limit?: number | undefined;
    };
    body: undefined;
    answer: components.ForgettingPage;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "unauthorized";
  };
  /** Lists rotations of the key, newest first. */
  listKeyRotations: {
    path: undefined;
    query: {
      /** How many at most. */
      limit?: number | undefined;
    };
    body: undefined;
    answer: components.KeyRotationList;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "unauthorized";
  };
  /** Lists who was called more than once of late. */
  listOftenCalled: {
    path: undefined;
    query: {
      /** Only calls of this brand. */
      brand?: string | undefined;
      /** Calls of so many days, up to now. */
      days?: number | undefined;
      /** Only who had so many calls, or more. */
      calls?: number | undefined;
      /** How many at most. */
      limit?: number | undefined;
    };
    body: undefined;
    answer: components.OftenCalled;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized";
  };
  /** Lists rules of law that campaigns may follow. */
  listPresets: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: components.PresetList;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized";
  };
  /** Lists who is told of what waits for people. */
  listRoutes: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: components.RouteList;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "unauthorized";
  };
  /** Lists a schedule's runs, newest first. */
  listRuns: {
    path: {
      /** Its name. */
      name: string;
    };
    query: {
      /** Only those in this state. */
      state?: "waiting" | "running" | "cancelling" | "done" | "failed" | "cancelled" | "skipped" | "missed" | undefined;
      /** What the page before gave as `next_after`; absent, the first page. */
      after?: string | undefined;
      /** How many at most. */
      limit?: number | undefined;
    };
    body: undefined;
    answer: components.ScheduleRunPage;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_schedule";
  };
  /** Lists schedules by their names. */
  listSchedules: {
    path: undefined;
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
    };
    body: undefined;
    answer: components.ScheduleList;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized";
  };
  /** Lists sequences by their names. */
  listSequences: {
    path: undefined;
    query: {
      /** What the page before gave as `next_after`; absent, the first page. */
      after?: string | undefined;
      /** How many at most. */
      limit?: number | undefined;
      /** Whether who is in each is counted, which takes a pass over everybody who ever was. */
      counted?: "true" | "false" | boolean | undefined;
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
    };
    body: undefined;
    answer: components.SequencePage;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized";
  };
  /** Lists who is signed in in browsers, newest first. */
  listSessions: {
    path: undefined;
    query: {
      /** What the page before gave as `next_after`; absent, the first page. */
      after?: string | undefined;
      /** How many at most. */
      limit?: number | undefined;
      /** Only of this kind. */
      kind?: "system" | "token" | "link" | "person" | undefined;
      /** Only of whoever is called so. */
      name?: string | undefined;
    };
    body: undefined;
    answer: components.SessionPage;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "unauthorized";
  };
  /** Says how people may sign in. */
  listSignInWays: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: components.SignInWays;
    problem: "internal_error" | "invalid_request" | "rate_limited";
  };
  /** Lists the sources whose lists are replaced as a whole. */
  listSources: {
    path: undefined;
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
    };
    body: undefined;
    answer: components.SourceList;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized";
  };
  /** Lists numbers that are not called. */
  listSuppressions: {
    path: undefined;
    query: {
      /** A phone number with `+`, or in any form where the country is known. */
      phone?: string | undefined;
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
      /** What the page before gave as `next_after`; absent, the first page. */
      after?: string | undefined;
      /** How many at most. */
      limit?: number | undefined;
    };
    body: undefined;
    answer: components.SuppressionPage;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized";
  };
  /** Lists what people are marked with. */
  listTags: {
    path: undefined;
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
      /** A phone number with `+`, or in any form where the country is known. */
      phone?: string | undefined;
      /** Only this tag. */
      tag?: string | undefined;
      /** What the page before gave as `next_after`; absent, the first page. */
      after?: string | undefined;
      /** How many at most. */
      limit?: number | undefined;
    };
    body: undefined;
    answer: components.TagPage;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "unauthorized";
  };
  /** Lists named tokens, without their secrets. */
  listTokens: {
    path: undefined;
    query: {
      /** Those that were taken back, too. */
      revoked?: "true" | "false" | boolean | undefined;
    };
    body: undefined;
    answer: components.TokenList;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "unauthorized";
  };
  /** Lists triggers by their names. */
  listTriggers: {
    path: undefined;
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
    };
    body: undefined;
    answer: components.TriggerList;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized";
  };
  /** Moves one person to another version. */
  moveEnrolment: {
    path: {
      /** Its id. */
      id: string;
    };
    query: undefined;
    body: {
      reason?: string | undefined;
      command_id?: string | undefined;
      version: number;
    };
    answer: components.EnrolmentCommand;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_enrolment" | "unknown_sequence" | "unsupported_media_type";
  };
  /** Pauses a campaign; answers when no new call can begin. */
  pauseCampaign: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
    };
    body: {
      reason?: string | undefined;
      command_id?: string | undefined;
    } | undefined;
    answer: components.HaltResult;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_campaign" | "unsupported_media_type";
  };
  /** Pauses one person. */
  pauseEnrolment: {
    path: {
      /** Its id. */
      id: string;
    };
    query: undefined;
    body: {
      reason?: string | undefined;
      command_id?: string | undefined;
    } | undefined;
    answer: components.EnrolmentCommand;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_enrolment" | "unsupported_media_type";
  };
  /** Pauses a schedule. */
  pauseSchedule: {
    path: {
      /** Its name. */
      name: string;
    };
    query: undefined;
    body: {
      reason?: string | undefined;
    } | undefined;
    answer: components.Schedule;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_schedule" | "unsupported_media_type";
  };
  /** Pauses everybody in a sequence. */
  pauseSequence: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
    };
    body: {
      reason?: string | undefined;
    } | undefined;
    answer: components.SequenceCommand;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_sequence" | "unsupported_media_type";
  };
  /** Says what an amendment would do. */
  previewAmendment: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
    };
    body: {
      spec: components.CampaignSpec;
    };
    answer: components.AmendmentPreview;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "internal_error" | "invalid_request" | "invalid_spec" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_campaign" | "unsupported_media_type";
  };
  /** Takes back what is declared no more. */
  pruneDeclared: {
    path: undefined;
    query: undefined;
    body: {
      kind: "attention-route" | "event-webhook" | "automation" | "suppression-source" | "suppression-list" | "sequence" | "campaign" | "trigger" | "schedule";
      brand?: string | undefined;
      name: string;
      digest?: string | undefined;
      platform?: boolean | undefined;
    };
    answer: components.DeclaredPruned;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "not_found" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unsupported_media_type";
  };
  /** Declares an automation. */
  putAutomation: {
    path: undefined;
    query: undefined;
    body: {
      definition: components.AutomationDefinition;
    };
    answer: components.AutomationPut;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "invalid_spec" | "ledger_full" | "ledger_unavailable" | "other_brands" | "platform_failed" | "platform_key_refused" | "platform_unreachable" | "precondition_failed" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unsupported_media_type";
  };
  /** Says what a brand, or all of them together, may spend. */
  putBudget: {
    path: undefined;
    query: undefined;
    body: {
      brand?: string | undefined;
      total?: (string) | (number) | undefined;
      per_day?: (string) | (number) | undefined;
      zone?: string | undefined;
      restart?: boolean | undefined;
    };
    answer: components.BudgetSet;
    problem: "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unsupported_media_type";
  };
  /** Declares a webhook that is sent what happens, or changes it. */
  putEventWebhook: {
    path: undefined;
    query: undefined;
    body: {
      definition: components.EventWebhookDefinition;
    };
    answer: components.EventWebhookPut;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "invalid_webhook" | "ledger_full" | "ledger_unavailable" | "other_brands" | "precondition_failed" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unsupported_media_type";
  };
  /** Declares an attention route, or changes it. */
  putRoute: {
    path: undefined;
    query: undefined;
    body: {
      definition: components.AttentionRouteDefinition;
    };
    answer: components.RoutePut;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "invalid_route" | "ledger_full" | "ledger_unavailable" | "other_brands" | "precondition_failed" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unsupported_media_type";
  };
  /** Declares a schedule, or changes it. */
  putSchedule: {
    path: undefined;
    query: undefined;
    body: {
      definition: components.ScheduleDefinition;
    };
    answer: components.SchedulePut;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "invalid_spec" | "ledger_full" | "ledger_unavailable" | "other_brands" | "precondition_failed" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unsupported_media_type";
  };
  /** Declares a sequence, or its next version. */
  putSequence: {
    path: undefined;
    query: undefined;
    body: {
      definition: components.SequenceDefinition;
      /** Only while this version is the newest; 0: only where there is none yet. */
      if_version?: number | undefined;
    };
    answer: components.SequencePut;
    problem: "caller_refused" | "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "invalid_spec" | "ledger_full" | "ledger_unavailable" | "other_brands" | "platform_failed" | "platform_key_refused" | "platform_unreachable" | "precondition_failed" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unsupported_media_type";
  };
  /** Declares a source. */
  putSource: {
    path: {
      /** Its name. */
      name: string;
    };
    query: undefined;
    body: {
      type: "own" | "do_not_call" | "litigators" | "reassigned" | "scrub";
      brand?: string | undefined;
      max_age?: string | undefined;
      scrub?: {
        url: string;
        secret: string;
        cache_for?: string | undefined;
        when_away?: "wait" | "dial" | undefined;
      } | undefined;
    };
    answer: components.SourcePut;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "precondition_failed" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unsupported_media_type";
  };
  /** Declares a trigger, or its next version. */
  putTrigger: {
    path: undefined;
    query: undefined;
    body: {
      definition: components.TriggerDefinition;
    };
    answer: components.TriggerPut;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "invalid_trigger" | "ledger_full" | "ledger_unavailable" | "other_brands" | "precondition_failed" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unsupported_media_type";
  };
  /** Shows one action. */
  readAction: {
    path: {
      /** Its id. */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: components.Action;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_action";
  };
  /** Shows an automation with its versions. */
  readAutomation: {
    path: {
      /** Its name. */
      name: string;
    };
    query: undefined;
    body: undefined;
    answer: components.Automation;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "platform_failed" | "platform_key_refused" | "platform_unreachable" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_automation";
  };
  /** Shows how automations do. */
  readAutomationHealth: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: components.AutomationHealth;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized";
  };
  /** Shows a batch, and what became of each of its people. */
  readBatch: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
      /** Its id. */
      id: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
    };
    body: undefined;
    answer: components.BatchDetail;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_batch" | "unknown_campaign";
  };
  /** Shows a call, with what the platform has of it. */
  readCall: {
    path: {
      /** The platform's id of the call, `call_id` in lists of calls. */
      id: string;
    };
    query: {
      /** The platform is not asked. */
      ledger_only?: string | undefined;
    };
    body: undefined;
    answer: components.CallDetail;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_call";
  };
  /** Shows a campaign with its spec and its lists. */
  readCampaign: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
    };
    body: undefined;
    answer: components.Campaign;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_campaign";
  };
  /** Shows a campaign's first calls. */
  readCanary: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
    };
    body: undefined;
    answer: components.Canary;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_campaign";
  };
  /** Shows a contact of a campaign with its calls, and what keeps it from being called. */
  readContact: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
      /** A phone number with `+`, or in any form where the country is known. */
      phone: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
    };
    body: undefined;
    answer: components.ContactDetail;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_campaign" | "unknown_contact";
  };
  /** Says how people went from step to step of a sequence. */
  readConversion: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
      /** Which of its versions. */
      version?: number | undefined;
    };
    body: undefined;
    answer: components.Conversion;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_sequence";
  };
  /** Shows one delivery as it came. */
  readDelivery: {
    path: {
      /** Its id. */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: components.Delivery;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_delivery";
  };
  /** Shows one person's way through a sequence. */
  readEnrolment: {
    path: {
      /** Its id. */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: components.Enrolment;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_enrolment";
  };
  /** Shows a webhook of events, how it does, and what it lacks. */
  readEventWebhook: {
    path: {
      /** Its name. */
      name: string;
    };
    query: undefined;
    body: undefined;
    answer: components.EventWebhookShown;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_webhook";
  };
  /** Shows what follows one call, with its actions. */
  readFollowUp: {
    path: {
      /** Its id. */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: components.FollowUpDetail;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_follow_up";
  };
  /** Shows how far a forgetting is, and its certificate. */
  readForgetting: {
    path: {
      /** Its id. */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: components.Forgetting;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "not_found" | "other_brands" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "unauthorized";
  };
  /** Shows what keeps people from being called now, by their time zones. */
  readHolds: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
    };
    body: undefined;
    answer: components.ZoneHolds;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_campaign";
  };
  /** Shows which installation answers. */
  readInstallation: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: components.Installation;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized";
  };
  /** Shows which key of the platform is in use. */
  readKeyStatus: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: components.KeyStatus;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "platform_failed" | "platform_key_refused" | "platform_unreachable" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "unauthorized";
  };
  /** Shows who asks, and what they may. */
  readMe: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: components.Me;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized";
  };
  /** Says when a schedule's next runs are due. */
  readNextRuns: {
    path: {
      /** Its name. */
      name: string;
    };
    query: {
      /** How many of them. */
      count?: number | undefined;
    };
    body: undefined;
    answer: components.ScheduleNext;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_schedule";
  };
  /** Shows what is to come of a campaign: when it ends, who falls due when, and how far people came. */
  readOutlook: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
    };
    body: undefined;
    answer: components.Outlook;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_campaign";
  };
  /** Shows how calls of an agent went before. */
  readPastCalls: {
    path: undefined;
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
      /** The agent's id on the platform. */
      agent_id: string;
    };
    body: undefined;
    answer: components.PastCalls;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized";
  };
  /** Shows one set of rules with its sources. */
  readPreset: {
    path: {
      /** Its name. */
      name: string;
    };
    query: undefined;
    body: undefined;
    answer: components.Preset;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_preset";
  };
  /** Shows how far a campaign is, and what holds it up. */
  readProgress: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
    };
    body: undefined;
    answer: components.Progress;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_campaign";
  };
  /** Hands out the recording of a call. */
  readRecording: {
    path: {
      /** The platform's id of the call, `call_id` in lists of calls. */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: Response;
    problem: "busy" | "command_refused" | "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "not_found" | "other_brands" | "platform_failed" | "platform_key_refused" | "platform_unreachable" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_call";
  };
  /** Hands out the recording of a call to or from a person. */
  readRecordingOfPerson: {
    path: {
      /** A phone number with `+`, or in any form where the country is known. */
      phone: string;
      /** The platform's id of a call. */
      call_id: string;
    };
    query: {
      /** The country of numbers without `+`, two letters. */
      default_region?: string | undefined;
    };
    body: undefined;
    answer: Response;
    problem: "busy" | "command_refused" | "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "not_found" | "other_brands" | "platform_failed" | "platform_key_refused" | "platform_unreachable" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "unauthorized";
  };
  /** Shows what came of a campaign. */
  readReport: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
    };
    body: undefined;
    answer: components.Report;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_campaign";
  };
  /** Shows how long what is held of people is kept. */
  readRetention: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: components.Retention;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "unauthorized";
  };
  /** Shows one route, with what it told of late. */
  readRoute: {
    path: {
      /** Its name. */
      name: string;
    };
    query: undefined;
    body: undefined;
    answer: components.RouteShown;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_route";
  };
  /** Shows a schedule. */
  readSchedule: {
    path: {
      /** Its name. */
      name: string;
    };
    query: undefined;
    body: undefined;
    answer: components.Schedule;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_schedule";
  };
  /** Shows a sequence with its definition and versions. */
  readSequence: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
    };
    body: undefined;
    answer: components.Sequence;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_sequence";
  };
  /** Shows who is signed in, and until when. */
  readSession: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: components.Session;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized";
  };
  /** Shows a source, and what each list changed. */
  readSource: {
    path: {
      /** Its name. */
      name: string;
    };
    query: undefined;
    body: undefined;
    answer: components.SourceShown;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_source";
  };
  /** Shows all that is known of a number, page by page. */
  readStory: {
    path: {
      /** A phone number with `+`, or in any form where the country is known. */
      phone: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
      /** From this moment on, ISO 8601 with offset. */
      since?: string | undefined;
      /** Before this moment, ISO 8601 with offset. */
      until?: string | undefined;
      /** The country of numbers without `+`, two letters. */
      default_region?: string | undefined;
      /** What the page before gave as `next_after`; absent, the first page. */
      after?: string | undefined;
      /** How many at most. */
      limit?: number | undefined;
    };
    body: undefined;
    answer: components.Story;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_number";
  };
  /** Shows how the system is, and what waits. */
  readSystem: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: components.System;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized";
  };
  /** Shows a campaign's calls over time: how many began, were answered, and were up. */
  readTimeline: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
      /** So many minutes, up to now, in 60 parts. */
      minutes?: "60" | "360" | undefined;
    };
    body: undefined;
    answer: components.Timeline;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_campaign";
  };
  /** Shows one trigger. */
  readTrigger: {
    path: {
      /** Its name. */
      name: string;
    };
    query: undefined;
    body: undefined;
    answer: components.Trigger;
    problem: "cross_site" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_unavailable" | "other_brands" | "rate_limited" | "session_over" | "token_expired" | "token_revoked" | "unauthorized" | "unknown_trigger";
  };
  /** Brings a ledger that was restored level with the platform. */
  recoverLedger: {
    path: undefined;
    query: undefined;
    body: {
      suppressions_complete: true;
      withdrawals_complete: true;
    };
    answer: components.RecoverResult;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "platform_failed" | "platform_key_refused" | "platform_unreachable" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unsupported_media_type";
  };
  /** Says what a campaign would do with a list; nothing is written. */
  rehearseCampaign: {
    path: undefined;
    query: {
      /** The file's name, for reports and to tell its format where nothing else does. */
      source_name?: string | undefined;
      /** JSON: `phone`, `time_zone` and `region` name the columns with these roles; another key renames a column. */
      map?: string | undefined;
      /** The country of numbers without `+`, two letters. */
      default_region?: string | undefined;
      /** What the list is, where its content type does not say. */
      format?: "csv" | "ndjson" | undefined;
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
      /** The campaign whose spec it is, by its id or name. */
      campaign?: string | undefined;
      /** Instead of a campaign: the spec of one, as JSON. */
      spec?: string | undefined;
      /** When it is started; absent, now. */
      from?: string | undefined;
      /** Asks how many lines it takes to be through by then. */
      end_by?: string | undefined;
      /** Calls that may be up at once, instead of the spec's. */
      concurrency?: number | undefined;
      /** What calls come to and how long they take, as JSON; docs/rehearsal.md has its fields. */
      outcomes?: string | undefined;
      /** Instead of outcomes: a campaign of the brand that had them, by its id or name. */
      like?: string | undefined;
      /** What a minute of talk costs, in US dollars; absent, what the platform estimates. */
      cost_per_minute?: number | undefined;
      /** By whose clocks hours are told. */
      time_zone?: string | undefined;
      /** How often, for the range. */
      runs?: number | undefined;
      /** Of the first run. */
      seed?: number | undefined;
    };
    body: ListBody;
    answer: components.Rehearsal;
    problem: "busy" | "cross_site" | "csrf_token" | "forbidden_host" | "internal_error" | "invalid_list" | "invalid_request" | "invalid_spec" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_campaign" | "unsupported_media_type";
  };
  /** Walks one person through a sequence in every way; nothing is written. */
  rehearseSequence: {
    path: undefined;
    query: undefined;
    body: {
      definition?: unknown | undefined;
      sequence?: string | undefined;
      brand?: string | undefined;
      person: unknown;
      from?: string | undefined;
      assume?: { [name: string]: (string)[] } | undefined;
    };
    answer: components.SequenceRehearsal;
    problem: "busy" | "cross_site" | "csrf_token" | "forbidden_host" | "internal_error" | "invalid_request" | "invalid_spec" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_sequence" | "unsupported_media_type";
  };
  /** Takes an automation back. */
  removeAutomation: {
    path: {
      /** Its name. */
      name: string;
    };
    query: {
      /** Whether it goes from the platform, too. */
      platform?: "true" | "false" | boolean | undefined;
    };
    body: undefined;
    answer: components.AutomationView;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_automation" | "unsupported_media_type";
  };
  /** Takes days off back. */
  removeBlackout: {
    path: {
      /** Its id. */
      id: number;
    };
    query: undefined;
    body: {
      reason: string;
    };
    answer: components.BlackoutRemoved;
    problem: "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_blackout" | "unsupported_media_type";
  };
  /** Takes a budget back. */
  removeBudget: {
    path: undefined;
    query: undefined;
    body: {
      brand?: string | undefined;
      reason: string;
    };
    answer: components.BudgetRemoved;
    problem: "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_budget" | "unsupported_media_type";
  };
  /** Takes a webhook of events back. */
  removeEventWebhook: {
    path: {
      /** Its name. */
      name: string;
    };
    query: undefined;
    body: undefined;
    answer: components.EventWebhookRemoved;
    problem: "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_webhook" | "unsupported_media_type";
  };
  /** Takes a route back. */
  removeRoute: {
    path: {
      /** Its name. */
      name: string;
    };
    query: undefined;
    body: undefined;
    answer: components.RouteRemoved;
    problem: "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_route" | "unsupported_media_type";
  };
  /** Takes a schedule back. */
  removeSchedule: {
    path: {
      /** Its name. */
      name: string;
    };
    query: undefined;
    body: undefined;
    answer: components.ScheduleView;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_schedule" | "unsupported_media_type";
  };
  /** Takes a source and its list back. */
  removeSource: {
    path: {
      /** Its name. */
      name: string;
    };
    query: undefined;
    body: {
      reason: string;
    };
    answer: components.SourceRemoved;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_source" | "unsupported_media_type";
  };
  /** Takes back that a number is not called. */
  removeSuppression: {
    path: undefined;
    query: undefined;
    body: {
      phone: string;
      brand?: string | undefined;
      source?: string | undefined;
      reason: string;
      default_region?: string | undefined;
    };
    answer: components.SuppressionRemoved;
    problem: "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "not_suppressed" | "on_a_list" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "several_words" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unsupported_media_type";
  };
  /** Takes a mark off a person. */
  removeTag: {
    path: undefined;
    query: undefined;
    body: {
      brand?: string | undefined;
      phone: string;
      tag: string;
      reason?: string | undefined;
    };
    answer: components.TagRemoved;
    problem: "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_tag" | "unsupported_media_type";
  };
  /** Puts a schedule back where its clock runs. */
  repairSchedule: {
    path: {
      /** Its name. */
      name: string;
    };
    query: undefined;
    body: {
      reason?: string | undefined;
    } | undefined;
    answer: components.Schedule;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_schedule" | "unsupported_media_type";
  };
  /** Puts a source's newest list in the old one's place. */
  replaceSourceList: {
    path: {
      /** Its name. */
      name: string;
    };
    query: {
      /** The file's name, for reports and to tell its format where nothing else does. */
      source_name?: string | undefined;
      /** JSON: `phone`, `time_zone` and `region` name the columns with these roles; another key renames a column. */
      map?: string | undefined;
      /** The country of numbers without `+`, two letters. */
      default_region?: string | undefined;
      /** What the list is, where its content type does not say. */
      format?: "csv" | "ndjson" | undefined;
      /** The list's SHA-256, 64 hexadecimal digits: what makes it the same list again. */
      digest: string;
      /** Of which moment the list is; absent, of now. */
      as_of?: string | undefined;
      /** Take it though it lacks much of the list before. */
      allow_shrink?: "true" | "false" | boolean | undefined;
      /** Take it though it is older than the list before. */
      allow_older?: "true" | "false" | boolean | undefined;
    };
    body: ListBody;
    answer: components.ListReplaced;
    problem: "command_refused" | "cross_site" | "csrf_token" | "digest_mismatch" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_list" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "list_is_older" | "list_shrinks" | "other_brands" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_source" | "unsupported_media_type";
  };
  /** Does an action that was done once more. */
  replayAction: {
    path: {
      /** Its id. */
      id: string;
    };
    query: undefined;
    body: {
      reason?: string | undefined;
      as_new?: boolean | undefined;
    } | undefined;
    answer: components.Action;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_action" | "unsupported_media_type";
  };
  /** Runs a failed execution again. */
  rerunExecution: {
    path: {
      /** Its id. */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: components.Rerun;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_execution" | "unsupported_media_type";
  };
  /** Takes an entry off the list. */
  resolveAttention: {
    path: {
      /** Its id. */
      id: number;
    };
    query: undefined;
    body: {
      reason: string;
    };
    answer: components.Attention;
    problem: "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_attention" | "unsupported_media_type";
  };
  /** Puts an older version back. */
  restoreAutomation: {
    path: {
      /** Its name. */
      name: string;
    };
    query: {
      /** Which of its versions. */
      version: number;
    };
    body: undefined;
    answer: components.AutomationView;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_automation" | "unsupported_media_type";
  };
  /** Lets a paused campaign go on. */
  resumeCampaign: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
    };
    body: {
      reason?: string | undefined;
      command_id?: string | undefined;
    } | undefined;
    answer: components.ResumeResult;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_campaign" | "unsupported_media_type";
  };
  /** Lets one person go on. */
  resumeEnrolment: {
    path: {
      /** Its id. */
      id: string;
    };
    query: undefined;
    body: {
      reason?: string | undefined;
      command_id?: string | undefined;
    } | undefined;
    answer: components.EnrolmentCommand;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_enrolment" | "unsupported_media_type";
  };
  /** Lets a paused schedule go on. */
  resumeSchedule: {
    path: {
      /** Its name. */
      name: string;
    };
    query: undefined;
    body: {
      reason?: string | undefined;
    } | undefined;
    answer: components.Schedule;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_schedule" | "unsupported_media_type";
  };
  /** Lets a paused sequence go on. */
  resumeSequence: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
    };
    body: {
      reason?: string | undefined;
    } | undefined;
    answer: components.SequenceCommand;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_sequence" | "unsupported_media_type";
  };
  /** Tries an action that failed once more. */
  retryAction: {
    path: {
      /** Its id. */
      id: string;
    };
    query: undefined;
    body: {
      reason?: string | undefined;
      at?: string | undefined;
    } | undefined;
    answer: components.Action;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_action" | "unsupported_media_type";
  };
  /** Tries a change that failed once more. */
  retryAutomation: {
    path: {
      /** Its name. */
      name: string;
    };
    query: undefined;
    body: undefined;
    answer: components.AutomationView;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_automation" | "unsupported_media_type";
  };
  /** Retries all deliveries that failed. */
  retryDeliveries: {
    path: {
      /** Its name. */
      name: string;
    };
    query: {
      /** What the request before gave as `next_after`; absent, from the oldest. */
      after?: string | undefined;
    };
    body: undefined;
    answer: components.RetriedPage;
    problem: "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_trigger" | "unsupported_media_type";
  };
  /** Does once more what a delivery asks for. */
  retryDelivery: {
    path: {
      /** Its id. */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: components.Retried;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_delivery" | "unsupported_media_type";
  };
  /** Takes a token back, for good. */
  revokeToken: {
    path: {
      /** Its name. */
      name: components.TokenName;
    };
    query: undefined;
    body: {
      reason: string;
    };
    answer: components.TokenRevoked;
    problem: "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_token" | "unsupported_media_type";
  };
  /** Puts a new key of the platform in the old one's place. */
  rotateKey: {
    path: undefined;
    query: undefined;
    body: {
      grace_hours?: number | undefined;
    } | undefined;
    answer: components.KeyRotation;
    problem: "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "platform_failed" | "platform_key_refused" | "platform_unreachable" | "rate_limited" | "request_under_way" | "role_needed" | "rotation_refused" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unsupported_media_type";
  };
  /** Makes a run now. */
  runSchedule: {
    path: {
      /** Its name. */
      name: string;
    };
    query: undefined;
    body: {
      command_id?: string | undefined;
    } | undefined;
    answer: components.ScheduleRun;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_schedule" | "unsupported_media_type";
  };
  /** Says how long what is held of people is kept. */
  setRetention: {
    path: undefined;
    query: undefined;
    body: {
      keep: { [name: string]: (string) | (null) };
      reason: string;
      dry_run?: boolean | undefined;
    };
    answer: components.RetentionAnswer;
    problem: "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unsupported_media_type";
  };
  /** Goes on without an action. */
  skipAction: {
    path: {
      /** Its id. */
      id: string;
    };
    query: undefined;
    body: {
      reason?: string | undefined;
    } | undefined;
    answer: components.Action;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_action" | "unsupported_media_type";
  };
  /** Leaves a delivery that failed undone for good. */
  skipDelivery: {
    path: {
      /** Its id. */
      id: string;
    };
    query: undefined;
    body: {
      reason?: string | undefined;
    } | undefined;
    answer: components.Delivery;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_delivery" | "unsupported_media_type";
  };
  /** Moves one person past a step. */
  skipEnrolment: {
    path: {
      /** Its id. */
      id: string;
    };
    query: undefined;
    body: {
      reason?: string | undefined;
      command_id?: string | undefined;
    } | undefined;
    answer: components.EnrolmentCommand;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_enrolment" | "unsupported_media_type";
  };
  /** Moves everybody past the step that they are at. */
  skipStep: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
    };
    body: {
      reason?: string | undefined;
      command_id?: string | undefined;
    } | undefined;
    answer: components.SequenceCommand;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_sequence" | "unsupported_media_type";
  };
  /** Lets a campaign call. */
  startCampaign: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
    };
    body: {
      reason?: string | undefined;
      command_id?: string | undefined;
      allow_partial?: boolean | undefined;
    } | undefined;
    answer: components.StartResult;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_campaign" | "unsupported_media_type";
  };
  /** Stops all dialing at once. */
  stopAll: {
    path: undefined;
    query: undefined;
    body: {
      reason?: string | undefined;
      [name: string]: unknown;
    } | undefined;
    answer: components.StopAllResult;
    problem: "cross_site" | "csrf_token" | "forbidden_host" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unsupported_media_type";
  };
  /** Looks for what has no end, and settles it. */
  sweep: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: components.Sweep;
    problem: "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unsupported_media_type";
  };
  /** Takes what the platform tells of calls. */
  takeCallHint: {
    path: {
      /** What was made up for the platform when its webhook was set. */
      token: string;
    };
    query: undefined;
    body: unknown;
    answer: components.HintAccepted;
    problem: "busy" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "not_found" | "rate_limited" | "too_large";
  };
  /** Tells one enrolment of something. */
  tellEnrolment: {
    path: {
      /** Its id. */
      id: string;
    };
    query: undefined;
    body: {
      name: string;
      data?: { [name: string]: components.JsonValue } | undefined;
      request_key?: string | undefined;
    };
    answer: components.EnrolmentCommand;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_enrolment" | "unsupported_media_type";
  };
  /** Tells of something that a person did. */
  tellSequence: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
    };
    body: {
      name: string;
      data?: { [name: string]: components.JsonValue } | undefined;
      request_key?: string | undefined;
      phone: string;
    };
    answer: components.SequenceEvent;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_sequence" | "unsupported_media_type";
  };
  /** Tests an automation on the platform. */
  testAutomation: {
    path: {
      /** Its name. */
      name: string;
    };
    query: undefined;
    body: undefined;
    answer: components.AutomationView;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_automation" | "unsupported_media_type";
  };
  /** Sends a test to a webhook of events now. */
  testEventWebhook: {
    path: {
      /** Its name. */
      name: string;
    };
    query: undefined;
    body: undefined;
    answer: components.EventWebhookTested;
    problem: "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_webhook" | "unsupported_media_type";
  };
  /** Sends a test through each route. */
  testRoutes: {
    path: undefined;
    query: undefined;
    body: {
      route?: string | undefined;
    } | undefined;
    answer: components.RoutesTested;
    problem: "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_route" | "unsupported_media_type";
  };
  /** Says what rules would make of calls. */
  testRules: {
    path: undefined;
    query: undefined;
    body: {
      definition: unknown;
      step?: string | undefined;
      against?: unknown | undefined;
      calls?: ({
        call_id: string;
        item_status?: (string) | (null) | undefined;
        error_message?: (string) | (null) | undefined;
        attempt?: (number) | (null) | undefined;
        [name: string]: unknown;
      })[] | undefined;
      campaign?: string | undefined;
      brand?: string | undefined;
      after?: number | undefined;
      contacts?: number | undefined;
    };
    answer: components.RulesTest;
    problem: "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "invalid_spec" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_campaign" | "unsupported_media_type";
  };
  /** Says what a trigger would make of a body; nothing is done. */
  tryTrigger: {
    path: {
      /** Its name. */
      name: string;
    };
    query: undefined;
    body: {
      /** What its sender sends, as text. */
      body: string;
      /** What the text is. */
      type?: "json" | "form" | undefined;
      /** Headers of the request, as far as the trigger reads them. */
      headers?: { [name: string]: string } | undefined;
      /** Tried instead of the one that is stored, which then need not be there. */
      definition?: unknown | undefined;
    };
    answer: components.TriggerTried;
    problem: "cross_site" | "csrf_token" | "forbidden_host" | "internal_error" | "invalid_request" | "invalid_trigger" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_trigger" | "unsupported_media_type";
  };
  /** Puts a campaign back on the list. */
  unarchiveCampaign: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
    };
    body: {
      reason?: string | undefined;
    } | undefined;
    answer: components.ArchiveResult;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_campaign" | "unsupported_media_type";
  };
  /** Adds a list of people. */
  uploadContacts: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
    };
    query: {
      /** The file's name, for reports and to tell its format where nothing else does. */
      source_name?: string | undefined;
      /** JSON: `phone`, `time_zone` and `region` name the columns with these roles; another key renames a column. */
      map?: string | undefined;
      /** The country of numbers without `+`, two letters. */
      default_region?: string | undefined;
      /** What the list is, where its content type does not say. */
      format?: "csv" | "ndjson" | undefined;
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
      /** The list's SHA-256, 64 hexadecimal digits: what makes it the same list again. */
      digest: string;
    };
    body: ListBody;
    answer: components.ImportResult;
    problem: "command_refused" | "cross_site" | "csrf_token" | "digest_mismatch" | "forbidden_host" | "idempotency_key_reused" | "import_differs" | "internal_error" | "invalid_list" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_campaign" | "unsupported_media_type";
  };
  /** Says what an import of a list would say; nothing is written. */
  validateContacts: {
    path: undefined;
    query: {
      /** The file's name, for reports and to tell its format where nothing else does. */
      source_name?: string | undefined;
      /** JSON: `phone`, `time_zone` and `region` name the columns with these roles; another key renames a column. */
      map?: string | undefined;
      /** The country of numbers without `+`, two letters. */
      default_region?: string | undefined;
      /** What the list is, where its content type does not say. */
      format?: "csv" | "ndjson" | undefined;
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
      /** The campaign that it is for, by its id or name. */
      campaign?: string | undefined;
      /** Instead of a campaign: the spec of one, as JSON. */
      spec?: string | undefined;
      /** So many bad rows are shown. */
      problems?: number | undefined;
    };
    body: ListBody;
    answer: components.Validation;
    problem: "busy" | "cross_site" | "csrf_token" | "digest_mismatch" | "forbidden_host" | "internal_error" | "invalid_list" | "invalid_request" | "invalid_spec" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_campaign" | "unsupported_media_type";
  };
  /** Notes that somebody takes consent back. */
  withdrawConsent: {
    path: undefined;
    query: undefined;
    body: {
      phone: string;
      brand?: string | undefined;
      reason: string;
      default_region?: string | undefined;
    };
    answer: components.ConsentWithdrawn;
    problem: "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unsupported_media_type";
  };
  /** Takes people out of a campaign. */
  withdrawContacts: {
    path: {
      /** An id, or a name; a name means the newest run. */
      ref: string;
    };
    query: {
      /** Only of this brand; with a name in the address, whose it is, `default` where nothing is said. */
      brand?: string | undefined;
    };
    body: {
      phones?: (string)[] | undefined;
      all_open?: true | undefined;
      reason: string;
      default_region?: string | undefined;
    };
    answer: components.Withdrawal;
    problem: "command_refused" | "cross_site" | "csrf_token" | "forbidden_host" | "idempotency_key_reused" | "internal_error" | "invalid_request" | "ledger_full" | "ledger_unavailable" | "other_brands" | "rate_limited" | "request_under_way" | "role_needed" | "session_over" | "token_expired" | "token_revoked" | "too_large" | "unauthorized" | "unknown_campaign" | "unsupported_media_type";
  };
}

/** Operations that replace what somebody else may have replaced meanwhile: they take `ifMatch`. */
export type MatchedName =
  | "amendCampaign"
  | "importAutomation"
  | "putAutomation"
  | "putEventWebhook"
  | "putRoute"
  | "putSchedule"
  | "putSequence"
  | "putSource"
  | "putTrigger";

/** What a request is made of. */
export interface OperationFacts {
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  /** It heeds `Idempotency-Key`. */
  readonly keyed?: true;
  /** Its body is a list. */
  readonly list?: true;
  /** It heeds `If-Match`. */
  readonly matched?: true;
  /** It answers with text, and no JSON. */
  readonly raw?: true;
}

export const OPERATIONS: { readonly [Name in keyof Operations]: OperationFacts } = {
  acknowledgeAttention: {"method":"POST","path":"/v1/attention/{id}/acknowledge","keyed":true},
  addBlackout: {"method":"POST","path":"/v1/blackouts","keyed":true},
  addConsents: {"method":"POST","path":"/v1/consents","keyed":true},
  addSuppressions: {"method":"POST","path":"/v1/suppressions","keyed":true},
  amendCampaign: {"method":"POST","path":"/v1/campaigns/{ref}/amend","keyed":true,"matched":true},
  applyDeclared: {"method":"POST","path":"/v1/declared/apply","keyed":true},
  approveCampaign: {"method":"POST","path":"/v1/campaigns/{ref}/approve","keyed":true},
  archiveCampaign: {"method":"POST","path":"/v1/campaigns/{ref}/archive","keyed":true},
  backfillSchedule: {"method":"POST","path":"/v1/schedules/{name}/backfill","keyed":true},
  beginSession: {"method":"POST","path":"/v1/session"},
  cancelCampaign: {"method":"POST","path":"/v1/campaigns/{ref}/cancel","keyed":true},
  checkAlive: {"method":"GET","path":"/healthz"},
  checkBalance: {"method":"POST","path":"/v1/budgets/check","keyed":true},
  checkReady: {"method":"GET","path":"/readyz"},
  checkSequence: {"method":"POST","path":"/v1/sequences/check"},
  checkSource: {"method":"POST","path":"/v1/suppressions/sources/{name}/check","keyed":true},
  cloneCampaign: {"method":"POST","path":"/v1/campaigns/{ref}/clone","keyed":true},
  closeSequence: {"method":"POST","path":"/v1/sequences/{ref}/close","keyed":true},
  compareDeclared: {"method":"POST","path":"/v1/declared/diff","keyed":true},
  copyLedger: {"method":"POST","path":"/v1/ledger/copies"},
  createCampaign: {"method":"POST","path":"/v1/campaigns","keyed":true},
  createSignInCode: {"method":"POST","path":"/v1/session/codes"},
  createToken: {"method":"POST","path":"/v1/tokens"},
  deliver: {"method":"POST","path":"/v1/triggers/{name}"},
  deployAutomation: {"method":"POST","path":"/v1/automations/{name}/deploy","keyed":true},
  disableTrigger: {"method":"POST","path":"/v1/triggers/{name}/disable","keyed":true},
  downloadRejects: {"method":"GET","path":"/v1/campaigns/{ref}/rejects.csv","raw":true},
  downloadResults: {"method":"GET","path":"/v1/campaigns/{ref}/results.csv","raw":true},
  downloadSequenceRejects: {"method":"GET","path":"/v1/sequences/{ref}/rejects.csv","raw":true},
  drawSequence: {"method":"GET","path":"/v1/sequences/{ref}/diagram","raw":true},
  enableEventWebhook: {"method":"POST","path":"/v1/events/webhooks/{name}/enable","keyed":true},
  enableTrigger: {"method":"POST","path":"/v1/triggers/{name}/enable","keyed":true},
  endOtherSession: {"method":"DELETE","path":"/v1/sessions/{id}","keyed":true},
  endSession: {"method":"DELETE","path":"/v1/session","raw":true},
  endSessionsOf: {"method":"DELETE","path":"/v1/sessions","keyed":true},
  enroll: {"method":"POST","path":"/v1/sequences/{ref}/enrolments","keyed":true},
  enrollList: {"method":"POST","path":"/v1/sequences/{ref}/enrolments/list","keyed":true,"list":true},
  estimateCampaign: {"method":"GET","path":"/v1/campaigns/{ref}/estimate"},
  examine: {"method":"GET","path":"/v1/doctor"},
  exitEnrolment: {"method":"POST","path":"/v1/enrolments/{id}/exit","keyed":true},
  exitSequence: {"method":"POST","path":"/v1/sequences/{ref}/exit","keyed":true},
  explainContact: {"method":"GET","path":"/v1/campaigns/{ref}/contacts/{phone}/explanation"},
  exportAutomation: {"method":"GET","path":"/v1/automations/{name}/export"},
  exportPerson: {"method":"GET","path":"/v1/people/{phone}/export"},
  findContacts: {"method":"GET","path":"/v1/contacts"},
  followEvents: {"method":"GET","path":"/v1/events/stream","raw":true},
  forgetPerson: {"method":"POST","path":"/v1/people/{phone}/forget"},
  goOn: {"method":"POST","path":"/v1/go-on","keyed":true},
  importAutomation: {"method":"POST","path":"/v1/automations/import","keyed":true,"matched":true},
  importSuppressions: {"method":"POST","path":"/v1/suppressions/import","keyed":true,"list":true},
  listAttempts: {"method":"GET","path":"/v1/campaigns/{ref}/attempts"},
  listAttention: {"method":"GET","path":"/v1/attention"},
  listAudit: {"method":"GET","path":"/v1/audit"},
  listAutomations: {"method":"GET","path":"/v1/automations"},
  listBatches: {"method":"GET","path":"/v1/campaigns/{ref}/batches"},
  listBlackouts: {"method":"GET","path":"/v1/blackouts"},
  listBudgets: {"method":"GET","path":"/v1/budgets"},
  listCallerIds: {"method":"GET","path":"/v1/campaigns/{ref}/caller-ids"},
  listCalls: {"method":"GET","path":"/v1/campaigns/{ref}/calls"},
  listCallsOfPerson: {"method":"GET","path":"/v1/people/{phone}/calls"},
  listCampaigns: {"method":"GET","path":"/v1/campaigns"},
  listConsents: {"method":"GET","path":"/v1/consents"},
  listContacts: {"method":"GET","path":"/v1/campaigns/{ref}/contacts"},
  listDataKeys: {"method":"GET","path":"/v1/data-keys"},
  listDeclared: {"method":"GET","path":"/v1/declared"},
  listDeliveries: {"method":"GET","path":"/v1/triggers/{name}/deliveries"},
  listDocuments: {"method":"GET","path":"/v1/declared/documents"},
  listEnrolments: {"method":"GET","path":"/v1/sequences/{ref}/enrolments"},
  listEventWebhooks: {"method":"GET","path":"/v1/events/webhooks"},
  listEvents: {"method":"GET","path":"/v1/events"},
  listExecutions: {"method":"GET","path":"/v1/automations/{name}/executions"},
  listFollowUps: {"method":"GET","path":"/v1/follow-ups"},
  listForgettings: {"method":"GET","path":"/v1/forgettings"},
  listKeyRotations: {"method":"GET","path":"/v1/keys/rotations"},
  listOftenCalled: {"method":"GET","path":"/v1/people/called"},
  listPresets: {"method":"GET","path":"/v1/presets"},
  listRoutes: {"method":"GET","path":"/v1/attention/routes"},
  listRuns: {"method":"GET","path":"/v1/schedules/{name}/runs"},
  listSchedules: {"method":"GET","path":"/v1/schedules"},
  listSequences: {"method":"GET","path":"/v1/sequences"},
  listSessions: {"method":"GET","path":"/v1/sessions"},
  listSignInWays: {"method":"GET","path":"/v1/session/ways"},
  listSources: {"method":"GET","path":"/v1/suppressions/sources"},
  listSuppressions: {"method":"GET","path":"/v1/suppressions"},
  listTags: {"method":"GET","path":"/v1/tags"},
  listTokens: {"method":"GET","path":"/v1/tokens"},
  listTriggers: {"method":"GET","path":"/v1/triggers"},
  moveEnrolment: {"method":"POST","path":"/v1/enrolments/{id}/move","keyed":true},
  pauseCampaign: {"method":"POST","path":"/v1/campaigns/{ref}/pause","keyed":true},
  pauseEnrolment: {"method":"POST","path":"/v1/enrolments/{id}/pause","keyed":true},
  pauseSchedule: {"method":"POST","path":"/v1/schedules/{name}/pause","keyed":true},
  pauseSequence: {"method":"POST","path":"/v1/sequences/{ref}/pause","keyed":true},
  previewAmendment: {"method":"POST","path":"/v1/campaigns/{ref}/amend/preview"},
  pruneDeclared: {"method":"POST","path":"/v1/declared/prune","keyed":true},
  putAutomation: {"method":"PUT","path":"/v1/automations","keyed":true,"matched":true},
  putBudget: {"method":"PUT","path":"/v1/budgets","keyed":true},
  putEventWebhook: {"method":"PUT","path":"/v1/events/webhooks","keyed":true,"matched":true},
  putRoute: {"method":"PUT","path":"/v1/attention/routes","keyed":true,"matched":true},
  putSchedule: {"method":"PUT","path":"/v1/schedules","keyed":true,"matched":true},
  putSequence: {"method":"PUT","path":"/v1/sequences","keyed":true,"matched":true},
  putSource: {"method":"PUT","path":"/v1/suppressions/sources/{name}","keyed":true,"matched":true},
  putTrigger: {"method":"PUT","path":"/v1/triggers","keyed":true,"matched":true},
  readAction: {"method":"GET","path":"/v1/actions/{id}"},
  readAutomation: {"method":"GET","path":"/v1/automations/{name}"},
  readAutomationHealth: {"method":"GET","path":"/v1/automations/health"},
  readBatch: {"method":"GET","path":"/v1/campaigns/{ref}/batches/{id}"},
  readCall: {"method":"GET","path":"/v1/calls/{id}"},
  readCampaign: {"method":"GET","path":"/v1/campaigns/{ref}"},
  readCanary: {"method":"GET","path":"/v1/campaigns/{ref}/canary"},
  readContact: {"method":"GET","path":"/v1/campaigns/{ref}/contacts/{phone}"},
  readConversion: {"method":"GET","path":"/v1/sequences/{ref}/conversion"},
  readDelivery: {"method":"GET","path":"/v1/deliveries/{id}"},
  readEnrolment: {"method":"GET","path":"/v1/enrolments/{id}"},
  readEventWebhook: {"method":"GET","path":"/v1/events/webhooks/{name}"},
  readFollowUp: {"method":"GET","path":"/v1/follow-ups/{id}"},
  readForgetting: {"method":"GET","path":"/v1/forgettings/{id}"},
  readHolds: {"method":"GET","path":"/v1/campaigns/{ref}/holds"},
  readInstallation: {"method":"GET","path":"/v1/installation"},
  readKeyStatus: {"method":"GET","path":"/v1/keys/status"},
  readMe: {"method":"GET","path":"/v1/me"},
  readNextRuns: {"method":"GET","path":"/v1/schedules/{name}/next"},
  readOutlook: {"method":"GET","path":"/v1/campaigns/{ref}/outlook"},
  readPastCalls: {"method":"GET","path":"/v1/past-calls"},
  readPreset: {"method":"GET","path":"/v1/presets/{name}"},
  readProgress: {"method":"GET","path":"/v1/campaigns/{ref}/progress"},
  readRecording: {"method":"GET","path":"/v1/calls/{id}/recording","raw":true},
  readRecordingOfPerson: {"method":"GET","path":"/v1/people/{phone}/calls/{call_id}/recording","raw":true},
  readReport: {"method":"GET","path":"/v1/campaigns/{ref}/report"},
  readRetention: {"method":"GET","path":"/v1/retention"},
  readRoute: {"method":"GET","path":"/v1/attention/routes/{name}"},
  readSchedule: {"method":"GET","path":"/v1/schedules/{name}"},
  readSequence: {"method":"GET","path":"/v1/sequences/{ref}"},
  readSession: {"method":"GET","path":"/v1/session"},
  readSource: {"method":"GET","path":"/v1/suppressions/sources/{name}"},
  readStory: {"method":"GET","path":"/v1/people/{phone}/story"},
  readSystem: {"method":"GET","path":"/v1/system"},
  readTimeline: {"method":"GET","path":"/v1/campaigns/{ref}/timeline"},
  readTrigger: {"method":"GET","path":"/v1/triggers/{name}"},
  recoverLedger: {"method":"POST","path":"/v1/recover","keyed":true},
  rehearseCampaign: {"method":"POST","path":"/v1/rehearsals","list":true},
  rehearseSequence: {"method":"POST","path":"/v1/sequences/rehearse"},
  removeAutomation: {"method":"DELETE","path":"/v1/automations/{name}","keyed":true},
  removeBlackout: {"method":"DELETE","path":"/v1/blackouts/{id}","keyed":true},
  removeBudget: {"method":"DELETE","path":"/v1/budgets","keyed":true},
  removeEventWebhook: {"method":"DELETE","path":"/v1/events/webhooks/{name}","keyed":true},
  removeRoute: {"method":"DELETE","path":"/v1/attention/routes/{name}","keyed":true},
  removeSchedule: {"method":"DELETE","path":"/v1/schedules/{name}","keyed":true},
  removeSource: {"method":"DELETE","path":"/v1/suppressions/sources/{name}","keyed":true},
  removeSuppression: {"method":"DELETE","path":"/v1/suppressions","keyed":true},
  removeTag: {"method":"DELETE","path":"/v1/tags","keyed":true},
  repairSchedule: {"method":"POST","path":"/v1/schedules/{name}/repair","keyed":true},
  replaceSourceList: {"method":"POST","path":"/v1/suppressions/sources/{name}/list","keyed":true,"list":true},
  replayAction: {"method":"POST","path":"/v1/actions/{id}/replay","keyed":true},
  rerunExecution: {"method":"POST","path":"/v1/automations/executions/{id}/rerun","keyed":true},
  resolveAttention: {"method":"POST","path":"/v1/attention/{id}/resolve","keyed":true},
  restoreAutomation: {"method":"POST","path":"/v1/automations/{name}/restore","keyed":true},
  resumeCampaign: {"method":"POST","path":"/v1/campaigns/{ref}/resume","keyed":true},
  resumeEnrolment: {"method":"POST","path":"/v1/enrolments/{id}/resume","keyed":true},
  resumeSchedule: {"method":"POST","path":"/v1/schedules/{name}/resume","keyed":true},
  resumeSequence: {"method":"POST","path":"/v1/sequences/{ref}/resume","keyed":true},
  retryAction: {"method":"POST","path":"/v1/actions/{id}/retry","keyed":true},
  retryAutomation: {"method":"POST","path":"/v1/automations/{name}/retry","keyed":true},
  retryDeliveries: {"method":"POST","path":"/v1/triggers/{name}/retry","keyed":true},
  retryDelivery: {"method":"POST","path":"/v1/deliveries/{id}/retry","keyed":true},
  revokeToken: {"method":"DELETE","path":"/v1/tokens/{name}","keyed":true},
  rotateKey: {"method":"POST","path":"/v1/keys/rotate","keyed":true},
  runSchedule: {"method":"POST","path":"/v1/schedules/{name}/run","keyed":true},
  setRetention: {"method":"PUT","path":"/v1/retention","keyed":true},
  skipAction: {"method":"POST","path":"/v1/actions/{id}/skip","keyed":true},
  skipDelivery: {"method":"POST","path":"/v1/deliveries/{id}/skip","keyed":true},
  skipEnrolment: {"method":"POST","path":"/v1/enrolments/{id}/skip","keyed":true},
  skipStep: {"method":"POST","path":"/v1/sequences/{ref}/skip","keyed":true},
  startCampaign: {"method":"POST","path":"/v1/campaigns/{ref}/start","keyed":true},
  stopAll: {"method":"POST","path":"/v1/stop-all"},
  sweep: {"method":"POST","path":"/v1/sweep","keyed":true},
  takeCallHint: {"method":"POST","path":"/v1/hooks/platform/{token}"},
  tellEnrolment: {"method":"POST","path":"/v1/enrolments/{id}/event","keyed":true},
  tellSequence: {"method":"POST","path":"/v1/sequences/{ref}/event","keyed":true},
  testAutomation: {"method":"POST","path":"/v1/automations/{name}/test","keyed":true},
  testEventWebhook: {"method":"POST","path":"/v1/events/webhooks/{name}/test","keyed":true},
  testRoutes: {"method":"POST","path":"/v1/attention/test","keyed":true},
  testRules: {"method":"POST","path":"/v1/rules/test","keyed":true},
  tryTrigger: {"method":"POST","path":"/v1/triggers/{name}/try"},
  unarchiveCampaign: {"method":"POST","path":"/v1/campaigns/{ref}/unarchive","keyed":true},
  uploadContacts: {"method":"POST","path":"/v1/campaigns/{ref}/contacts","keyed":true,"list":true},
  validateContacts: {"method":"POST","path":"/v1/contacts/validate","list":true},
  withdrawConsent: {"method":"POST","path":"/v1/consents/withdraw","keyed":true},
  withdrawContacts: {"method":"POST","path":"/v1/campaigns/{ref}/withdrawals","keyed":true},
};
