const PHONE = "+12025550143";
const REASON = { reason: "asked for by the customer" };

const SPEC = {
  name: "spring list",
  agent_id: "11111111-1111-4111-8111-111111111111",
  from_numbers: ["+12025550100"],
  window: { weekdays: ["09:00-18:00"] },
  concurrency: 20,
};

const WORKFLOW = {
  nodes: [{ id: "start", name: "Start", type: "n8n-nodes-base.webhook", parameters: { path: "crm-sync" } }],
  connections: {},
};

const CONSENT = { basis: "express_written", at: "2026-11-02T10:00:00Z", proof: "form 4711" };

const SEQUENCE = {
  name: "welcome",
  agent_id: SPEC.agent_id,
  from_numbers: SPEC.from_numbers,
  window: SPEC.window,
  steps: [
    {
      id: "welcome",
      call: { give_up_after: "5d" },
      on: { answered: "welcomed", unknown: "look_at_it", otherwise: "not_reached" },
    },
    { id: "look_at_it", exit: { outcome: "needs_a_look" } },
    { id: "not_reached", exit: { outcome: "not_reached" } },
    { id: "welcomed", exit: { outcome: "welcomed" } },
  ],
};

/** An example of the body of each request that has one, by its operation. Those of answers are made of their schemas. */
export const BODY_EXAMPLES: Readonly<Record<string, unknown>> = {
  recoverLedger: { suppressions_complete: true, withdrawals_complete: true },
  stopAll: REASON,
  goOn: REASON,
  rotateKey: { grace_hours: 24 },
  createToken: { name: "dashboard", role: "viewer", brands: ["acme"] },
  revokeToken: REASON,
  endSessionsOf: { kind: "person", name: "ann@example.com", ...REASON },
  endOtherSession: REASON,
  beginSession: { code: "Zk3cR0uX8yq1m7Vt2nB5aL9sD4fG6hJ0pQwErTyUiOo" },
  createSignInCode: { name: "ann", role: "operator" },

  createCampaign: { spec: SPEC },
  cloneCampaign: { name: "spring list, again", contacts: "unreached" },
  startCampaign: { reason: "go" },
  pauseCampaign: REASON,
  cancelCampaign: REASON,
  resumeCampaign: REASON,
  approveCampaign: { reason: "the first calls went well" },
  amendCampaign: { spec: { ...SPEC, concurrency: 5 }, if_version: 1 },
  previewAmendment: { spec: { ...SPEC, concurrency: 5 } },
  withdrawContacts: { phones: [PHONE], ...REASON },
  archiveCampaign: {},
  unarchiveCampaign: {},
  testRules: { definition: SPEC, campaign: "spring list" },

  setRetention: { keep: { contacts: "180d", recordings: "30d" }, reason: "policy 7", dry_run: true },
  putBudget: { brand: "acme", per_day: "40" },
  removeBudget: { brand: "acme", ...REASON },

  retryAction: { reason: "the CRM is back" },
  skipAction: REASON,
  skipDelivery: REASON,
  replayAction: REASON,
  removeTag: { phone: PHONE, tag: "interested" },
  addConsents: { brand: "acme", entries: [{ phone: PHONE, ...CONSENT }] },
  withdrawConsent: { brand: "acme", phone: PHONE, reason: "said so on the phone" },

  addSuppressions: { entries: [{ phone: PHONE, reason: "asked on the phone" }] },
  removeSuppression: { phone: PHONE, ...REASON },
  putSource: { type: "do_not_call", max_age: "31d" },
  removeSource: REASON,
  checkSource: { phones: [PHONE] },
  addBlackout: { from: "2026-12-24", to: "2026-12-26", name: "Christmas" },
  removeBlackout: REASON,

  putSequence: { definition: SEQUENCE },
  checkSequence: { definition: SEQUENCE },
  rehearseSequence: {
    sequence: "welcome",
    person: { phone: PHONE, time_zone: "America/New_York" },
    assume: { welcome: ["answered"] },
  },
  pauseSequence: REASON,
  resumeSequence: REASON,
  closeSequence: REASON,
  exitSequence: REASON,
  skipStep: REASON,
  tellSequence: { name: "paid", phone: PHONE, data: { amount: 12 } },
  enroll: { phone: PHONE, variables: { first_name: "Ada" } },
  pauseEnrolment: REASON,
  resumeEnrolment: REASON,
  moveEnrolment: { version: 2, ...REASON },
  skipEnrolment: REASON,
  exitEnrolment: { ...REASON, outcome: "converted" },
  tellEnrolment: { name: "paid" },

  resolveAttention: { reason: "called by hand" },
  acknowledgeAttention: { by: "Ada", for: "4h" },
  putRoute: {
    definition: {
      name: "on-call",
      to: { webhook: { url: "https://alerts.example.com/outdial", secret: "alerts" } },
    },
  },
  putEventWebhook: {
    definition: {
      name: "crm",
      to: { webhook: { url: "https://crm.example.com/outdial", secret: "crm-events" } },
      types: ["call.ended", "contact.finished"],
    },
  },
  testRoutes: { route: "on-call" },

  forgetPerson: { reason: "letter of 2026-11-26", as_hash: true, dry_run: true },
  tryTrigger: { body: '{"contact":{"phone":"+12025550143"}}', type: "json" },
  putTrigger: {
    definition: {
      name: "trial-started",
      auth: { scheme: "hmac", secret: "crm", header: "X-Signature", prefix: "sha256=" },
      idempotency: { field: "payload.id" },
      when: 'payload.type == "trial.started"',
      enroll: { sequence: "welcome", phone: "payload.contact.phone", default_region: "US" },
    },
  },
  deliver: { type: "contact.created", phone: PHONE },
  takeCallHint: { call_id: "33333333-3333-4333-8333-333333333333" },

  putAutomation: { definition: { name: "crm-sync", trigger_type: "webhook", workflow: WORKFLOW } },
  importAutomation: {
    exported: { trigger_type: "webhook", workflow_json: WORKFLOW },
    definition: { name: "crm-sync" },
  },

  putSchedule: {
    definition: {
      name: "nightly-sync",
      run: { automation: "crm-sync" },
      cron: "30 2 * * *",
      time_zone: "America/New_York",
    },
  },
  pauseSchedule: REASON,
  resumeSchedule: REASON,
  repairSchedule: REASON,
  runSchedule: { command_id: "run-2026-12-01" },
  backfillSchedule: { from: "2026-11-01T00:00:00Z", to: "2026-11-08T00:00:00Z" },

  compareDeclared: { documents: [{ kind: "campaign", ...SPEC }] },
  applyDeclared: { document: { kind: "campaign", ...SPEC } },
  pruneDeclared: { kind: "campaign", brand: "default", name: "spring list" },
};

