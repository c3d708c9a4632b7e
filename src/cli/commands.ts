import type { CliCommand } from "./cli-command.ts";
import type { CliContext } from "./context.ts";

/*
 * Every command by its name, and what loads it. A command's module is loaded when the command is called, or its help
 * is asked for: `outdial --version` would otherwise load a Temporal client. So nothing here imports one.
 */

/** Makes commands under a parent: their options, their help and what they do. */
type Register = (parent: CliCommand, context: CliContext) => void;

type Load = () => Promise<Register>;

/** A command that stands by itself. */
export interface SingleCommand {
  readonly kind: "single";
  readonly name: string;
  /** Its arguments, as its help writes them. */
  readonly takes?: string;
  /** For the list of commands; and for its own help, unless it says more there. */
  readonly summary: string;
  readonly load: Load;
}

/** A word with commands behind it: `outdial campaign ...`. */
export interface CommandGroup {
  readonly kind: "group";
  readonly name: string;
  readonly description: string;
  /** A module may make several commands. */
  readonly modules: readonly { readonly names: readonly string[]; readonly load: Load }[];
}

function single(name: string, summary: string, load: Load, takes?: string): SingleCommand {
  return { kind: "single", name, summary, load, ...(takes !== undefined && { takes }) };
}

function group(
  name: string,
  description: string,
  modules: readonly [names: string, load: Load][],
): CommandGroup {
  return {
    kind: "group",
    name,
    description,
    modules: modules.map(([names, load]) => ({ names: names.split(" "), load })),
  };
}

const campaign = group("campaign", "Creates, starts, pauses, watches campaigns of a running system.", [
  ["create", async () => (await import("./campaigns/create.ts")).registerCampaignCreate],
  ["clone", async () => (await import("./campaigns/clone.ts")).registerCampaignClone],
  ["start", async () => (await import("./campaigns/start.ts")).registerCampaignStart],
  [
    "pause resume approve cancel",
    async () => (await import("./campaigns/control.ts")).registerCampaignControls,
  ],
  ["amend", async () => (await import("./campaigns/amend.ts")).registerCampaignAmend],
  ["withdraw", async () => (await import("./campaigns/withdraw.ts")).registerCampaignWithdraw],
  ["archive unarchive", async () => (await import("./campaigns/archive.ts")).registerCampaignArchives],
  ["status", async () => (await import("./campaigns/status.ts")).registerCampaignStatus],
  ["watch", async () => (await import("./campaigns/watch.ts")).registerCampaignWatch],
  ["list", async () => (await import("./campaigns/list.ts")).registerCampaignList],
  ["canary", async () => (await import("./campaigns/canary.ts")).registerCampaignCanary],
  ["caller-ids", async () => (await import("./campaigns/caller-ids.ts")).registerCampaignCallerIds],
  ["export", async () => (await import("./campaigns/export.ts")).registerCampaignExport],
  ["explain", async () => (await import("./campaigns/explain.ts")).registerCampaignExplain],
  ["contacts calls batches", async () => (await import("./campaigns/lists.ts")).registerCampaignLists],
]);

const sequence = group(
  "sequence",
  "Journeys of single people: writes them down, enrolls people, shows where they are.",
  [
    ["check", async () => (await import("./sequences/check.ts")).registerSequenceCheck],
    ["rehearse", async () => (await import("./sequences/rehearse.ts")).registerSequenceRehearse],
    ["show", async () => (await import("./sequences/show.ts")).registerSequenceShow],
    ["put", async () => (await import("./sequences/put.ts")).registerSequencePut],
    ["list", async () => (await import("./sequences/list.ts")).registerSequenceList],
    ["status", async () => (await import("./sequences/status.ts")).registerSequenceStatus],
    ["enroll", async () => (await import("./sequences/enroll.ts")).registerSequenceEnroll],
    ["enrolments", async () => (await import("./sequences/enrolments.ts")).registerSequenceEnrolments],
    ["enrolment", async () => (await import("./sequences/enrolment.ts")).registerSequenceEnrolment],
    ["event", async () => (await import("./sequences/event.ts")).registerSequenceEvent],
    ["move", async () => (await import("./sequences/move.ts")).registerSequenceMove],
    [
      "pause resume close exit skip",
      async () => (await import("./sequences/control.ts")).registerSequenceControls,
    ],
  ],
);

