import { of, OF_LIST, OF_PLATFORM, OF_SPEC } from "./operation.ts";

const does = of("campaigns");

export const CAMPAIGNS = {
  "POST /v1/campaigns": does(
    "createCampaign",
    "Writes a campaign down; nobody is called before it is started.",
    [...OF_SPEC, "campaign_exists"],
  ),
  "GET /v1/campaigns": does("listCampaigns", "Lists campaigns, newest first."),
  "POST /v1/campaigns/:ref/clone": does("cloneCampaign", "Makes another campaign of one that is there.", [
    ...OF_SPEC,
    "campaign_exists",
    "command_refused",
  ]),
  "GET /v1/campaigns/:ref": does("readCampaign", "Shows a campaign with its spec and its lists."),
  "GET /v1/campaigns/:ref/progress": does(
    "readProgress",
    "Shows how far a campaign is, and what holds it up.",
  ),
  "GET /v1/campaigns/:ref/report": does("readReport", "Shows what came of a campaign."),
  "GET /v1/campaigns/:ref/canary": does("readCanary", "Shows a campaign's first calls."),
  "GET /v1/campaigns/:ref/caller-ids": does(
    "listCallerIds",
    "Shows how the numbers that a campaign calls from do.",
  ),
  "GET /v1/campaigns/:ref/timeline": does(
    "readTimeline",
    "Shows a campaign's calls over time: how many began, were answered, and were up.",
  ),
  "GET /v1/campaigns/:ref/holds": does(
    "readHolds",
    "Shows what keeps people from being called now, by their time zones.",
  ),
  "GET /v1/campaigns/:ref/outlook": does(
    "readOutlook",
    "Shows what is to come of a campaign: when it ends, who falls due when, and how far people came.",
  ),
  "GET /v1/campaigns/:ref/contacts": does(
    "listContacts",
    "Lists the contacts of a campaign, in the order in which they came in.",
    // Viewers may not feel their way to a number by its beginnings.
    ["role_needed"],
  ),
  "GET /v1/campaigns/:ref/contacts/:phone": does(
    "readContact",
    "Shows a contact of a campaign with its calls, and what keeps it from being called.",
    ["unknown_contact"],
  ),
  "GET /v1/campaigns/:ref/attempts": does(
    "listAttempts",
    "Lists every intended call of a campaign, made or not, the newest batches first.",
  ),
  "GET /v1/campaigns/:ref/calls": does(
    "listCalls",
    "Lists the calls of a campaign that are up or over, the newest batches first.",
  ),
  "GET /v1/campaigns/:ref/batches": does("listBatches", "Lists the batches of a campaign, newest first."),
  "GET /v1/campaigns/:ref/batches/:id": does(
    "readBatch",
    "Shows a batch, and what became of each of its people.",
    ["unknown_batch"],
  ),
  "GET /v1/calls/:id": does("readCall", "Shows a call, with what the platform has of it."),
  "GET /v1/calls/:id/recording": does("readRecording", "Hands out the recording of a call.", [
    "not_found",
    "command_refused",
    "busy",
    ...OF_PLATFORM,
  ]),
  "POST /v1/contacts/validate": does(
    "validateContacts",
    "Says what an import of a list would say; nothing is written.",
    ["invalid_list", "invalid_spec", "digest_mismatch", "unknown_campaign", "busy"],
  ),
  "POST /v1/rehearsals": does(
    "rehearseCampaign",
    "Says what a campaign would do with a list; nothing is written.",
    ["invalid_list", "invalid_spec", "unknown_campaign", "busy"],
  ),
  "GET /v1/campaigns/:ref/contacts/:phone/explanation": does(
    "explainContact",
    "Says why one number was or was not dialed.",
    ["unknown_contact"],
  ),
  "GET /v1/campaigns/:ref/results.csv": does("downloadResults", "Hands out a line for each contact."),
  "GET /v1/campaigns/:ref/rejects.csv": does(
    "downloadRejects",
    "Hands out the rows of a campaign's lists that made no contact.",
  ),
  "POST /v1/campaigns/:ref/contacts": does("uploadContacts", "Adds a list of people.", [...OF_LIST]),
  "POST /v1/campaigns/:ref/start": does("startCampaign", "Lets a campaign call.", ["command_refused"]),
  "POST /v1/campaigns/:ref/pause": does(
    "pauseCampaign",
    "Pauses a campaign; answers when no new call can begin.",
    ["command_refused"],
  ),
  "POST /v1/campaigns/:ref/cancel": does(
    "cancelCampaign",
    "Ends a campaign for good; answers when no new call can begin.",
    ["command_refused"],
  ),
  "POST /v1/campaigns/:ref/resume": does("resumeCampaign", "Lets a paused campaign go on.", [
    "command_refused",
  ]),
  "POST /v1/campaigns/:ref/approve": does("approveCampaign", "Approves of a campaign's first calls.", [
    "command_refused",
  ]),
  "POST /v1/campaigns/:ref/amend": does("amendCampaign", "Changes a campaign's pace and policy.", [
    "invalid_spec",
    "command_refused",
  ]),
  "POST /v1/campaigns/:ref/amend/preview": does("previewAmendment", "Says what an amendment would do.", [
    "invalid_spec",
    "command_refused",
  ]),
  "POST /v1/campaigns/:ref/withdrawals": does("withdrawContacts", "Takes people out of a campaign.", [
    "command_refused",
  ]),
  "POST /v1/campaigns/:ref/archive": does("archiveCampaign", "Takes a campaign that is over off the list.", [
    "command_refused",
  ]),
  "POST /v1/campaigns/:ref/unarchive": does("unarchiveCampaign", "Puts a campaign back on the list.", [
    "command_refused",
  ]),
  "POST /v1/rules/test": does("testRules", "Says what rules would make of calls.", [
    "invalid_spec",
    "unknown_campaign",
  ]),
};
