/** Which operations' answers are old once something of a family happened. */
export const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  campaign: ["listCampaigns", "ofCampaign", "readSystem"],
  call: ["listCampaigns", "ofCampaign", "readCall", "readStory", "findContacts"],
  contact: ["listCampaigns", "ofCampaign", "readStory", "findContacts"],
  follow_up: ["listFollowUps", "readFollowUp", "readAction", "ofCampaign"],
  enrolment: ["listSequences", "readSequence", "listEnrolments", "readEnrolment", "readStory"],
  schedule_run: ["listSchedules", "readSchedule", "listRuns"],
  delivery: ["listDeliveries", "listTriggers", "readTrigger"],
  attention: ["listAttention", "readSystem"],
  suppression: ["listSuppressions", "listSources", "readStory"],
  consent: ["listConsents", "readStory"],
  budget: ["listBudgets"],
  credit: ["readSystem", "listBudgets"],
  dialing: ["readSystem", "listCampaigns"],
  recovery: ["readSystem"],
  retention: ["findContacts"],
};

/**
 * Of these, what an event names is old, and nothing else: a story is written into the audit of whoever reads it, and a
 * call is asked of the platform. What names nobody, or a number that viewers are not shown, the clock brings.
 */
export const OF_ONE: Readonly<Record<string, { parameter: string; field: string }>> = {
  readStory: { parameter: "phone", field: "phone" },
  readCall: { parameter: "id", field: "call_id" },
};

/** What is told under these names; a newer server may tell more, which the clock brings. */
export const TYPES: readonly string[] = `
campaign.created campaign.started campaign.paused campaign.resumed campaign.ending campaign.completed
campaign.cancelled campaign.amended campaign.people_withdrawn call.ended contact.finished follow_up.done
follow_up.failed enrolment.started enrolment.finished schedule_run.finished delivery.ended attention.opened
attention.resolved suppression.added suppression.removed consent.withdrawn budget.set budget.removed
credit.exhausted credit.restored dialing.stopped dialing.resumed recovery.required recovery.released retention.applied
`
  .trim()
  .split(/\s+/);