const suppress = group("suppress", "Numbers that must not be dialed.", [
  ["add", async () => (await import("./suppressions/add.ts")).registerSuppressAdd],
  ["remove", async () => (await import("./suppressions/remove.ts")).registerSuppressRemove],
  ["import", async () => (await import("./suppressions/import.ts")).registerSuppressImport],
  ["list", async () => (await import("./suppressions/list.ts")).registerSuppressList],
  ["source", async () => (await import("./suppressions/source.ts")).registerSuppressSource],
]);

const consent = group("consent", "What people said about being called, and took back.", [
  ["add withdraw show", async () => (await import("./consents/consent.ts")).registerConsentCommands],
]);

const blackout = group("blackout", "Dates on which nobody is called.", [
  ["add", async () => (await import("./blackouts/add.ts")).registerBlackoutAdd],
  ["list", async () => (await import("./blackouts/list.ts")).registerBlackoutList],
  ["remove", async () => (await import("./blackouts/remove.ts")).registerBlackoutRemove],
]);

const budget = group("budget", "What brands may spend; a campaign's own budget is in its spec.", [
  ["set check list remove", async () => (await import("./campaigns/budgets.ts")).registerBudgetCommands],
]);

const presets = group("presets", "Rules of countries and states that campaigns keep to by naming them.", [
  ["list show", async () => (await import("./presets/presets.ts")).registerPresets],
]);

const trigger = group(
  "trigger",
  "Doors through which other systems tell of something, and what becomes of that.",
  [
    ["put", async () => (await import("./triggers/put.ts")).registerTriggerPut],
    ["try", async () => (await import("./triggers/try.ts")).registerTriggerTry],
    ["list show", async () => (await import("./triggers/list.ts")).registerTriggerLists],
    ["enable disable", async () => (await import("./triggers/switch.ts")).registerTriggerSwitch],
    ["deliveries", async () => (await import("./triggers/deliveries.ts")).registerTriggerDeliveries],
    ["retry", async () => (await import("./triggers/retry.ts")).registerTriggerRetry],
    ["skip", async () => (await import("./triggers/skip.ts")).registerTriggerSkip],
  ],
);

const automation = group(
  "automation",
  "Workflows of the platform that are kept as declared: where they stand, and what they ran.",
  [
    ["put", async () => (await import("./automations/put.ts")).registerAutomationPut],
    ["list show export", async () => (await import("./automations/list.ts")).registerAutomationLists],
    [
      "health executions rerun",
      async () => (await import("./automations/executions.ts")).registerAutomationExecutions,
    ],
    [
      "test deploy retry restore remove",
      async () => (await import("./automations/control.ts")).registerAutomationControls,
    ],
    ["import", async () => (await import("./automations/put.ts")).registerAutomationImport],
  ],
);

const schedule = group(
  "schedule",
  "Automations and campaigns that are run again and again: when, and what came of it.",
  [
    ["put", async () => (await import("./schedules/put.ts")).registerSchedulePut],
    ["list show next", async () => (await import("./schedules/list.ts")).registerScheduleLists],
    ["runs run backfill", async () => (await import("./schedules/runs.ts")).registerScheduleRuns],
    [
      "pause resume repair remove",
      async () => (await import("./schedules/control.ts")).registerScheduleControls,
    ],
  ],
);

const key = group(
  "key",
  "The platform's key: when it stops working, and rotating it. No key is ever shown.",
  [["status rotate rotations", async () => (await import("./keys/key.ts")).registerKeyCommands]],
);

const token = group("token", "Tokens of the HTTP API, each with a name, a role and brands.", [
  ["create list revoke", async () => (await import("./access/token.ts")).registerTokenCommands],
]);

