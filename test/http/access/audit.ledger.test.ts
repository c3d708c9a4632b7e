import { sql } from "drizzle-orm";
import { expect, it } from "vitest";

import { ROUTE_ACCESS } from "../../../src/http/route-access.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { describeSomeLedger } from "../../support/ledgers.ts";
import { openWorld, type World } from "./support.ts";

/*
 * What every request that changes something leaves in the audit, in an order in which each can be carried out. What
 * leaves nothing there has its reason.
 */
const CHANGES: readonly (readonly [route: string, action: string, facts?: Record<string, unknown>])[] = [
  ["POST /v1/tokens", "token.create", { after: { role: "viewer", brands: "all", expires_at: null } }],
  ["DELETE /v1/tokens/:name", "token.revoke", { reason: "a test" }],
  ["POST /v1/session/codes", "sign_in_link.create", { name: "ann", role: "operator", brands: "all" }],
  ["POST /v1/stop-all", "stop_all", { reason: "a test" }],
  ["POST /v1/go-on", "go_on", { reason: "a test" }],
  ["POST /v1/campaigns", "campaign.create", { brand: "default", version: 1 }],
  ["POST /v1/campaigns/:ref/contacts", "campaign.list", { list: "list.csv", accepted: 1, rejected: 0 }],
  ["POST /v1/campaigns/:ref/withdrawals", "campaign.withdraw", { reason: "a test" }],
  ["POST /v1/campaigns/:ref/pause", "campaign.paused", { before: "running" }],
  ["POST /v1/campaigns/:ref/resume", "campaign.running", { before: "paused" }],
  [
    "POST /v1/campaigns/:ref/amend",
    "campaign.amend",
    { fields: ["concurrency"], before: { concurrency: "10" }, after: { concurrency: "3" } },
  ],
  ["POST /v1/campaigns/:ref/cancel", "campaign.draining", { before: "running" }],
  ["POST /v1/actions/:id/skip", "action.skip"],
  ["DELETE /v1/tags", "tag.remove", { tag: "reached" }],
  ["POST /v1/suppressions", "suppression.add", { numbers: 1 }],
  ["DELETE /v1/suppressions", "suppression.remove", { reason: "a test", sources: ["api"] }],
  ["POST /v1/suppressions/import", "suppression.add", { source: "list:list.csv" }],
  [
    "PUT /v1/suppressions/sources/:name",
    "suppression_source.put",
    {
      before: { type: "do_not_call", brand: "default", max_age_ms: null },
      after: { type: "do_not_call", brand: "default", max_age_ms: 31 * 86_400_000 },
    },
  ],
  ["POST /v1/suppressions/sources/:name/list", "suppression_source.renew"],
  [
    "DELETE /v1/suppressions/sources/:name",
    "suppression_source.remove",
    { before: { type: "do_not_call", brand: "default", max_age_ms: 31 * 86_400_000 } },
  ],
  ["POST /v1/consents", "consent.add", { numbers: 1 }],
  ["POST /v1/consents/withdraw", "consent.withdraw", { reason: "a test" }],
  ["POST /v1/people/:phone/forget", "person.forget", { reason: "a test", as_hash: false }],
  [
    "PUT /v1/retention",
    "retention.set",
    { keep_ms: { recordings: 86_400_000 }, before: {}, reason: "a test" },
  ],
  ["POST /v1/blackouts", "blackout.add", { from: "2027-12-31", name: "the last day" }],
  ["DELETE /v1/blackouts/:id", "blackout.remove", { from: "2027-12-24", reason: "a test" }],
  ["PUT /v1/budgets", "budget.set", { before: null }],
  ["DELETE /v1/budgets", "budget.remove", { reason: "a test", total_micros: 100_000_000 }],
  ["PUT /v1/sequences", "sequence.put", { version: 1, before: null }],
  ["POST /v1/sequences/:ref/enrolments/list", "sequence.list", { list: "list.csv" }],
  ["POST /v1/enrolments/:id/pause", "enrolment.pause"],
  ["POST /v1/enrolments/:id/resume", "enrolment.resume"],
  ["POST /v1/enrolments/:id/exit", "enrolment.exit"],
  ["POST /v1/sequences/:ref/pause", "sequence.pause", { before: "active", after: "paused" }],
  ["POST /v1/sequences/:ref/resume", "sequence.resume", { before: "paused", after: "active" }],
  ["POST /v1/sequences/:ref/skip", "sequence.skip"],
  ["POST /v1/sequences/:ref/exit", "sequence.exit"],
  ["POST /v1/sequences/:ref/close", "sequence.close", { before: "active", after: "closed" }],
  ["PUT /v1/events/webhooks", "event_webhook.put"],
  ["DELETE /v1/events/webhooks/:name", "event_webhook.remove"],
  ["PUT /v1/attention/routes", "attention_route.put"],
  ["DELETE /v1/attention/routes/:name", "attention_route.remove"],
  ["POST /v1/attention/:id/acknowledge", "attention.acknowledge"],
  ["POST /v1/attention/:id/resolve", "attention.resolve", { resolution: "a test" }],
  ["PUT /v1/triggers", "trigger.create", { before: null, version: 1 }],
  ["POST /v1/triggers/:name/disable", "trigger.disable"],
  ["POST /v1/triggers/:name/enable", "trigger.enable"],
  ["PUT /v1/schedules", "schedule.create", { before: null }],
  ["POST /v1/schedules/:name/pause", "schedule.pause", { before: "active", after: "paused" }],
  ["POST /v1/schedules/:name/resume", "schedule.resume", { before: "paused", after: "active" }],
  ["POST /v1/schedules/:name/run", "schedule.run"],
  ["POST /v1/schedules/:name/backfill", "schedule.backfill"],
  ["DELETE /v1/schedules/:name", "schedule.remove", { before: "active", after: "removed" }],
  ["PUT /v1/automations", "automation.create", { before: null }],
  ["DELETE /v1/automations/:name", "automation.remove"],
];