/** Of a list. */
export const LIST_EXAMPLES = {
  "text/csv": "phone,first_name\n+12025550143,Ada\n",
  "application/x-ndjson": '{"phone":"+12025550143","first_name":"Ada"}\n',
} as const;

const REJECTS = 'line,code,reason,raw\n3,phone_invalid,is too short,"12,Ada"\n';

/** Of what is handed out as text, or as the bytes of a file. */
export const TEXT_EXAMPLES: Readonly<Record<string, string>> = {
  downloadResults: "line,phone,outcome,reason,state,attempts\n2,+12025550143,answered,,done,1\n",
  downloadRejects: REJECTS,
  downloadSequenceRejects: REJECTS,
  followEvents:
    'id: WzEsNzQ1LDEwXQ\nevent: listening\ndata: {}\n\nid: WzEsNzQ1LDEyXQ\nevent: campaign.started\ndata: {"id":"WzEsNzQ1LDEyXQ","type":"campaign.started","at":"2026-11-26T09:00:00.000Z","brand":"default"}\n\nid: WzEsNzQ1LDE0XQ\nevent: still_here\ndata: {}\n\n',
  readRecording: "(audio)",
  readRecordingOfPerson: "(audio)",
  drawSequence: 'flowchart TD\n  start(["welcome"]) --> s0\n',
};