const context = group(
  "context",
  "Names for systems, each with its address and token: which of them commands speak to.",
  [
    ["list show", async () => (await import("./contexts/show.ts")).registerContextShow],
    ["use set delete", async () => (await import("./contexts/change.ts")).registerContextChanges],
  ],
);

const followUp = group("follow-up", "What is done after calls, and what became of it.", [
  ["list", async () => (await import("./follow-ups/list.ts")).registerFollowUpList],
  ["show", async () => (await import("./follow-ups/show.ts")).registerFollowUpShow],
  ["retry skip replay", async () => (await import("./follow-ups/commands.ts")).registerFollowUpCommands],
]);

const rules = group("rules", "Rules over calls: what they make of calls that were.", [
  ["test", async () => (await import("./rules/test.ts")).registerRulesTest],
]);

const deploy = group("deploy", "Builds of the workers beside each other: which one is given what begins.", [
  ["status current ramp retire", async () => (await import("./deploy/deploy.ts")).registerDeploy],
]);

const tag = group("tag", "Words that follow-ups gave to people.", [
  ["list", async () => (await import("./tags/list.ts")).registerTagList],
  ["remove", async () => (await import("./tags/remove.ts")).registerTagRemove],
]);

const person = group("person", "What is held of one person, and who asked to be forgotten.", [
  ["export", async () => (await import("./people/person.ts")).registerPersonExport],
  ["forgotten", async () => (await import("./people/person.ts")).registerPersonForgotten],
]);

const dataKey = group("data-key", "Keys that sensitive values are encrypted with.", [
  ["new status", async () => (await import("./keys/data-keys.ts")).registerDataKeys],
]);

const retention = group("retention", "How long what is held of people is kept.", [
  ["show preview set", async () => (await import("./people/retention.ts")).registerRetention],
]);

const contacts = group("contacts", "Looks at lists.", [
  ["validate", async () => (await import("./campaigns/run/contacts-validate.ts")).registerContactsValidate],
]);

const attention = group("attention", "What waits for a person.", [
  ["list", async () => (await import("./attention/list.ts")).registerAttentionList],
  ["ack", async () => (await import("./attention/ack.ts")).registerAttentionAck],
  ["resolve", async () => (await import("./attention/resolve.ts")).registerAttentionResolve],
  ["route", async () => (await import("./notices/route.ts")).registerAttentionRoute],
  ["test", async () => (await import("./notices/test.ts")).registerAttentionTest],
]);

const sessions = group("sessions", "Who is signed in in browsers.", [
  ["list end", async () => (await import("./access/sessions.ts")).registerSessions],
]);

const webhook = group("webhook", "Programs that are sent what happens, in order, by signed requests.", [
  [
    "put check list show enable test remove",
    async () => (await import("./events/webhook.ts")).registerEventWebhooks,
  ],
]);