/** They are held elsewhere, or leave nothing there, each for its reason. */
const OTHERWISE: Readonly<Record<string, string>> = {
  "DELETE /v1/sessions": "takes a session; test/http/access/other-sessions.ledger.test.ts",
  "DELETE /v1/sessions/:id": "as all of somebody",
  "DELETE /v1/session": "takes a session; test/http/access/sessions.ledger.test.ts",
  "POST /v1/sweep": "settles what the platform tells; the sweep keeps what it found",
  "POST /v1/recover": "recovery.released is written by the recovery (test/ledger/recovery)",
  "POST /v1/budgets/check": "asks the platform; what campaigns make of it is the engine's",
  "POST /v1/rules/test": "changes nothing",
  "POST /v1/contacts/validate": "changes nothing",
  "POST /v1/rehearsals": "changes nothing",
  "POST /v1/sequences/check": "changes nothing",
  "POST /v1/sequences/rehearse": "changes nothing",
  "POST /v1/triggers/:name/try": "changes nothing",
  "POST /v1/ledger/copies": "of PostgreSQL it makes none; test/http/ledger-copies.ledger.test.ts",
  "POST /v1/events/webhooks/:name/test": "sends a test, and writes nothing down",
  "POST /v1/events/webhooks/:name/enable":
    "needs one that is disabled: test/http/events/webhooks.ledger.test.ts",
  "POST /v1/attention/test": "sends a test, and writes nothing down",
  "POST /v1/declared/diff": "changes nothing",
  "POST /v1/campaigns/:ref/amend/preview": "changes nothing",
  "POST /v1/suppressions/sources/:name/check": "asks a service, and writes nothing down",
  "POST /v1/sequences/:ref/event":
    "programs tell events by thousands: the journey has each, and whose it was",
  "POST /v1/enrolments/:id/event": "as events of a sequence",
  "POST /v1/sequences/:ref/enrolments":
    "programs enroll people by thousands: the enrolment has when, and that it came over the API",
  "POST /v1/campaigns/:ref/clone": "test/ledger/campaigns/cloning.ledger.test.ts",
  "POST /v1/campaigns/:ref/start": "as pausing; test/ledger/campaigns/commands.ledger.test.ts",
  "POST /v1/campaigns/:ref/approve": "as resuming; test/ledger/campaigns/canary",
  "POST /v1/campaigns/:ref/archive": "test/ledger/campaigns/archiving.ledger.test.ts",
  "POST /v1/campaigns/:ref/unarchive": "test/ledger/campaigns/archiving.ledger.test.ts",
  "POST /v1/actions/:id/retry": "as skipping",
  "POST /v1/actions/:id/replay": "as skipping",
  "POST /v1/enrolments/:id/move": "test/http/sequences/sequences.ledger.test.ts",
  "POST /v1/enrolments/:id/skip": "as leaving",
  "POST /v1/deliveries/:id/retry": "test/http/triggers/triggers.ledger.test.ts",
  "POST /v1/deliveries/:id/skip": "test/http/triggers/triggers.ledger.test.ts",
  "POST /v1/triggers/:name/retry": "test/http/triggers/triggers.ledger.test.ts",
  "POST /v1/schedules/:name/repair":
    "needs a schedule that is not kept: test/http/schedules/schedules.ledger.test.ts",
  "POST /v1/automations/import": "as putting one",
  "POST /v1/automations/:name/test": "needs one that stands on the platform; one path with removing",
  "POST /v1/automations/:name/deploy": "as testing one",
  "POST /v1/automations/:name/restore": "as testing one",
  "POST /v1/automations/:name/retry": "as testing one",
  "POST /v1/automations/executions/:id/rerun": "as testing one",
  "POST /v1/declared/apply": "test/http/declared/declared.ledger.test.ts",
  "POST /v1/declared/prune": "test/http/declared/declared.ledger.test.ts",
  "POST /v1/keys/rotate": "test/engine/keys/key-rotation.ledger.test.ts",
};

