import type { ProblemCode } from "../wire/problem.ts";

/*
 * What the description of the API (/openapi.json) calls each route and says of it, in one table. A route that is not in
 * it is not built, so that none is without a name. Names are for ever: generated clients call routes by them.
 *
 * What follows from the route itself is not said here: a caller's rights, keys, a thing of its address that is not
 * there, and bodies that are refused have their problems by rule (problem-rules.ts).
 */

/** What the API is about, in the order of the description. */
export const TAGS = {
  system: "The system as a whole: how it is, and stopping everything.",
  access: "Who may ask, and who did what.",
  campaigns: "Calling a list of people once.",
  money: "What calls cost, and what may be spent.",
  "follow-ups": "What is done after a call.",
  people: "What is known and was said of one person.",
  suppressions: "Who is not to be called, and when nobody is.",
  sequences: "Several calls to one person, over days.",
  attention: "What waits for people, and who is told of it.",
  triggers: "What other systems tell.",
  automations: "Workflows on the platform.",
  schedules: "Campaigns that come again by the clock.",
  declared: "Documents that say what there is to be.",
} as const;

export type Tag = keyof typeof TAGS;

export interface Operation {
  /** Camel case, a verb and what it is about. */
  id: string;
  tag: Tag;
  /** One sentence. */
  summary: string;
  /** What it may be refused with, beside what follows from the route. */
  problems: readonly ProblemCode[];
}

const does = (id: string, tag: Tag, summary: string, problems: readonly ProblemCode[] = []): Operation => ({
  id,
  tag,
  summary,
  problems,
});

/** Of routes that ask the platform before they answer. */
const OF_PLATFORM = ["platform_key_refused", "platform_failed", "platform_unreachable"] as const;
/** Of routes that read a campaign's spec and hold it against the platform. */
const OF_SPEC = ["invalid_spec", "caller_refused", ...OF_PLATFORM] as const;
/** Of lists that are taken row by row. */
const OF_LIST = ["invalid_list", "import_differs", "digest_mismatch", "command_refused"] as const;