/** In the order of the help. */
export const COMMANDS: readonly (SingleCommand | CommandGroup)[] = [
  single(
    "demo",
    "500 contacts through a campaign, on this machine alone",
    async () => (await import("./demo.ts")).registerDemo,
  ),
  single(
    "run",
    "run a campaign from a contact list to its report",
    async () => (await import("./campaigns/run/run.ts")).registerRun,
    "<campaign.yaml>",
  ),
  single(
    "rehearse",
    "when a campaign would end, what it costs, and whom it never calls",
    async () => (await import("./campaigns/rehearse/rehearse.ts")).registerRehearse,
    "<campaign.yaml>",
  ),
  single(
    "doctor",
    "what is missing or misconfigured, and how to mend it",
    async () => (await import("./doctor/doctor.ts")).registerDoctor,
    "[file]",
  ),
  campaign,
  sequence,
  suppress,
  consent,
  blackout,
  budget,
  presets,
  trigger,
  automation,
  schedule,
  single(
    "apply",
    "Brings about what a folder of documents declares. Idempotent, and safe to run again.",
    async () => (await import("./declared/apply.ts")).registerApply,
  ),
  single(
    "diff",
    "Shows what `apply` would change. Changes nothing.",
    async () => (await import("./declared/diff.ts")).registerDiff,
  ),
  single(
    "prune",
    "Removes what was declared earlier and is not in the folder any more, after it has shown it.",
    async () => (await import("./declared/prune.ts")).registerPrune,
  ),
  single(
    "export",
    "Writes what is there as documents into a folder.",
    async () => (await import("./declared/export.ts")).registerExport,
  ),
  single(
    "schema",
    "Prints the JSON Schema of a kind of document; `declared` is that of them all.",
    async () => (await import("./declared/schema.ts")).registerSchema,
    "[kind]",
  ),
  key,
  token,
  context,
  sessions,
  single(
    "sign-in",
    "Makes a link to the running system's dashboard that signs in once.",
    async () => (await import("./access/sign-in.ts")).registerSignIn,
  ),
  single(
    "whoami",
    "who the running system takes you for, and what you may",
    async () => (await import("./access/whoami.ts")).registerWhoami,
  ),
  single(
    "events",
    "what happened, in order, and as it happens",
    async () => (await import("./events/events.ts")).registerEvents,
  ),
  single(
    "logs",
    "the story of campaigns in sentences",
    async () => (await import("./events/events.ts")).registerLogs,
  ),
  webhook,
  single("audit", "who did what, when", async () => (await import("./access/audit.ts")).registerAudit),
  followUp,
  rules,
  tag,
  contacts,
  attention,
  single(
    "why",
    "Tells everything that is known of a number: each call, and each time that it was not called, and why.",
    async () => (await import("./people/why.ts")).registerWhy,
    "<number>",
  ),
  person,
  retention,
  dataKey,
  single(
    "forget",
    "Removes a person everywhere, but for what must be kept, and writes a certificate of it.",
    async () => (await import("./people/forget.ts")).registerForget,
    "<number>",
  ),
  single(
    "sweep",
    "look for what has no end, now",
    async () => (await import("./recovery/sweep.ts")).registerSweep,
  ),
  single(
    "stop-all",
    "stop all dialing, everywhere, now",
    async () => (await import("./stop-all.ts")).registerStopAll,
  ),
  single(
    "go-on",
    "dial again after stop-all, with a reason",
    async () => (await import("./campaigns/run/go-on.ts")).registerGoOn,
  ),
  single(
    "recover",
    "bring a restored ledger up to what the platform dialed",
    async () => (await import("./recovery/recover.ts")).registerRecover,
  ),
  single(
    "backup",
    "copy the ledger and its recordings into a folder, and see that the copy can be read",
    async () => (await import("./recovery/backup.ts")).registerBackup,
    "<folder>",
  ),
  single(
    "restore",
    "put a backup in the place of the ledger, with dialing held",
    async () => (await import("./recovery/restore.ts")).registerRestore,
    "<folder>",
  ),
  single(
    "migrate",
    "bring the schema of a ledger on PostgreSQL up to date, apart from workers",
    async () => (await import("./migrate.ts")).registerMigrate,
  ),
  deploy,
  single(
    "up",
    "keep everything running on this machine, until stopped",
    async () => (await import("./up/up.ts")).registerUp,
  ),
  single("worker", "dial until SIGTERM", async () => (await import("./worker.ts")).registerWorker),
  single(
    "server",
    "serve the HTTP API until SIGTERM",
    async () => (await import("./server.ts")).registerServer,
  ),
  single(
    "sandbox",
    "a stand-in for the platform, for any client",
    async () => (await import("./sandbox.ts")).registerSandbox,
  ),
  single(
    "platform",
    "every operation of the platform by hand",
    async () => (await import("./platform/platform.ts")).registerPlatform,
  ),
  single(
    "qualify",
    "find out, with phones of your own, what the platform really does",
    async () => (await import("./qualify/qualify.ts")).registerQualify,
  ),
  single(
    "completion",
    "the script by which bash, zsh or fish completes command lines",
    async () => (await import("./completion/completion.ts")).registerCompletion,
    "<shell>",
  ),
  single("ui", "Temporal's web UI over a data folder", async () => (await import("./ui.ts")).registerUi),
  single(
    "health",
    "whether the worker or server of this data folder is well",
    async () => (await import("./health.ts")).registerHealth,
  ),
];
