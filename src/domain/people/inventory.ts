/*
 * Where the ledger holds something of a person, and what becomes of it. Every table of the schema is in it: a test holds
 * it against the migrations, and docs/data.md is written from it, so that nobody adds a table without having said.
 */

export interface Holding {
  /** What of a person stands in it. */
  holds: string;
  /** Whether the export of a person shows its rows, and as far as it does. */
  exported: "rows" | "with another" | "no";
  /** What forgetting a person does to it. */
  forgotten: string;
}

const own = (holds: string, forgotten: string): Holding => ({ holds, exported: "rows", forgotten });
const inside = (holds: string, forgotten: string): Holding => ({
  holds,
  exported: "with another",
  forgotten,
});
const kept = (holds: string, forgotten: string): Holding => ({ holds, exported: "no", forgotten });

/** Tables that hold something of single people, by name. */
export const HOLDINGS = {
  contacts: own(
    "number, country, variables, sensitive ones encrypted, line of the list",
    "number replaced by a name of the row's own, variables and line removed; the row stays, with its outcome, for the tallies of its campaign",
  ),
  attempts: own(
    "number, what the platform said, answers of the analysis, ids of call and item",
    "number replaced as in its contact, texts and answers removed; the row stays, with moments, outcome, cost and the platform's ids: it is what proves that nobody was called twice",
  ),
  batches: inside(
    "numbers, in what its reads proved",
    "the number taken out of what the reads of a settled batch say",
  ),
  refusals: own("why somebody was not called, in words", "words removed; how often and when stays"),
  withdrawals: own("number, who took it out of a campaign, and why", "removed"),
  import_rejects: own(
    "rows of lists that made no contact, as they came",
    "row and digits removed; its line and code stay",
  ),
  enrolments: own(
    "number, country, variables, sensitive ones encrypted, keys of requests",
    "number replaced by a name of the row's own, variables and keys removed; the row stays, with its outcome",
  ),
  enrolment_inbox: own("events and commands, with their data", "removed"),
  journeys: own("what happened on the way, with facts", "facts removed; what happened when stays"),
  follow_ups: own(
    "number, labels from the analysis",
    "number replaced as in its contact, labels removed; which rules selected the call stays",
  ),
  actions: own(
    "what was sent to other systems and what they answered, names of recordings",
    "request, answer and data removed; kind, moment, outcome and the host that it was sent to stay",
  ),
  tags: own("number and words that rules gave", "removed"),
  trigger_items: own(
    "number, what was done for it",
    "number and result removed; the key stays, so that the same item is not done again",
  ),
  deliveries: inside(
    "bodies as other systems sent them, for seven days; of those that wait for a person, for 90",
    "the body of one that was worked off and names the number is removed; in one that waits for a person the number is",
  ),
  delivery_people: kept("48 bits of a digest of the number, until the delivery is worked off", "waited for"),
  inbound_calls: own("number, when it called which number of ours", "number removed; the call's id stays"),
  suppressions: own(
    "number, whose word it is, reasons",
    "those in force stay, as the number or as its digest, as was asked; those that are over are removed",
  ),
  listed_numbers: own(
    "number on lists that others keep",
    "what is over is removed; the lists in force stay: each renewal would bring it again",
  ),
  scrub_answers: own("number, what services said of it", "removed"),
  consents: own(
    "number, what was consented to, where the proof is",
    "stay, with a digest instead of the number: whoever called has to be able to show them",
  ),
  unbooked_dials: own("number that a recovery found dialed", "removed"),
  attention: own("what waits for people, in words", "the number taken out of the words"),
  notices: inside("the same, as it was sent", "the number taken out of the words"),
  request_keys: inside("answers of the API, for seven days", "answers that name the number are removed"),
  events: inside(
    "number, of what is told of somebody beside calls, for 30 days",
    "the number taken out; of calls and contacts it is read from their rows",
  ),
  audit: own(
    "who did what; of a person a digest, never the number",
    "stays: nothing is taken out of it but whole entries, by their age alone. Texts that people wrote as reasons stay as they are",
  ),
  forgettings: own(
    "the request to be forgotten, its certificate",
    "stays as the certificate, with a digest instead of the number, and its last two digits",
  ),
  automation_executions: inside(
    "what the platform said of a run that failed",
    "the error of a run that was begun for the person is removed",
  ),
} as const satisfies Readonly<Record<string, Holding>>;

/** Tables that hold nothing of single people, each with what it is instead. */
export const IMPERSONAL = {
  installation: "this ledger itself",
  ledger_schema: "which builds bear the schema",
  brands: "names of brands",
  zone_sets: "sets of time zones",
  campaigns: "specs, states and tallies",
  policy_versions: "specs",
  agents: "agents of the platform",
  campaign_agents: "agents of the platform",
  lanes: "sets of time zones and priorities",
  sequences: "names and states",
  sequence_versions: "definitions",
  imports: "lists by name and digest, and how many rows they had",
  clones: "which campaign took people of which, and how many",
  spending: "sums",
  budgets: "sums",
  agent_prices: "prices",
  charges: "ids of calls and what they cost",
  caller_ids: "numbers of ours",
  suppression_sources: "names and terms of lists",
  suppression_loads: "lists by name and digest",
  blackouts: "dates",
  holds: "why campaigns waited",
  declarations: "documents that were declared",
  automations: "definitions",
  schedules: "definitions",
  schedule_runs: "runs and their counts",
  key_rotations: "ids of keys",
  triggers: "definitions",
  call_hints: "ids of calls",
  watermarks: "moments",
  sweeps: "counts",
  given_commands: "ids of commands",
  platform_refusal: "moments",
  leases: "names of processes",
  passes: "moments",
  senders: "names of processes",
  outbox: "ids of what is to be handed on",
  attention_routes: "definitions",
  attention_told: "ids of entries",
  event_webhooks: "definitions",
  api_tokens: "names and digests of tokens",
  sessions: "names of users who are signed in, and digests",
  sign_in_codes: "names of users, and digests",
  retention: "durations, by kind",
  retention_progress: "counts, by kind",
  unremoved_calls: "ids of calls that the platform keeps",
  removals_left: "ids of calls, and names of recordings, that are still to be removed",
} as const satisfies Readonly<Record<string, string>>;
