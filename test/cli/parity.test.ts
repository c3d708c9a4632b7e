import { expect, it } from "vitest";

import { COMMANDS } from "../../src/cli/commands.ts";
import { ROUTE_ACCESS } from "../../src/http/route-access.ts";

/*
 * Every command, and what serves the same to a program that speaks to the API: routes; or, where there is none, why not.
 * `machine`: it is of the machine that it is given on.
 */

type Served = readonly string[] | { machine: string };

const at = (method: string, ...paths: string[]) => paths.map((path) => `${method} /v1/${path}`);

const SERVED: Readonly<Record<string, Served>> = {
  demo: { machine: "it shows the program to somebody, with a system of its own that ends with it" },
  run: [
    "POST /v1/campaigns",
    "POST /v1/campaigns/:ref/contacts",
    "POST /v1/campaigns/:ref/start",
    "GET /v1/campaigns/:ref/progress",
    "GET /v1/campaigns/:ref/report",
  ],
  rehearse: at("POST", "rehearsals"),
  doctor: at("GET", "doctor"),
  "campaign create": at("POST", "campaigns"),
  "campaign clone": at("POST", "campaigns/:ref/clone"),
  "campaign start": at("POST", "campaigns/:ref/start"),
  "campaign pause": at("POST", "campaigns/:ref/pause"),
  "campaign resume": at("POST", "campaigns/:ref/resume"),
  "campaign approve": at("POST", "campaigns/:ref/approve"),
  "campaign cancel": at("POST", "campaigns/:ref/cancel"),
  "campaign amend": at("POST", "campaigns/:ref/amend", "campaigns/:ref/amend/preview"),
  "campaign withdraw": at("POST", "campaigns/:ref/withdrawals"),
  "campaign archive": at("POST", "campaigns/:ref/archive"),
  "campaign unarchive": at("POST", "campaigns/:ref/unarchive"),
  "campaign status": at("GET", "campaigns/:ref", "campaigns/:ref/progress"),
  "campaign watch": at("GET", "campaigns/:ref/progress"),
  "campaign list": at("GET", "campaigns"),
  "campaign canary": at("GET", "campaigns/:ref/canary"),
  "campaign caller-ids": at("GET", "campaigns/:ref/caller-ids"),
  "campaign export": at("GET", "campaigns/:ref/results.csv", "campaigns/:ref/rejects.csv"),
  "campaign explain": at("GET", "campaigns/:ref/contacts/:phone/explanation"),
  "campaign contacts": at("GET", "campaigns/:ref/contacts"),
  "campaign calls": at("GET", "campaigns/:ref/calls"),
  "campaign batches": at("GET", "campaigns/:ref/batches"),
  "sequence check": at("POST", "sequences/check"),
  "sequence rehearse": at("POST", "sequences/rehearse"),
  "sequence show": { machine: "it reads a file; GET /v1/sequences/:ref/diagram draws one that is stored" },
  "sequence put": at("PUT", "sequences"),
  "sequence list": at("GET", "sequences"),
  "sequence status": at("GET", "sequences/:ref"),
  "sequence enroll": at("POST", "sequences/:ref/enrolments", "sequences/:ref/enrolments/list"),
  "sequence enrolments": at("GET", "sequences/:ref/enrolments"),
  "sequence enrolment": at("GET", "enrolments/:id"),
  "sequence event": at("POST", "sequences/:ref/event", "enrolments/:id/event"),
  "sequence pause": at("POST", "sequences/:ref/pause", "enrolments/:id/pause"),
  "sequence resume": at("POST", "sequences/:ref/resume", "enrolments/:id/resume"),
  "sequence close": at("POST", "sequences/:ref/close"),
  "sequence exit": at("POST", "sequences/:ref/exit", "enrolments/:id/exit"),
  "sequence skip": at("POST", "sequences/:ref/skip", "enrolments/:id/skip"),
  "suppress add": at("POST", "suppressions"),
  "suppress remove": at("DELETE", "suppressions"),
  "suppress import": at("POST", "suppressions/import"),
  "suppress list": at("GET", "suppressions"),
  "suppress source": ["GET /v1/suppressions/sources", "PUT /v1/suppressions/sources/:name"],
  "consent add": at("POST", "consents"),
  "consent withdraw": at("POST", "consents/withdraw"),
  "consent show": at("GET", "consents"),
  "data-key new": { machine: "it makes a key, which no other machine is to see" },
  "data-key status": at("GET", "data-keys"),
  "retention show": at("GET", "retention"),
  "retention preview": at("PUT", "retention"),
  "retention set": at("PUT", "retention"),
  "blackout add": at("POST", "blackouts"),
  "blackout list": at("GET", "blackouts"),
  "blackout remove": at("DELETE", "blackouts/:id"),
  "budget set": at("PUT", "budgets"),
  "budget check": at("POST", "budgets/check"),
  "budget list": at("GET", "budgets"),
  "budget remove": at("DELETE", "budgets"),
  "presets list": at("GET", "presets"),
  "presets show": at("GET", "presets/:name"),
  "trigger put": at("PUT", "triggers"),
  "trigger try": at("POST", "triggers/:name/try"),
  "trigger list": at("GET", "triggers"),
  "trigger show": at("GET", "triggers/:name"),
  "trigger enable": at("POST", "triggers/:name/enable"),
  "trigger disable": at("POST", "triggers/:name/disable"),
  "trigger deliveries": at("GET", "triggers/:name/deliveries", "deliveries/:id"),
  "trigger retry": at("POST", "triggers/:name/retry", "deliveries/:id/retry"),
  "automation put": at("PUT", "automations"),
  "automation list": at("GET", "automations"),
  "automation show": at("GET", "automations/:name"),
  "automation export": at("GET", "automations/:name/export"),
  "automation health": at("GET", "automations/health"),
  "automation executions": at("GET", "automations/:name/executions"),
  "automation rerun": at("POST", "automations/executions/:id/rerun"),
  "automation test": at("POST", "automations/:name/test"),
  "automation deploy": at("POST", "automations/:name/deploy"),
  "automation retry": at("POST", "automations/:name/retry"),
  "automation restore": at("POST", "automations/:name/restore"),
  "automation remove": at("DELETE", "automations/:name"),
  "automation import": at("POST", "automations/import"),
  "schedule put": at("PUT", "schedules"),
  "schedule list": at("GET", "schedules"),
  "schedule show": at("GET", "schedules/:name"),
  "schedule next": at("GET", "schedules/:name/next"),
  "schedule runs": at("GET", "schedules/:name/runs"),
  "schedule run": at("POST", "schedules/:name/run"),
  "schedule backfill": at("POST", "schedules/:name/backfill"),
  "schedule pause": at("POST", "schedules/:name/pause"),
  "schedule resume": at("POST", "schedules/:name/resume"),
  "schedule repair": at("POST", "schedules/:name/repair"),
  "schedule remove": at("DELETE", "schedules/:name"),
  apply: at("POST", "declared/apply"),
  diff: at("POST", "declared/diff"),
  prune: at("POST", "declared/prune"),
  export: at("GET", "declared/documents"),
  schema: { machine: "the schemas are of the program's version, and lie beside it in schemas/" },
  "key status": at("GET", "keys/status"),
  "key rotate": at("POST", "keys/rotate"),
  "key rotations": at("GET", "keys/rotations"),
  "token create": at("POST", "tokens"),
  "token list": at("GET", "tokens"),
  "token revoke": at("DELETE", "tokens/:name"),
  "sign-in": at("POST", "session/codes"),
  whoami: at("GET", "me"),
  audit: at("GET", "audit"),
  "follow-up list": at("GET", "follow-ups"),
  "follow-up show": at("GET", "follow-ups/:id", "actions/:id"),
  "follow-up retry": at("POST", "actions/:id/retry"),
  "follow-up skip": at("POST", "actions/:id/skip"),
  "follow-up replay": at("POST", "actions/:id/replay"),
  "rules test": at("POST", "rules/test"),
  "tag list": at("GET", "tags"),
  "tag remove": at("DELETE", "tags"),
  "contacts validate": at("POST", "contacts/validate"),
  "attention list": at("GET", "attention"),
  "attention ack": at("POST", "attention/:id/acknowledge"),
  "attention resolve": at("POST", "attention/:id/resolve"),
  "attention route": [
    "GET /v1/attention/routes",
    "PUT /v1/attention/routes",
    "DELETE /v1/attention/routes/:name",
  ],
  "attention test": at("POST", "attention/test"),
  why: at("GET", "people/:phone/story"),
  sweep: at("POST", "sweep"),
  "stop-all": at("POST", "stop-all"),
  "go-on": at("POST", "go-on"),
  recover: at("POST", "recover"),
  backup: {
    machine:
      "it writes into a folder of the machine; of an embedded ledger POST /v1/ledger/copies makes the copy",
  },
  restore: { machine: "it puts a ledger in the place of one that nothing may have open" },
  up: { machine: "it is the system" },
  worker: { machine: "it is a process of the system" },
  server: { machine: "it is the process that serves the API" },
  sandbox: { machine: "it is a stand-in for the platform" },
  platform: { machine: "it speaks to the platform, whose API this is not" },
  qualify: { machine: "it calls phones of whoever sits before it, and asks them what they heard" },
  events: at("GET", "events", "events/stream"),
  logs: at("GET", "events", "events/stream"),
  forget: at("POST", "people/:phone/forget"),
  "person export": at("GET", "people/:phone/export"),
  "person forgotten": at("GET", "forgettings", "forgettings/:id"),
  migrate: { machine: "it changes tables, which the system that runs may have no right to" },
  "deploy status": {
    machine: "it asks Temporal about builds of workers, which runs where there is no API, too",
  },
  "deploy current": { machine: "as `deploy status`" },
  "deploy ramp": { machine: "as `deploy status`" },
  "deploy retire": { machine: "as `deploy status`" },
  "context list": { machine: "contexts are of whoever gives commands" },
  "context show": { machine: "as `context list`" },
  "context use": { machine: "as `context list`" },
  "context set": { machine: "as `context list`" },
  "context delete": { machine: "as `context list`" },
  completion: { machine: "it is a script for the shell" },
  ui: { machine: "it opens a window on the machine" },
  health: ["GET /healthz", "GET /readyz"],
};

const commands = COMMANDS.flatMap((entry) =>
  entry.kind === "single"
    ? [entry.name]
    : entry.modules.flatMap(({ names }) => names.map((name) => `${entry.name} ${name}`)),
);

it("every command is served by routes that there are, or says why it is not", () => {
  expect(Object.keys(SERVED).toSorted()).toEqual(commands.toSorted());
  const routes = Object.values(SERVED).flatMap((served) => ("length" in served ? [...served] : []));
  expect(routes.filter((route) => ROUTE_ACCESS[route] === undefined)).toEqual([]);
  const unserved = Object.entries(SERVED).flatMap(([command, served]) =>
    "length" in served
      ? served.length === 0
        ? [command]
        : []
      : Object.values(served).includes("")
        ? [command]
        : [],
  );
  expect(unserved).toEqual([]);
});
