/**
 * What a person has to look at. The subject of each is in brackets: the same thing of the same subject is one
 * entry, however often it happens.
 */
export const ATTENTION_KINDS = [
  /** An action after a call, or of a step, failed for good [action]. */
  "action_failed",
  /** An action may have been done, and doing it again is not safe [action]. */
  "action_unknown",
  /** A condition or a label of a follow-up rule had no value for some calls [campaign and rule]. */
  "rule_problem",
  /** A goal or an exit condition of a sequence had no value for somebody [sequence and condition]. */
  "sequence_problem",
  /** What came through a trigger could not be acted on [trigger, by its name]. */
  "delivery_failed",
  /** Under the key of a delivery another body came, which asks for something else [delivery]. */
  "delivery_differs",
  /** A call of a sequence may have reached somebody, and nobody can tell [enrolment]. */
  "call_unknown",
  /** A way through a sequence can't go on by itself [enrolment]. */
  "enrolment_stuck",
  /** Something that is open does not go on although its time has come, however often it is told [kind and id]. */
  "overdue",
  /** Something that was accepted could not be handed on for a long time [outbox kind and subject]. */
  "outbox_stuck",
  /** A run of a schedule failed [schedule, by its name]. */
  "schedule_run_failed",
  /** Runs of a schedule did not happen [schedule, by its name]. */
  "schedule_run_missed",
  /** Nobody on the list of a run of a schedule can ever be called [schedule, by its name]. */
  "schedule_list_undialable",
  /** A run of a schedule takes longer than it should [run]. */
  "schedule_run_long",
  /** A schedule is not kept as it is declared [schedule, by its name]. */
  "schedule_drift",
  /** An automation could not be brought to what is declared [automation, by its name]. */
  "automation_failed",
  /** An automation was changed on the platform [automation, by its name]. */
  "automation_drift",
  /** Executions of an automation failed or timed out [automation, by its name]. */
  "automation_execution_failed",
  /** Executions of an automation take longer than they should [automation, by its name]. */
  "automation_execution_long",
  /** Too few executions of an automation succeed [automation, by its name]. */
  "automation_success_rate",
  /** What an automation runs can't be seen [automation, by its name]. */
  "automation_unseen",
  /** An execution that was run again failed, or nobody can tell [execution]. */
  "automation_rerun_failed",
  /** The platform's key stops working soon [key, by the platform's id]. */
  "key_expiring",
  /** A rotation of the platform's key needs somebody [rotation]. */
  "key_rotation",
  /** The rules of time zones that a process goes by are older than half a year [their version]. */
  "zone_data_old",
  /** The list of a source of suppressions is to be renewed, or is too old to dial by [source, by its name]. */
  "suppression_list_old",
  /** A scrubbing service does not answer, or not as it should, so that numbers are not dialed, or without it [source, by its name]. */
  "scrubber_failing",
  /** Something that goes on by itself fails again and again [what, its id, and which step of it]. */
  "step_failing",
  /** A campaign does not come to dial on the platform, or was paused for that until somebody has looked [campaign]. */
  "campaign_stalled",
  /** A campaign paused itself, because too many of its newest calls came to what nobody wants [campaign]. */
  "breaker_open",
  /** A campaign waits for money: a budget is used up, or the platform's account has no credit [campaign]. */
  "out_of_money",
  /** The platform's account has less left than people want to know of [`balance`]. */
  "credit_low",
  /** Hardly anybody answers calls from a number of ours any more, so that it rests [number]. */
  "caller_id_resting",
  /** A campaign's first calls are made, and somebody has to approve of them [campaign]. */
  "canary_waiting",
  /** Another version of an agent was published while a campaign calls with it [campaign]. */
  "agent_changed",
  /** An agent of a campaign is not published any more, so that it dials nobody [campaign]. */
  "agent_unpublished",
  /** The platform refused to make calls: nobody was called by them [campaign]. */
  "calls_refused",
  /** Sensitive values of some people of a campaign do not open, while those of others do: they were excluded [campaign]. */
  "values_unreadable",
  /** The platform does not do for a batch what it is asked for [batch]. */
  "batch_stuck",
  /** The sweeper found something without an end that it can't settle [kind and id]. */
  "no_end",
  /** What waits for people could not be told by a route [route, by its name]. */
  "notices_failing",
  /** A webhook does not take the events that it is sent, or is disabled for that [webhook, by its name]. */
  "events_failing",
] as const;

export type AttentionKind = (typeof ATTENTION_KINDS)[number];
