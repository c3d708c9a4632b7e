/*
 * What the description says of parameters. One that is called the same means the same in every route; where a route
 * means something of its own by it, its operation stands before the name.
 */

export const PARAMETERS: Readonly<Record<string, string>> = {
  // In addresses.
  ref: "An id, or a name; a name means the newest run.",
  name: "Its name.",
  id: "Its id.",
  phone: "A phone number with `+`, or in any form where the country is known.",
  call_id: "The platform's id of a call.",
  token: "What was made up for the platform when its webhook was set.",

  // Of every list.
  after: "What the page before gave as `next_after`; absent, the first page.",
  limit: "How many at most.",

  // What is asked for.
  brand: "Only of this brand; with a name in the address, whose it is, `default` where nothing is said.",
  campaign: "Only of this campaign, by its id or its name.",
  "listAudit.campaign": "Only of this campaign, by its id.",
  types: "Only events of these types, separated by commas; docs/events.md has them all.",
  "retryDeliveries.after": "What the request before gave as `next_after`; absent, from the oldest.",
  "listEvents.after": "What the page before gave as `next_after`; absent, the oldest that are kept.",
  "followEvents.after": "Begin behind this place; the header `Last-Event-ID` goes before it; absent, now.",
  "last-event-id": "Begin behind this event.",
  since: "From this moment on, ISO 8601 with offset.",
  until: "Before this moment, ISO 8601 with offset.",
  state: "Only those in this state.",
  failed: "Only what failed.",
  kind: "Only of this kind.",
  "listSessions.name": "Only of whoever is called so.",
  subject: "Only what is about this.",
  resolved: "Those that were dealt with, instead of those that wait.",
  revoked: "Those that were taken back, too.",
  actor: "Only what this one did.",
  action: "Only what was done of this kind.",
  open: "Only those that are not over.",
  counted: "Whether who is in each is counted, which takes a pass over everybody who ever was.",
  standing: "Also those that sequences and callbacks place their calls into.",
  archived: "Only those that are archived; by default only others.",
  agent_id: "The agent's id on the platform.",
  tag: "Only this tag.",
  step: "Only who is at this step.",
  outcome: "Only whose way ended so.",
  version: "Which of its versions.",
  count: "How many of them.",
  platform: "Whether it goes from the platform, too.",

  // Of lists that are uploaded.
  source_name: "The file's name, for reports and to tell its format where nothing else does.",
  map: "JSON: `phone`, `time_zone` and `region` name the columns with these roles; another key renames a column.",
  default_region: "The country of numbers without `+`, two letters.",
  format: "What the list is, where its content type does not say.",
  digest: "The list's SHA-256, 64 hexadecimal digits: what makes it the same list again.",
  key_column: "The column that tells several enrolments of one person apart.",
  as_of: "Of which moment the list is; absent, of now.",
  allow_shrink: "Take it though it lacks much of the list before.",
  allow_older: "Take it though it is older than the list before.",
  reason: "Why, which is kept for good.",
};