export const OPERATIONS: Readonly<Record<string, Operation>> = {
  "GET /healthz": does("checkAlive", "system", "Says that the process is alive."),
  "GET /readyz": does("checkReady", "system", "Says whether the ledger and Temporal answer.", [
    "temporal_unavailable",
    "ledger_unavailable",
  ]),
  "GET /v1/system": does("readSystem", "system", "Shows how the system is, and what waits."),
  "GET /v1/installation": does("readInstallation", "system", "Shows which installation answers."),
  "GET /v1/doctor": does(
    "examine",
    "system",
    "Says what is missing or misconfigured in this installation, and how to mend it.",
  ),
  "POST /v1/sweep": does("sweep", "system", "Looks for what has no end, and settles it."),
  "POST /v1/recover": does(
    "recoverLedger",
    "system",
    "Brings a ledger that was restored level with the platform.",
    ["command_refused", ...OF_PLATFORM],
  ),
  "POST /v1/stop-all": does("stopAll", "system", "Stops all dialing at once."),
  "POST /v1/go-on": does("goOn", "system", "Lets dialing go on after everything was stopped."),
  "POST /v1/ledger/copies": does("copyLedger", "system", "Copies an embedded ledger, for a backup.", [
    "not_embedded",
    "request_under_way",
  ]),
  "GET /v1/keys/status": does("readKeyStatus", "system", "Shows which key of the platform is in use.", [
    ...OF_PLATFORM,
  ]),
  "POST /v1/keys/rotate": does(
    "rotateKey",
    "system",
    "Puts a new key of the platform in the old one's place.",
    ["rotation_refused", ...OF_PLATFORM],
  ),
  "GET /v1/keys/rotations": does("listKeyRotations", "system", "Lists rotations of the key, newest first."),

  "GET /v1/me": does("readMe", "access", "Shows who asks, and what they may."),
  "GET /v1/session/ways": does("listSignInWays", "access", "Says how people may sign in."),
  "POST /v1/session": does("beginSession", "access", "Signs a browser in, by a token or a code.", [
    "sign_in_code",
  ]),
  "GET /v1/session": does("readSession", "access", "Shows who is signed in, and until when."),
  "DELETE /v1/session": does("endSession", "access", "Signs out, everywhere."),
  "POST /v1/session/codes": does("createSignInCode", "access", "Makes a link's code, which signs in once.", [
    "command_refused",
  ]),
  "GET /v1/tokens": does("listTokens", "access", "Lists named tokens, without their secrets."),
  "POST /v1/tokens": does("createToken", "access", "Makes a token; its secret is shown once.", [
    "command_refused",
  ]),
  "DELETE /v1/tokens/:name": does("revokeToken", "access", "Takes a token back, for good.", [
    "unknown_token",
  ]),
  "GET /v1/events": does("listEvents", "system", "Lists what happened, in order, page by page for ever.", [
    "events_gone",
    "unknown_campaign",
  ]),
  "GET /v1/events/stream": does("followEvents", "system", "Tells what happens as it happens.", [
    "events_gone",
    "unknown_campaign",
    "too_many_streams",
  ]),
  "GET /v1/events/webhooks": does("listEventWebhooks", "system", "Lists who is sent what happens."),
  "GET /v1/events/webhooks/:name": does(
    "readEventWebhook",
    "system",
    "Shows a webhook of events, how it does, and what it lacks.",
    ["unknown_webhook"],
  ),
  "PUT /v1/events/webhooks": does(
    "putEventWebhook",
    "system",
    "Declares a webhook that is sent what happens, or changes it.",
    ["invalid_webhook", "command_refused"],
  ),
  "DELETE /v1/events/webhooks/:name": does(
    "removeEventWebhook",
    "system",
    "Takes a webhook of events back.",
    ["unknown_webhook"],
  ),
  "POST /v1/events/webhooks/:name/enable": does(
    "enableEventWebhook",
    "system",
    "Has a webhook that was disabled go on where it stopped.",
    ["unknown_webhook"],
  ),
  "POST /v1/events/webhooks/:name/test": does(
    "testEventWebhook",
    "system",
    "Sends a test to a webhook of events now.",
    ["unknown_webhook"],
  ),
  "GET /v1/audit": does("listAudit", "access", "Lists who did what, newest first."),

  "POST /v1/campaigns": does(
    "createCampaign",
    "campaigns",
    "Writes a campaign down; nobody is called before it is started.",
    [...OF_SPEC, "campaign_exists"],
  ),
  "GET /v1/campaigns": does("listCampaigns", "campaigns", "Lists campaigns, newest first."),
  "POST /v1/campaigns/:ref/clone": does(
    "cloneCampaign",
    "campaigns",
    "Makes another campaign of one that is there.",
    [...OF_SPEC, "campaign_exists", "command_refused"],
  ),
  "GET /v1/campaigns/:ref": does(
    "readCampaign",
    "campaigns",
    "Shows a campaign with its spec and its lists.",
  ),
  "GET /v1/campaigns/:ref/progress": does(
    "readProgress",
    "campaigns",
    "Shows how far a campaign is, and what holds it up.",
  ),
  "GET /v1/campaigns/:ref/report": does("readReport", "campaigns", "Shows what came of a campaign."),
  "GET /v1/campaigns/:ref/canary": does("readCanary", "campaigns", "Shows a campaign's first calls."),
  "GET /v1/campaigns/:ref/caller-ids": does(
    "listCallerIds",
    "campaigns",
    "Shows how the numbers that a campaign calls from do.",
  ),
  "GET /v1/campaigns/:ref/timeline": does(
    "readTimeline",
    "campaigns",
    "Shows a campaign's calls over time: how many began, were answered, and were up.",
  ),
  "GET /v1/campaigns/:ref/holds": does(
    "readHolds",
    "campaigns",
    "Shows what keeps people from being called now, by their time zones.",
  ),
  "GET /v1/campaigns/:ref/outlook": does(
    "readOutlook",
    "campaigns",
    "Shows what is to come of a campaign: when it ends, who falls due when, and how far people came.",
  ),
  "GET /v1/campaigns/:ref/contacts": does(
    "listContacts",
    "campaigns",
    "Lists the contacts of a campaign, in the order in which they came in.",
    // Viewers may not feel their way to a number by its beginnings.
    ["role_needed"],
  ),
  "GET /v1/campaigns/:ref/contacts/:phone": does(
    "readContact",
    "campaigns",
    "Shows a contact of a campaign with its calls, and what keeps it from being called.",
    ["unknown_contact"],
  ),
  "GET /v1/campaigns/:ref/attempts": does(
    "listAttempts",
    "campaigns",
    "Lists every intended call of a campaign, made or not, the newest batches first.",
  ),
  "GET /v1/campaigns/:ref/calls": does(
    "listCalls",
    "campaigns",
    "Lists the calls of a campaign that are up or over, the newest batches first.",
  ),
  "GET /v1/campaigns/:ref/batches": does(
    "listBatches",
    "campaigns",
    "Lists the batches of a campaign, newest first.",
  ),
  "GET /v1/campaigns/:ref/batches/:id": does(
    "readBatch",
    "campaigns",
    "Shows a batch, and what became of each of its people.",
    ["unknown_batch"],
  ),
  "GET /v1/calls/:id": does("readCall", "campaigns", "Shows a call, with what the platform has of it."),
  "GET /v1/contacts": does(
    "findContacts",
    "people",
    "Lists the contacts with a number in all campaigns, newest first.",
  ),
  "POST /v1/contacts/validate": does(
    "validateContacts",
    "campaigns",
    "Says what an import of a list would say; nothing is written.",
    ["invalid_list", "invalid_spec", "digest_mismatch", "unknown_campaign", "busy"],
  ),
  "POST /v1/rehearsals": does(
    "rehearseCampaign",
    "campaigns",
    "Says what a campaign would do with a list; nothing is written.",
    ["invalid_list", "invalid_spec", "unknown_campaign", "busy"],
  ),
  "GET /v1/campaigns/:ref/contacts/:phone/explanation": does(
    "explainContact",
    "campaigns",
    "Says why one number was or was not dialed.",
    ["unknown_contact"],
  ),
  "GET /v1/campaigns/:ref/results.csv": does(
    "downloadResults",
    "campaigns",
    "Hands out a line for each contact.",
  ),
  "GET /v1/campaigns/:ref/rejects.csv": does(
    "downloadRejects",
    "campaigns",
    "Hands out the rows of a campaign's lists that made no contact.",
  ),
  "POST /v1/campaigns/:ref/contacts": does("uploadContacts", "campaigns", "Adds a list of people.", [
    ...OF_LIST,
  ]),
  "POST /v1/campaigns/:ref/start": does("startCampaign", "campaigns", "Lets a campaign call.", [
    "command_refused",
  ]),
  "POST /v1/campaigns/:ref/pause": does(
    "pauseCampaign",
    "campaigns",
    "Pauses a campaign; answers when no new call can begin.",
    ["command_refused"],
  ),
  "POST /v1/campaigns/:ref/cancel": does(
    "cancelCampaign",
    "campaigns",
    "Ends a campaign for good; answers when no new call can begin.",
    ["command_refused"],
  ),
  "POST /v1/campaigns/:ref/resume": does("resumeCampaign", "campaigns", "Lets a paused campaign go on.", [
    "command_refused",
  ]),
  "POST /v1/campaigns/:ref/approve": does(
    "approveCampaign",
    "campaigns",
    "Approves of a campaign's first calls.",
    ["command_refused"],
  ),
  "POST /v1/campaigns/:ref/amend": does(
    "amendCampaign",
    "campaigns",
    "Changes a campaign's pace and policy.",
    ["invalid_spec", "command_refused"],
  ),
  "POST /v1/campaigns/:ref/amend/preview": does(
    "previewAmendment",
    "campaigns",
    "Says what an amendment would do.",
    ["invalid_spec", "command_refused"],
  ),
  "POST /v1/campaigns/:ref/withdrawals": does(
    "withdrawContacts",
    "campaigns",
    "Takes people out of a campaign.",
    ["command_refused"],
  ),
  "POST /v1/campaigns/:ref/archive": does(
    "archiveCampaign",
    "campaigns",
    "Takes a campaign that is over off the list.",
    ["command_refused"],
  ),
  "POST /v1/campaigns/:ref/unarchive": does(
    "unarchiveCampaign",
    "campaigns",
    "Puts a campaign back on the list.",
    ["command_refused"],
  ),
  "POST /v1/rules/test": does("testRules", "campaigns", "Says what rules would make of calls.", [
    "invalid_spec",
    "unknown_campaign",
  ]),

  "GET /v1/campaigns/:ref/estimate": does(
    "estimateCampaign",
    "money",
    "Says what a campaign's calls are likely to cost.",
    [...OF_PLATFORM],
  ),
  "GET /v1/past-calls": does("readPastCalls", "money", "Shows how calls of an agent went before."),
  "PUT /v1/budgets": does("putBudget", "money", "Says what a brand, or all of them together, may spend."),
  "GET /v1/budgets": does("listBudgets", "money", "Lists budgets, with what is spent and held."),
  "POST /v1/budgets/check": does("checkBalance", "money", "Reads what the platform's account has, now.", [
    ...OF_PLATFORM,
  ]),
  "DELETE /v1/budgets": does("removeBudget", "money", "Takes a budget back.", ["unknown_budget"]),

  "GET /v1/follow-ups": does("listFollowUps", "follow-ups", "Lists what follows calls, newest first.", [
    "unknown_campaign",
  ]),
  "GET /v1/follow-ups/:id": does(
    "readFollowUp",
    "follow-ups",
    "Shows what follows one call, with its actions.",
  ),
  "GET /v1/actions/:id": does("readAction", "follow-ups", "Shows one action."),
  "POST /v1/actions/:id/retry": does("retryAction", "follow-ups", "Tries an action that failed once more.", [
    "command_refused",
  ]),
  "POST /v1/actions/:id/skip": does("skipAction", "follow-ups", "Goes on without an action.", [
    "command_refused",
  ]),
  "POST /v1/actions/:id/replay": does(
    "replayAction",
    "follow-ups",
    "Does an action that was done once more.",
    ["command_refused"],
  ),

  "GET /v1/tags": does("listTags", "people", "Lists what people are marked with."),
  "DELETE /v1/tags": does("removeTag", "people", "Takes a mark off a person.", ["unknown_tag"]),
  "GET /v1/people/:phone/export": does(
    "exportPerson",
    "people",
    "Hands out everything that is known of a person.",
  ),
  "POST /v1/people/:phone/forget": does(
    "forgetPerson",
    "people",
    "Forgets a person: nobody calls the number from the answer on.",
    ["command_refused"],
  ),
  "GET /v1/forgettings": does("listForgettings", "people", "Lists who asked to be forgotten, newest first."),
  "GET /v1/forgettings/:id": does(
    "readForgetting",
    "people",
    "Shows how far a forgetting is, and its certificate.",
    ["not_found"],
  ),
  "GET /v1/data-keys": does(
    "listDataKeys",
    "people",
    "Lists the keys of sensitive values by their ids, and how much each seals.",
  ),
  "GET /v1/retention": does("readRetention", "people", "Shows how long what is held of people is kept."),
  "PUT /v1/retention": does("setRetention", "people", "Says how long what is held of people is kept."),
  "GET /v1/people/called": does("listOftenCalled", "people", "Lists who was called more than once of late."),
  "GET /v1/people/:phone/story": does(
    "readStory",
    "people",
    "Shows all that is known of a number, page by page.",
    ["unknown_number"],
  ),
  "POST /v1/consents": does("addConsents", "people", "Keeps what was said of consent to be called."),
  "GET /v1/consents": does("listConsents", "people", "Shows what was said of a number's consent."),
  "POST /v1/consents/withdraw": does("withdrawConsent", "people", "Notes that somebody takes consent back."),

  "POST /v1/suppressions": does("addSuppressions", "suppressions", "Keeps numbers from being called."),
  "DELETE /v1/suppressions": does(
    "removeSuppression",
    "suppressions",
    "Takes back that a number is not called.",
    ["not_suppressed", "on_a_list", "several_words"],
  ),
  "GET /v1/suppressions": does("listSuppressions", "suppressions", "Lists numbers that are not called."),
  "POST /v1/suppressions/import": does(
    "importSuppressions",
    "suppressions",
    "Keeps the numbers of a list from being called.",
    ["invalid_list", "digest_mismatch"],
  ),
  "GET /v1/suppressions/sources": does(
    "listSources",
    "suppressions",
    "Lists the sources whose lists are replaced as a whole.",
  ),
  "GET /v1/suppressions/sources/:name": does(
    "readSource",
    "suppressions",
    "Shows a source, and what each list changed.",
  ),
  "PUT /v1/suppressions/sources/:name": does("putSource", "suppressions", "Declares a source.", [
    "command_refused",
  ]),
  "DELETE /v1/suppressions/sources/:name": does(
    "removeSource",
    "suppressions",
    "Takes a source and its list back.",
    ["unknown_source", "command_refused"],
  ),
  "POST /v1/suppressions/sources/:name/list": does(
    "replaceSourceList",
    "suppressions",
    "Puts a source's newest list in the old one's place.",
    ["invalid_list", "digest_mismatch", "list_shrinks", "command_refused"],
  ),
  "POST /v1/suppressions/sources/:name/check": does(
    "checkSource",
    "suppressions",
    "Asks a scrubbing service of some numbers.",
    ["command_refused"],
  ),
  "POST /v1/blackouts": does(
    "addBlackout",
    "suppressions",
    "Keeps everybody from being called on some days.",
    ["blackout_over", "command_refused"],
  ),
  "GET /v1/blackouts": does("listBlackouts", "suppressions", "Lists days on which nobody is called."),
  "DELETE /v1/blackouts/:id": does("removeBlackout", "suppressions", "Takes days off back."),
  "GET /v1/presets": does("listPresets", "suppressions", "Lists rules of law that campaigns may follow."),
  "GET /v1/presets/:name": does("readPreset", "suppressions", "Shows one set of rules with its sources.", [
    "unknown_preset",
  ]),

  "PUT /v1/sequences": does("putSequence", "sequences", "Declares a sequence, or its next version.", [
    ...OF_SPEC,
    "command_refused",
  ]),
  "POST /v1/sequences/rehearse": does(
    "rehearseSequence",
    "sequences",
    "Walks one person through a sequence in every way; nothing is written.",
    ["invalid_spec", "unknown_sequence", "busy"],
  ),
  "GET /v1/sequences": does("listSequences", "sequences", "Lists sequences by their names."),
  "GET /v1/sequences/:ref": does(
    "readSequence",
    "sequences",
    "Shows a sequence with its definition and versions.",
  ),
  "GET /v1/sequences/:ref/diagram": does(
    "drawSequence",
    "sequences",
    "Draws a sequence as a Mermaid diagram.",
  ),
  "GET /v1/sequences/:ref/rejects.csv": does(
    "downloadSequenceRejects",
    "sequences",
    "Hands out the rows of a sequence's lists that enrolled nobody.",
  ),
  "POST /v1/sequences/:ref/pause": does("pauseSequence", "sequences", "Pauses everybody in a sequence.", [
    "command_refused",
  ]),
  "POST /v1/sequences/:ref/resume": does("resumeSequence", "sequences", "Lets a paused sequence go on.", [
    "command_refused",
  ]),
  "POST /v1/sequences/:ref/close": does("closeSequence", "sequences", "Lets nobody else into a sequence.", [
    "command_refused",
  ]),
  "POST /v1/sequences/:ref/exit": does("exitSequence", "sequences", "Takes everybody out of a sequence.", [
    "command_refused",
  ]),
  "POST /v1/sequences/:ref/skip": does(
    "skipStep",
    "sequences",
    "Moves everybody past the step that they are at.",
    ["command_refused"],
  ),
  "POST /v1/sequences/:ref/event": does(
    "tellSequence",
    "sequences",
    "Tells of something that a person did.",
    ["idempotency_key_reused", "command_refused"],
  ),
  "POST /v1/sequences/:ref/enrolments": does("enroll", "sequences", "Enrolls one person.", [
    "enrolment_refused",
    "idempotency_key_reused",
  ]),
  "GET /v1/sequences/:ref/enrolments": does(
    "listEnrolments",
    "sequences",
    "Lists who is or was in a sequence, newest first.",
  ),
  "POST /v1/sequences/:ref/enrolments/list": does(
    "enrollList",
    "sequences",
    "Enrolls the people of a list.",
    [...OF_LIST],
  ),
  "GET /v1/enrolments/:id": does("readEnrolment", "sequences", "Shows one person's way through a sequence."),
  "POST /v1/enrolments/:id/pause": does("pauseEnrolment", "sequences", "Pauses one person.", [
    "command_refused",
    "idempotency_key_reused",
  ]),
  "POST /v1/enrolments/:id/resume": does("resumeEnrolment", "sequences", "Lets one person go on.", [
    "command_refused",
    "idempotency_key_reused",
  ]),
  "POST /v1/enrolments/:id/skip": does("skipEnrolment", "sequences", "Moves one person past a step.", [
    "command_refused",
    "idempotency_key_reused",
  ]),
  "POST /v1/enrolments/:id/exit": does("exitEnrolment", "sequences", "Takes one person out.", [
    "command_refused",
    "idempotency_key_reused",
  ]),
  "POST /v1/enrolments/:id/event": does("tellEnrolment", "sequences", "Tells one enrolment of something.", [
    "command_refused",
    "idempotency_key_reused",
  ]),

  "GET /v1/attention": does("listAttention", "attention", "Lists what waits for people, each thing once."),
  "POST /v1/attention/:id/resolve": does("resolveAttention", "attention", "Takes an entry off the list."),
  "POST /v1/attention/:id/acknowledge": does(
    "acknowledgeAttention",
    "attention",
    "Says who looks after an entry.",
  ),
  "GET /v1/attention/routes": does("listRoutes", "attention", "Lists who is told of what waits for people."),
  "GET /v1/attention/routes/:name": does(
    "readRoute",
    "attention",
    "Shows one route, with what it told of late.",
    ["unknown_route"],
  ),
  "PUT /v1/attention/routes": does("putRoute", "attention", "Declares an attention route, or changes it.", [
    "invalid_route",
    "command_refused",
  ]),
  "DELETE /v1/attention/routes/:name": does("removeRoute", "attention", "Takes a route back.", [
    "unknown_route",
  ]),
  "POST /v1/attention/test": does("testRoutes", "attention", "Sends a test through each route.", [
    "unknown_route",
  ]),

  "PUT /v1/triggers": does("putTrigger", "triggers", "Declares a trigger, or its next version.", [
    "invalid_trigger",
    "command_refused",
  ]),
  "GET /v1/triggers": does("listTriggers", "triggers", "Lists triggers by their names."),
  "GET /v1/triggers/:name": does("readTrigger", "triggers", "Shows one trigger.", ["unknown_trigger"]),
  "POST /v1/triggers/:name/try": does(
    "tryTrigger",
    "triggers",
    "Says what a trigger would make of a body; nothing is done.",
    ["unknown_trigger", "invalid_trigger"],
  ),
  "POST /v1/triggers/:name": does("deliver", "triggers", "Takes what another system tells.", [
    "invalid_request",
    "unauthorized",
    "trigger_disabled",
    "idempotency_key_reused",
    "too_large",
    "unsupported_media_type",
    "busy",
    "ledger_full",
    "ledger_unavailable",
  ]),
  "POST /v1/triggers/:name/enable": does("enableTrigger", "triggers", "Lets a trigger take deliveries.", [
    "unknown_trigger",
  ]),
  "POST /v1/triggers/:name/disable": does("disableTrigger", "triggers", "Keeps a trigger from taking any.", [
    "unknown_trigger",
  ]),
  "GET /v1/triggers/:name/deliveries": does(
    "listDeliveries",
    "triggers",
    "Lists what came through a trigger, newest first.",
    ["unknown_trigger"],
  ),
  "GET /v1/deliveries/:id": does("readDelivery", "triggers", "Shows one delivery as it came.", [
    "unknown_delivery",
  ]),
  "POST /v1/deliveries/:id/retry": does(
    "retryDelivery",
    "triggers",
    "Does once more what a delivery asks for.",
    ["unknown_delivery", "command_refused"],
  ),
  "POST /v1/triggers/:name/retry": does(
    "retryDeliveries",
    "triggers",
    "Retries all deliveries that failed.",
    ["unknown_trigger"],
  ),
  "POST /v1/hooks/platform/:token": does(
    "takeCallHint",
    "triggers",
    "Takes what the platform tells of calls.",
    ["not_found", "too_large", "busy", "ledger_full", "ledger_unavailable"],
  ),

  "PUT /v1/automations": does("putAutomation", "automations", "Declares an automation.", [
    "invalid_spec",
    "command_refused",
    ...OF_PLATFORM,
  ]),
  "GET /v1/automations": does("listAutomations", "automations", "Lists automations by their names."),
  "POST /v1/automations/import": does(
    "importAutomation",
    "automations",
    "Declares a workflow that was exported.",
    ["invalid_spec", "command_refused", ...OF_PLATFORM],
  ),
  "GET /v1/automations/:name": does(
    "readAutomation",
    "automations",
    "Shows an automation with its versions.",
    ["unknown_automation", ...OF_PLATFORM],
  ),
  "DELETE /v1/automations/:name": does("removeAutomation", "automations", "Takes an automation back.", [
    "unknown_automation",
    "command_refused",
  ]),
  "GET /v1/automations/:name/export": does(
    "exportAutomation",
    "automations",
    "Hands an automation out as a document.",
    ["unknown_automation", "command_refused", ...OF_PLATFORM],
  ),
  "POST /v1/automations/:name/test": does(
    "testAutomation",
    "automations",
    "Tests an automation on the platform.",
    ["unknown_automation", "command_refused"],
  ),
  "POST /v1/automations/:name/deploy": does("deployAutomation", "automations", "Deploys an automation.", [
    "unknown_automation",
    "command_refused",
  ]),
  "POST /v1/automations/:name/restore": does(
    "restoreAutomation",
    "automations",
    "Puts an older version back.",
    ["unknown_automation", "command_refused"],
  ),
  "POST /v1/automations/:name/retry": does(
    "retryAutomation",
    "automations",
    "Tries a change that failed once more.",
    ["unknown_automation", "command_refused"],
  ),
  "GET /v1/automations/:name/executions": does(
    "listExecutions",
    "automations",
    "Lists what an automation ran, newest first.",
    ["unknown_automation"],
  ),
  "GET /v1/automations/health": does("readAutomationHealth", "automations", "Shows how automations do."),
  "POST /v1/automations/executions/:id/rerun": does(
    "rerunExecution",
    "automations",
    "Runs a failed execution again.",
    ["unknown_execution", "command_refused"],
  ),

  "PUT /v1/schedules": does("putSchedule", "schedules", "Declares a schedule, or changes it.", [
    "invalid_spec",
    "command_refused",
  ]),
  "GET /v1/schedules": does("listSchedules", "schedules", "Lists schedules by their names."),
  "GET /v1/schedules/:name": does("readSchedule", "schedules", "Shows a schedule.", ["unknown_schedule"]),
  "DELETE /v1/schedules/:name": does("removeSchedule", "schedules", "Takes a schedule back.", [
    "unknown_schedule",
    "command_refused",
  ]),
  "GET /v1/schedules/:name/next": does(
    "readNextRuns",
    "schedules",
    "Says when a schedule's next runs are due.",
    ["unknown_schedule"],
  ),
  "POST /v1/schedules/:name/pause": does("pauseSchedule", "schedules", "Pauses a schedule.", [
    "unknown_schedule",
    "command_refused",
  ]),
  "POST /v1/schedules/:name/resume": does("resumeSchedule", "schedules", "Lets a paused schedule go on.", [
    "unknown_schedule",
    "command_refused",
  ]),
  "POST /v1/schedules/:name/repair": does(
    "repairSchedule",
    "schedules",
    "Puts a schedule back where its clock runs.",
    ["unknown_schedule", "command_refused"],
  ),
  "GET /v1/schedules/:name/runs": does("listRuns", "schedules", "Lists a schedule's runs, newest first.", [
    "unknown_schedule",
  ]),
  "POST /v1/schedules/:name/run": does("runSchedule", "schedules", "Makes a run now.", [
    "unknown_schedule",
    "command_refused",
  ]),
  "POST /v1/schedules/:name/backfill": does(
    "backfillSchedule",
    "schedules",
    "Makes runs of the past that did not happen.",
    ["unknown_schedule", "command_refused"],
  ),

  "POST /v1/declared/diff": does("compareDeclared", "declared", "Says what documents would change.", [
    "invalid_spec",
    "command_refused",
  ]),
  "POST /v1/declared/apply": does("applyDeclared", "declared", "Brings about what a document says.", [
    ...OF_SPEC,
    "command_refused",
    "campaign_exists",
  ]),
  "GET /v1/declared": does("listDeclared", "declared", "Lists what was declared."),
  "GET /v1/declared/documents": does("listDocuments", "declared", "Hands out what is there as documents."),
  "POST /v1/declared/prune": does("pruneDeclared", "declared", "Takes back what is declared no more.", [
    "not_found",
    "command_refused",
  ]),
};

/** @throws Error where it has none: the program does not start like that. */
export function operationOf(method: string, url: string): Operation {
  const operation = OPERATIONS[`${method} ${url}`];
  if (operation) return operation;
  throw new Error(
    `nobody says what ${method} ${url} is called: give it its line in src/http/description/operations.ts`,
  );
}