interface Entry {
  action: string;
  actor: string;
  on_behalf_of: string | null;
  detail: Record<string, unknown>;
}

describeSomeLedger("a change over the API", (ledger) => {
  it("stands in the audit with who, what, before and after, by whatever route", async () => {
    const changing = Object.entries(ROUTE_ACCESS).flatMap(([route, { role }]) =>
      role !== undefined && !route.startsWith("GET ") ? [route] : [],
    );
    const named = [...CHANGES.map(([route]) => route), ...Object.keys(OTHERWISE)];
    expect(named.toSorted()).toEqual(changing.toSorted());

    const world = await openWorld(ledger());
    const { name, secret } = await world.makeToken("admin");
    let lastId = 0;
    const problems: object[] = [];
    for (const [route, action, facts = {}] of CHANGES) {
      const request = await requestOf(world, route);
      const answer = await world.ask({ ...request, headers: { "x-outdial-actor": "ann" } }, secret);
      if (answer.statusCode >= 300) {
        problems.push({ route, body: answer.body });
        continue;
      }
      const entries = await rows<Entry & { id: number }>(
        ledger().db,
        sql`select id, action, actor, on_behalf_of, detail from audit where id > ${lastId} and action = ${action} order by id desc`,
      );
      const entry = { action, actor: `token:${name}`, on_behalf_of: "ann", detail: facts };
      try {
        expect(entries[0]).toMatchObject(entry);
      } catch {
        problems.push({ route, wanted: entry, found: entries[0] });
      }
      lastId = entries[0]?.id ?? lastId;
    }
    expect(problems, world.api.logged.join("\n")).toEqual([]);
  });
});

/** Where a thing of its own makes it possible, that. */
async function requestOf(world: World, route: string) {
  const request = world.requestFor(route);
  if (route === "DELETE /v1/tokens/:name")
    return { ...request, url: `/v1/tokens/${(await world.makeToken("viewer")).name}` };
  return request;
}
