import { sql } from "drizzle-orm";
import { describe, expect, inject, it } from "vitest";

import { startRecurringRun } from "../../../src/activities/schedules/start-recurring-run.ts";
import { UnknownSecretError } from "../../../src/domain/ground/secrets.ts";
import { findCampaign, readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { startCampaign } from "../../../src/ledger/campaigns/commands.ts";
import { firstRow, rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { setTriggerEnabled } from "../../../src/ledger/triggers/triggers.ts";
import { removeSuppression } from "../../../src/ledger/ground/suppressions.ts";
import type { Platform } from "../../../src/platform/index.ts";
import { describeSomeLedger, given } from "../../support/ledgers.ts";
import { recurringOn, runOf } from "../../support/recurring.ts";
import { openApi, openSandbox } from "../support.ts";

const AGENT = "11111111-1111-4111-8111-111111111111";

let sets = 0;

/** A document of every kind, under names of their own: what others speak of first. */
function documentsOf(changes: { concurrency?: number; agent_id?: string } = {}, set = `s${(sets += 1)}`) {
  const caller = { agent_id: AGENT, from_numbers: ["+12025550100"] };
  return [
    { kind: "automation", name: `${set}-sync`, workflow: { nodes: [] }, trigger_type: "webhook" },
    {
      kind: "suppression-list",
      name: `${set}-dnc`,
      brand: set,
      reason: "asked",
      numbers: ["+12025550143", "(202) 555-0144"],
      default_region: "US",
    },
    { kind: "campaign", name: `${set} spring`, brand: set, ...caller, concurrency: 5, ...changes },
    {
      kind: "sequence",
      name: `${set} trial`,
      ...caller,
      steps: [
        { id: "call", call: {}, on: { unknown: "end", otherwise: "end" } },
        { id: "end", exit: { outcome: "over" } },
      ],
    },
    {
      kind: "trigger",
      name: `${set}-lead`,
      auth: { scheme: "bearer", secret: "crm" },
      idempotency: { field: "payload.id" },
      enroll: { sequence: `${set} trial`, phone: "payload.phone" },
    },
    { kind: "schedule", name: `${set}-nightly`, run: { automation: `${set}-sync` }, cron: "30 2 * * *" },
    {
      kind: "suppression-source",
      name: `${set}-register`,
      type: "do_not_call",
      brand: `${set}-other`,
      max_age: "744h",
    },
    {
      kind: "attention-route",
      name: `${set}-ops`,
      to: { webhook: { url: "https://alerts.example.com/hook", secret: "alerts" } },
    },
    {
      kind: "event-webhook",
      name: `${set}-events`,
      to: { webhook: { url: "https://crm.example.com/hook", secret: "crm" } },
      types: ["call.ended"],
    },
  ];
}

type Answer = { status: number; body: Record<string, unknown> };
interface Item {
  kind: string;
  name: string;
  change: string;
  reason: string | null;
  warnings: string[];
  fields: { field: string; before: string | null; after: string | null }[];
}

async function open(ledger: Ledger, platform: Platform) {
  const secrets = {
    read: (name: string) => {
      throw new UnknownSecretError(name, `there is no secret ${name}`);
    },
  };
  const api = await openApi(ledger, { platform, secrets });
  const ask = async (method: "GET" | "POST", url: string, payload?: object): Promise<Answer> => {
    const answer = await api.app.inject({ method, url: `/v1/declared${url}`, ...(payload && { payload }) });
    return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
  };
  return {
    ...api,
    ask,
    diff: async (documents: object[]) => (await ask("POST", "/diff", { documents })).body["items"] as Item[],
    apply: (document: object) => ask("POST", "/apply", { document }),
    prune: (key: object) => ask("POST", "/prune", key),
  };
}

/** What the audit says of documents that were applied, however often. */
const EACH_ONCE = [
  { action: "attention_route.put", n: 1 },
  { action: "automation.create", n: 1 },
  // Its own, and the one that the sequence's calls are placed into.
  { action: "campaign.create", n: 2 },
  { action: "declaration.apply", n: 9 },
  { action: "event_webhook.put", n: 1 },
  { action: "schedule.create", n: 1 },
  { action: "sequence.put", n: 1 },
  { action: "suppression_source.put", n: 1 },
  { action: "trigger.create", n: 1 },
];

const killed = new Error("killed");

/** Dies at one transaction: before its commit, or after it. Nothing is asked of it from then on. */
function dyingLedger(
  ledger: Ledger,
  nth: number,
  when: "before" | "after",
): Ledger & { died: () => boolean } {
  let count = 0;
  return {
    kind: ledger.kind,
    db: ledger.db,
    urgent: ledger.urgent,
    hasRoom: () => ledger.hasRoom(),
    close: () => ledger.close(),
    died: () => count >= nth,
    transaction: async (work) => {
      if (count >= nth) throw killed;
      const isLast = (count += 1) === nth;
      const result = await ledger.transaction(async (tx) => {
        const inner = await work(tx);
        if (isLast && when === "before") throw killed;
        return inner;
      });
      if (isLast) throw killed;
      return result;
    },
  };
}

describeSomeLedger("declared state", (ledger) => {
  /** How often each thing was done that is to be done once. */
  const auditOf = async (set: string) =>
    rows<{ action: string; n: number }>(
      ledger().db,
      sql`select action, count(*)::int as n from audit
          where action in ('automation.create', 'campaign.create', 'sequence.put', 'trigger.create', 'schedule.create', 'suppression_source.put', 'attention_route.put', 'event_webhook.put', 'declaration.apply')
            and detail::text like ${`%"${set}%`} group by 1 order by 1`,
    );

  it("is created once, in whatever state it was left, changed where it differs, and is the same after that", async () => {
    const { platform } = await openSandbox();
    const api = await open(ledger(), platform);
    const documents = documentsOf();
    expect((await api.diff(documents)).map(({ change }) => change)).toEqual(Array(9).fill("create"));
    for (const document of documents)
      expect(await api.apply(document)).toMatchObject({ status: 200, body: { change: "created" } });
    expect((await api.diff(documents)).map(({ change }) => change)).toEqual(Array(9).fill("same"));
    for (const document of documents)
      expect(await api.apply(document)).toMatchObject({ status: 200, body: { change: "none" } });

    const [, list, campaign] = documents;
    const faster = { ...campaign, concurrency: 9 };
    expect(await api.diff([faster])).toMatchObject([
      { change: "change", fields: [{ field: "concurrency", before: "5", after: "9" }] },
    ]);
    expect((await api.apply(faster)).body["change"]).toBe("changed");
    expect((await api.diff([faster]))[0]?.change).toBe("same");
    const another = { ...faster, agent_id: "another" };
    expect((await api.diff([another]))[0]?.reason).toContain("can't be amended in agent_id");
    expect(await api.apply(another)).toMatchObject({ status: 409, body: { code: "command_refused" } });

    await ledger().transaction((tx) =>
      removeSuppression(tx, {
        phone: "+12025550144",
        brand: String(list?.brand),
        reason: "by hand",
        actor: "test",
        nowMs: Date.now(),
      }),
    );
    expect(await api.diff([list ?? {}])).toMatchObject([
      { change: "change", fields: [{ field: "numbers", after: "1 of 2 to add" }] },
    ]);
    expect((await api.apply(list ?? {})).body["change"]).toBe("changed");
  });

  it("says of a trigger without a key of its own what that means, as putting it does", async () => {
    const { platform } = await openSandbox();
    const api = await open(ledger(), platform);
    const [, , , , trigger] = documentsOf();
    const enroll = undefined;
    const event = { name: "seen", phone: "payload.phone" };
    const keyless = {
      ...trigger,
      idempotency: undefined,
      enroll,
      event,
      auth: { scheme: "standard_webhooks", secret: "crm" },
    };
    expect((await api.diff([keyless]))[0]?.warnings).toEqual([expect.stringContaining("auth.secret")]);
    const warned = [expect.stringContaining("it has no idempotency"), expect.stringContaining("auth.secret")];
    const bearer = { ...keyless, auth: { scheme: "bearer", secret: "crm" } };
    expect((await api.diff([bearer]))[0]?.warnings).toEqual(warned);
    expect((await api.apply(bearer)).body["warnings"]).toEqual(warned);
  });

  it("says of a schedule whose campaign has no source of contacts that no run could be made", async () => {
    const { platform } = await openSandbox();
    const api = await open(ledger(), platform);
    const [, , campaign] = documentsOf();
    const { name, brand } = { name: "", brand: "", ...campaign };
    const schedule = { kind: "schedule", name: "bare", run: { campaign: name, brand }, cron: "0 9 * * *" };
    // What is declared with it may say where they are.
    const warningsOf = (items: Item[]) => items.map(({ warnings }) => warnings);
    expect(warningsOf(await api.diff([campaign ?? {}, schedule]))).toEqual([[], []]);
    await api.apply(campaign ?? {});
    const unsourced = [expect.stringContaining("run: nothing says where the contacts of campaign")];
    expect(warningsOf(await api.diff([schedule]))).toEqual([unsourced]);
    expect((await api.apply(schedule)).body["warnings"]).toEqual(unsourced);
    const sourced = { ...schedule, run: { ...schedule.run, contacts: { file: "l.csv" } } };
    expect((await api.apply(sourced)).body["warnings"]).toEqual([]);
  });

  it("says what a document needs that is neither there nor declared with it", async () => {
    const { platform } = await openSandbox();
    const api = await open(ledger(), platform);
    const [automation, , , sequence, trigger, schedule] = documentsOf();
    const secret = expect.stringMatching(/^auth\.secret: .*secret crm/);
    const named = { sequence: sequence?.name ?? "", automation: automation?.name ?? "" };
    const needed = [trigger ?? {}, schedule ?? {}];
    expect(await api.diff(needed)).toMatchObject([
      {
        warnings: [
          secret,
          `enroll.sequence: there is no sequence "${named.sequence}" in brand "default": put it, or correct the name`,
        ],
      },
      { warnings: [expect.stringContaining(`run.automation: there is no automation "${named.automation}"`)] },
    ]);
    expect((await api.apply(schedule ?? {})).body["warnings"]).toHaveLength(1);
    // In the same request, in another one of the same folder, or there.
    const together = await api.diff([automation ?? {}, sequence ?? {}, ...needed]);
    expect(together.map(({ warnings }) => warnings)).toEqual([[], [], [secret], []]);
    const others = [
      { kind: "automation", name: named.automation },
      { kind: "sequence", brand: "default", name: named.sequence },
    ];
    const beside = await api.ask("POST", "/diff", { documents: needed, others });
    expect(beside.body["items"]).toMatchObject([{ warnings: [secret] }, { warnings: [] }]);
    for (const document of [automation ?? {}, sequence ?? {}]) await api.apply(document);
    expect(await api.diff(needed)).toMatchObject([{ warnings: [secret] }, { warnings: [] }]);
  });

  it("by two applies at once is brought about once, and both come to their end", async () => {
    const { platform } = await openSandbox();
    const api = await open(ledger(), platform);
    const set = "twins";
    const documents = documentsOf({}, set);
    const applyAll = async () => {
      for (const document of documents)
        expect(await api.apply(document), JSON.stringify(document)).toMatchObject({ status: 200 });
    };
    await Promise.all([applyAll(), applyAll(), applyAll()]);
    expect((await api.diff(documents)).map(({ change }) => change)).toEqual(Array(9).fill("same"));
    expect(await auditOf(set)).toEqual(EACH_ONCE);
  });

  it("converges when the system is killed at any step, and does nothing twice", async () => {
    // Many steps, of which each kind of ledger makes the same; this one takes four times as long for them.
    if (ledger().kind === "embedded" && inject("postgresUrl") !== undefined) return;
    const { platform } = await openSandbox();
    const whole = await open(ledger(), platform);
    for (const when of ["before", "after"] as const) {
      let isThrough = false;
      for (let nth = 1; !isThrough; nth += 1) {
        const set = `k${when}${nth}x`;
        const documents = documentsOf({}, set);
        const dying = dyingLedger(ledger(), nth, when);
        const api = await open(dying, platform);
        for (const document of documents) if ((await api.apply(document)).status !== 200) break;
        isThrough = !dying.died();
        for (const document of documents)
          expect(await whole.apply(document), `${set} ${JSON.stringify(document)}`).toMatchObject({
            status: 200,
          });
        expect((await whole.diff(documents)).map(({ change }) => change)).toEqual(Array(9).fill("same"));
        const audit = await auditOf(set);
        expect(audit, set).toEqual(EACH_ONCE);
        // Of these there may be twenty.
        expect(await whole.prune({ kind: "event-webhook", name: `${set}-events` })).toMatchObject({
          status: 200,
        });
      }
    }
  });

  it("of a campaign that is under way is amended where it stands, and one that is over has a next run", async () => {
    const { platform } = await openSandbox();
    const api = await open(ledger(), platform);
    const campaign = documentsOf()[2] ?? {};
    await api.apply(campaign);
    const { id } = given(
      await firstRow<{ id: string }>(
        ledger().db,
        sql`select id from campaigns where name = ${String(Reflect.get(campaign, "name"))}`,
      ),
    );
    await startCampaign(ledger(), {
      campaignId: id,
      commandId: "start",
      actor: "test",
      reason: undefined,
      allowPartial: true,
      nowMs: Date.now(),
    });
    const faster = { ...campaign, concurrency: 9 };
    expect((await api.apply(faster)).body["change"]).toBe("changed");
    expect(await readCampaign(ledger().db, id)).toMatchObject({ policyVersion: 2, concurrency: 9 });
    await rows(
      ledger().db,
      sql`update campaigns set state = 'completed', ended_at = now() where id = ${id}::uuid`,
    );
    expect((await api.diff([faster]))[0]?.change).toBe("same");
    const slower = { ...campaign, concurrency: 8 };
    expect((await api.diff([slower]))[0]).toMatchObject({
      change: "create",
      reason: expect.stringContaining("run 1"),
    });
    expect((await api.apply(slower)).body["change"]).toBe("created");
    expect((await api.diff([slower]))[0]?.change).toBe("same");
  });

  describe("of a campaign and the schedule that runs it", () => {
    const pairOf = (run: Record<string, unknown> = {}) => {
      const campaign = { ...documentsOf()[2], contacts: { file: "list.csv" } };
      const { name = "", brand = "" } = campaign as { name?: string; brand?: string };
      const schedule = {
        kind: "schedule",
        name: `${brand}-daily`,
        run: { campaign: name, brand, not_called_within: "7d", ...run },
        cron: "0 0 1 1 *",
      };
      return { campaign, schedule, brand, name };
    };
    const newestOf = async ({ brand, name }: { brand: string; name: string }) =>
      given(await findCampaign(ledger().db, brand, name));
    const changes = (items: Item[]) => items.map(({ change }) => change);

    it("keeps what the schedule said to the runs, while one is going on and between them", async () => {
      const { platform } = await openSandbox();
      const api = await open(ledger(), platform);
      const pair = pairOf();
      const { campaign, schedule } = pair;
      for (const document of [campaign, schedule])
        expect((await api.apply(document)).body["change"]).toBe("created");
      const again = async () => {
        expect(changes(await api.diff([campaign, schedule]))).toEqual(["same", "same"]);
        for (const document of [campaign, schedule])
          expect((await api.apply(document)).body["change"]).toBe("none");
      };
      // Written down before its schedule was, it gets what that says: whatever comes first, the same comes of it.
      expect((await api.diff([campaign]))[0]).toMatchObject({
        change: "change",
        fields: [{ field: "not_called_within", before: null, after: '"7d"' }],
      });
      expect((await api.apply(campaign)).body["change"]).toBe("changed");
      await again();

      const { deps, list } = recurringOn(ledger());
      list("list.csv", "phone\n+12025550111\n");
      const runIt = async () =>
        startRecurringRun(deps, { scheduleRunId: (await runOf(ledger(), schedule)).id });
      await runIt();
      expect(await newestOf(pair)).toMatchObject({
        run: 1,
        state: "running",
        spec: { not_called_within: "7d" },
      });
      const { policyVersion } = await newestOf(pair);
      await again();
      expect((await newestOf(pair)).policyVersion).toBe(policyVersion);
      const { id } = await newestOf(pair);
      await rows(
        ledger().db,
        sql`update campaigns set state = 'completed', ended_at = now() where id = ${id}::uuid`,
      );
      await again();
      expect(await newestOf(pair)).toMatchObject({ run: 1 });

      // What else the document says is for the next run, and is in order when it stands there.
      const faster = { ...campaign, concurrency: 9 };
      expect((await api.apply(faster)).body["change"]).toBe("created");
      expect(await newestOf(pair)).toMatchObject({
        run: 2,
        spec: { concurrency: 9, not_called_within: "7d" },
      });
      expect(changes(await api.diff([faster, schedule]))).toEqual(["same", "same"]);
    });

    it("leaves the filter in a run that is going on, though the schedule is only about to be declared", async () => {
      const { platform } = await openSandbox();
      const api = await open(ledger(), platform);
      const pair = pairOf();
      const { campaign, schedule, brand, name } = pair;
      await api.apply({ ...campaign, not_called_within: "7d" });
      const { id } = await newestOf(pair);
      await rows(
        ledger().db,
        sql`update campaigns set state = 'running', started_at = now() where id = ${id}::uuid`,
      );
      expect(changes(await api.diff([campaign, schedule]))).toEqual(["same", "create"]);
      const schedules = [{ name: schedule.name, brand, campaign: name, not_called_within: "7d" }];
      const apart = await api.ask("POST", "/diff", { documents: [campaign], schedules });
      expect(apart.body["items"]).toMatchObject([{ change: "same" }]);
      const applied = await api.ask("POST", "/apply", { document: campaign, schedules });
      expect(applied).toMatchObject({ status: 200, body: { change: "none" } });

      // Without a schedule that asks for it, the document's word counts; where it says nothing, all stays as it is.
      expect(await api.diff([{ ...campaign, not_called_within: "1d" }])).toMatchObject([
        { change: "change", fields: [{ field: "not_called_within", before: '"7d"', after: '"1d"' }] },
      ]);
      expect(changes(await api.diff([campaign]))).toEqual(["same"]);
      // What somebody took off by hand is brought back.
      await api.apply(schedule);
      await rows(
        ledger().db,
        sql`update campaigns set spec = spec - 'not_called_within' where id = ${id}::uuid`,
      );
      expect((await api.apply(campaign)).body["change"]).toBe("changed");
      expect((await readCampaign(ledger().db, id))?.spec).toMatchObject({ not_called_within: "7d" });
      await rows(
        ledger().db,
        sql`update campaigns set state = 'completed', ended_at = now() where id = ${id}::uuid`,
      );
      expect((await api.apply(campaign)).body["change"]).toBe("none");
      expect((await api.apply({ ...campaign, concurrency: 9 })).body["change"]).toBe("created");
      expect(await newestOf(pair)).toMatchObject({ run: 2, spec: { not_called_within: "7d" } });
    });

    it.each([
      ["removed", undefined],
      ["of another campaign", { run: { campaign: "another", brand: "elsewhere" } }],
    ])(
      "leaves the filter in the run that a schedule began, though that is %s by now",
      async (_what, turn) => {
        const { platform } = await openSandbox();
        const api = await open(ledger(), platform);
        const pair = pairOf();
        const { campaign, schedule } = pair;
        await api.apply(schedule);
        await api.apply(campaign);
        const { deps, list } = recurringOn(ledger());
        list("list.csv", "phone\n+12025550111\n");
        await startRecurringRun(deps, { scheduleRunId: (await runOf(ledger(), schedule)).id });
        expect(await newestOf(pair)).toMatchObject({ state: "running", spec: { not_called_within: "7d" } });
        const { policyVersion } = await newestOf(pair);

        const less = { ...campaign, not_called_within: "1d" };
        const turned = { ...schedule, ...turn };
        if (turn) {
          expect(changes(await api.diff([campaign, turned]))).toEqual(["same", "change"]);
          expect(changes(await api.diff([less, turned]))).toEqual(["same", "change"]);
          await api.apply(turned);
        } else {
          const { status } = await api.prune({ kind: "schedule", name: schedule.name });
          expect(status).toBe(200);
        }
        for (const document of [campaign, less]) {
          expect(changes(await api.diff([document]))).toEqual(["same"]);
          expect((await api.apply(document)).body["change"]).toBe("none");
        }
        expect((await newestOf(pair)).policyVersion).toBe(policyVersion);

        // Nor is a next run asked for because of that. One that is asked for is what the document says.
        const { id } = await newestOf(pair);
        await rows(
          ledger().db,
          sql`update campaigns set state = 'completed', ended_at = now() where id = ${id}::uuid`,
        );
        expect((await api.apply(campaign)).body["change"]).toBe("none");
        const faster = { ...campaign, concurrency: 9 };
        expect((await api.diff([faster]))[0]?.fields).toMatchObject([
          { field: "concurrency" },
          { field: "not_called_within", after: null },
        ]);
        expect((await api.apply(faster)).body["change"]).toBe("created");
        const next = await newestOf(pair);
        expect(next).toMatchObject({ run: 2, state: "scheduled", spec: { concurrency: 9 } });
        expect(next.spec.not_called_within).toBeUndefined();
        expect(changes(await api.diff([faster]))).toEqual(["same"]);
      },
    );

    it("keeps the document's longer filter in a run that a person began", async () => {
      const { platform } = await openSandbox();
      const api = await open(ledger(), platform);
      const pair = pairOf();
      const campaign = { ...pair.campaign, not_called_within: "30d" };
      await api.apply(pair.schedule);
      await api.apply(campaign);
      const { id } = await newestOf(pair);
      await rows(
        ledger().db,
        sql`update campaigns set state = 'running', started_at = now() where id = ${id}::uuid`,
      );
      expect((await api.apply(campaign)).body["change"]).toBe("none");
      expect(await newestOf(pair)).toMatchObject({
        run: 1,
        policyVersion: 1,
        spec: { not_called_within: "30d" },
      });
    });

    it("is exported though this version can't read one of the schedules", async () => {
      const { platform } = await openSandbox();
      const api = await open(ledger(), platform);
      const { campaign, schedule, name } = pairOf();
      await api.apply(schedule);
      await api.apply(campaign);
      const readable = given(
        await firstRow<{ cron: unknown }>(
          ledger().db,
          sql`select definition -> 'cron' as cron from schedules where name = ${schedule.name}`,
        ),
      );
      const setCron = (cron: unknown) =>
        rows(
          ledger().db,
          sql`update schedules set definition = jsonb_set(definition, '{cron}', ${JSON.stringify(cron)}::jsonb)
              where name = ${schedule.name}`,
        );
      await setCron({ of: "a later version" });
      const { status, body } = await api.ask("GET", "/documents?kind=campaign&limit=200");
      const change = (await api.diff([campaign]))[0]?.change;
      await setCron(readable.cron);
      expect({ status, change }).toEqual({ status: 200, change: "same" });
      expect((body["items"] as { name: string }[]).map((document) => document.name)).toContain(name);
    });

    it("is refused where both hold its spec, and is exported with the schedule alone", async () => {
      const { platform } = await openSandbox();
      const api = await open(ledger(), platform);
      const spec = { agent_id: AGENT, from_numbers: ["+12025550100"], concurrency: 5 };
      const pair = pairOf({ spec });
      const { campaign, schedule, brand, name } = pair;
      expect((await api.diff([campaign, schedule]))[0]).toMatchObject({
        change: "refused",
        reason: expect.stringContaining(`has its spec in schedule ${schedule.name}, too (run.spec)`),
      });
      expect((await api.diff([campaign, schedule]))[0]?.reason).toContain(
        `outdial schedule remove ${schedule.name}`,
      );
      await api.apply(campaign);
      await api.apply(schedule);
      expect(await api.apply(campaign)).toMatchObject({ status: 409, body: { code: "command_refused" } });
      // One that is declared with the campaign counts in place of what is there.
      expect(changes(await api.diff([campaign, { ...schedule, run: { campaign: name, brand } }]))).toEqual([
        "same",
        "change",
      ]);
      const exported = async (kind: string) => {
        const { body } = await api.ask("GET", `/documents?kind=${kind}&limit=200`);
        return (body["items"] as { name: string }[]).map((document) => document.name);
      };
      expect(await exported("campaign")).not.toContain(name);
      expect(await exported("schedule")).toContain(schedule.name);
    });
  });

  it("is exported as documents that change nothing, whatever they hold", async () => {
    const { platform } = await openSandbox();
    const api = await open(ledger(), platform);
    const documents = documentsOf();
    for (const document of documents) await api.apply(document);
    for (const kind of ["automation", "campaign", "sequence", "trigger", "schedule"]) {
      const exported: object[] = [];
      for (let behind = ""; ;) {
        const { body }: Answer = await api.ask("GET", `/documents?kind=${kind}&limit=2${behind}`);
        exported.push(...(body["items"] as object[]));
        if (typeof body["next_after"] !== "string") break;
        behind = `&after=${body["next_after"]}`;
      }
      expect(exported.length).toBeGreaterThan(0);
      for (const change of (await api.diff(exported.slice(0, 100))).map((item) => item.change))
        expect(change, kind).toBe("same");
    }
  });

  it("is pruned as its kind is, remembered until it comes back, and suppressions stay", async () => {
    const { platform } = await openSandbox();
    const api = await open(ledger(), platform);
    const documents = documentsOf();
    for (const document of documents) await api.apply(document);
    const keyOf = ({ kind, name, brand = "" }: { kind: string; name: string; brand?: string }) => ({
      kind,
      name,
      brand: kind === "sequence" ? "default" : brand,
    });
    const declared = async () =>
      ((await api.ask("GET", "")).body["items"] as { kind: string; name: string; removal: string }[]).filter(
        ({ name }) => documents.some((document) => document.name === name),
      );
    expect((await declared()).map(({ kind }) => kind)).toHaveLength(9);
    const [automation, list, campaign, sequence, trigger, schedule, , route, webhook] = documents.map((one) =>
      keyOf(one),
    );
    expect(await api.prune(list ?? {})).toMatchObject({ status: 409, body: { code: "command_refused" } });
    expect(await api.prune({ ...trigger, digest: "of another time" })).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining("was declared anew meanwhile") },
    });
    for (const key of [automation, campaign, sequence, trigger, schedule, route, webhook])
      expect(await api.prune(key ?? {}), JSON.stringify(key)).toMatchObject({ status: 200 });
    expect((await declared()).map(({ kind }) => kind).toSorted()).toEqual([
      "suppression-list",
      "suppression-source",
    ]);
    expect((await api.prune(trigger ?? {})).body["removal"]).toBe("is pruned already");
    expect((await api.prune({ kind: "trigger", name: "never-there" })).status).toBe(404);
    // Whoever is killed now has it brought to its end all the same.
    const state = await firstRow<{ state: string; ending: string; told: boolean }>(
      ledger().db,
      sql`select state, ending, exists (select 1 from outbox o where o.kind = 'campaign' and o.subject = c.id::text) as told
          from campaigns c where name = ${String(campaign?.name)}`,
    );
    expect(state).toEqual({ state: "draining", ending: "cancelled", told: true });

    const [, , , sequenceAgain, triggerAgain, scheduleAgain] = documents;
    for (const document of [sequenceAgain, triggerAgain])
      expect((await api.apply(document ?? {})).body["change"]).toBe("changed");
    expect((await api.apply(scheduleAgain ?? {})).body["change"]).toBe("created");
    // What a person closes stays closed.
    const name = String(trigger?.name);
    await ledger().transaction((tx) =>
      setTriggerEnabled(tx, { name, enabled: false, actor: "test", nowMs: Date.now() }),
    );
    expect((await api.apply(triggerAgain ?? {})).body["change"]).toBe("none");
  });

  it("of a source is seen to drift, shows no query of its service, and is pruned once it is gone by hand", async () => {
    const { platform } = await openSandbox();
    const api = await open(ledger(), platform);
    const set = `s${(sets += 1)}`;
    const scrub = { url: "https://scrub.example.com/v1?region=7", secret: "carrier", cache_for: "168h" };
    const document = { kind: "suppression-source", name: `${set}-scrub`, type: "scrub", brand: set, scrub };
    const [created] = await api.diff([document]);
    expect(created).toMatchObject({
      change: "create",
      warnings: [expect.stringMatching(/^scrub\.secret: .*secret carrier/) as string],
    });
    expect(await api.apply(document)).toMatchObject({ body: { change: "created" } });
    const put = (changes: object) =>
      api.app.inject({
        method: "PUT",
        url: `/v1/suppressions/sources/${document.name}`,
        payload: { type: "scrub", ...changes },
      });
    // By hand its scope is widened; a service's secret has to be there for that, so it is made a list besides.
    expect((await put({})).statusCode).toBe(200);
    const [drifted] = await api.diff([document]);
    expect(drifted).toMatchObject({ change: "change" });
    expect(drifted?.fields.map(({ field }) => field)).toEqual(["brand", "scrub"]);
    expect(JSON.stringify(drifted)).not.toContain("region=7");
    expect(await api.apply(document)).toMatchObject({ body: { change: "changed" } });
    expect(await api.diff([document])).toMatchObject([{ change: "same" }]);
    const elsewhere = { ...document, scrub: { ...scrub, url: "https://scrub.example.com/v1?region=8" } };
    expect(await api.diff([elsewhere])).toMatchObject([
      { change: "change", fields: [{ field: "scrub.url", after: expect.stringContaining("another query") }] },
    ]);
    const exported = await api.ask("GET", "/documents?kind=suppression-source");
    expect(JSON.stringify(exported.body["items"])).not.toContain(document.name);
    expect(exported.body["withheld"]).toContainEqual({
      kind: "suppression-source",
      brand: "",
      name: document.name,
      fields: ["scrub.url"],
    });
    const campaign = {
      kind: "campaign",
      name: `${set} needs`,
      brand: set,
      agent_id: AGENT,
      from_numbers: ["+12025550100"],
      concurrency: 1,
      requires_sources: [document.name, `${set}-nowhere`],
    };
    const [needs] = await api.diff([campaign]);
    expect(needs?.warnings).toEqual([
      expect.stringContaining(`no source of suppressions ${set}-nowhere`) as string,
    ]);
    const key = { kind: "suppression-source", name: document.name };
    expect(await api.prune(key)).toMatchObject({ status: 409 });
    await api.app.inject({
      method: "DELETE",
      url: `/v1/suppressions/sources/${document.name}`,
      payload: { reason: "another provider" },
    });
    expect(await api.prune(key)).toMatchObject({
      status: 200,
      body: { removal: "is gone already: forgotten" },
    });
  });

  it.each([
    [{ max_age: "1s" }, "max_age"],
    [{ scrub: { url: "https://a.example.com/", secret: "x" } }, "type"],
    [
      { type: "scrub", scrub: { url: "https://a.example.com/?api_key=abcdefghijkl0123", secret: "x" } },
      "scrub.url",
    ],
    [{ type: "scrub", scrub: { url: "https://a.example.com/" } }, "scrub.secret"],
    [{ global: true }, "global"],
  ])("of a source is refused with %j", async (changes, field) => {
    const { platform } = await openSandbox();
    const api = await open(ledger(), platform);
    const document = { kind: "suppression-source", name: "refused", type: "own", ...changes };
    const refused = await api.ask("POST", "/diff", { documents: [document] });
    expect(refused).toMatchObject({ status: 422, body: { detail: expect.stringContaining(field) } });
  });

  it("of a campaign that was started is not pruned", async () => {
    const { platform } = await openSandbox();
    const api = await open(ledger(), platform);
    const campaign = documentsOf()[2];
    await api.apply(campaign ?? {});
    const name = String(campaign?.name);
    await rows(
      ledger().db,
      sql`update campaigns set state = 'running', started_at = now() where name = ${name}`,
    );
    expect(await api.prune({ kind: "campaign", brand: campaign?.brand, name })).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining("was started and is running") },
    });
  });

  it("is refused with every problem of every document, and the platform is asked before anything is written", async () => {
    const { platform } = await openSandbox();
    const api = await open(ledger(), platform);
    const wrong = await api.ask("POST", "/diff", { documents: [{ kind: "campaign" }, { name: "x" }] });
    expect(wrong).toMatchObject({ status: 422, body: { code: "invalid_spec" } });
    expect(JSON.stringify(wrong.body["errors"])).toContain("documents[1]: kind");
    const campaign = documentsOf({ agent_id: "99999999-9999-4999-8999-999999999999" })[2] ?? {};
    expect(await api.apply(campaign)).toMatchObject({ status: 422, body: { code: "caller_refused" } });
    expect((await api.diff([campaign]))[0]?.change).toBe("create");
  });
});
