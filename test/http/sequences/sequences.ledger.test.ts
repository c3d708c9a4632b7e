import { sql } from "drizzle-orm";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parse } from "yaml";

import { rows } from "../../../src/ledger/ground/connection.ts";
import { setHolds } from "../../../src/ledger/campaigns/explanations.ts";
import { planAndStart } from "../../ledger/support/scenario.ts";
import { describeSomeLedger, given } from "../../support/ledgers.ts";
import { DRAFT_AGENT, openApi, openSandbox, phonesFrom, sha256, specOf, type TestApi } from "../support.ts";

interface Answer {
  statusCode: number;
  body: string;
  json: <T>() => T;
}

interface ShownEnrolment {
  awaits_call: boolean;
  calls: { state: string; held_by: { reason: string; detail: string }[] }[];
}

const WAIT = { id: "wait", wait: { for: "1d" } };

describeSomeLedger("sequences over HTTP", (ledger) => {
  const open = async () => openApi(ledger(), { platform: (await openSandbox()).platform });

  function definitionOf(steps: readonly object[], changes: object = {}): Record<string, unknown> {
    const { concurrency: _concurrency, ...campaign } = specOf();
    return { ...campaign, steps, ...changes };
  }

  const put = (api: TestApi, definition: unknown): Promise<Answer> =>
    api.app.inject({ method: "PUT", url: "/v1/sequences", payload: { definition } });
  const post = (api: TestApi, url: string, payload: object = {}, headers: Record<string, string> = {}) =>
    api.app.inject({ method: "POST", url, payload, headers });
  const get = async <T>(api: TestApi, url: string): Promise<T> => {
    const answer = await api.app.inject({ method: "GET", url });
    expect([answer.statusCode, answer.statusCode === 200 ? "" : answer.body]).toEqual([200, ""]);
    return answer.json<T>();
  };

  async function written(api: TestApi, steps: readonly object[] = [WAIT], changes: object = {}) {
    const definition = definitionOf(steps, changes);
    const answer = await put(api, definition);
    expect([answer.statusCode, answer.body.slice(0, 300)]).toEqual([200, expect.stringContaining("created")]);
    return { url: `/v1/sequences/${encodeURIComponent(String(definition["name"]))}`, definition };
  }

  const upload = (api: TestApi, url: string, list: string, query: Record<string, string> = {}) =>
    api.app.inject({
      method: "POST",
      url: `${url}/enrolments/list`,
      query: { digest: sha256(list), source_name: "list.csv", ...query },
      headers: { "content-type": "text/csv" },
      payload: list,
    });

  it("places people by their country, state and ZIP code, and says what it does not understand", async () => {
    const api = await open();
    const { url } = await written(api, [WAIT], { zones: "strict" });
    const zonesOf = async (body: object) => {
      const answer = await post(api, `${url}/enrolments`, body);
      expect([answer.statusCode, answer.statusCode === 202 ? "" : answer.body]).toEqual([202, ""]);
      const { enrolment_id } = answer.json<{ enrolment_id: string }>();
      const [row] = await rows<{ zones: string[] }>(
        ledger().db,
        sql`select z.zones from enrolments e join zone_sets z on z.id = e.zone_set_id where e.id = ${enrolment_id}::uuid`,
      );
      return given(row).zones;
    };
    const [a, b, c, d] = phonesFrom(4_100, 4);
    expect(await zonesOf({ phone: a })).toContain("Pacific/Honolulu");
    expect(await zonesOf({ phone: b, state: "NY" })).toEqual(["America/New_York"]);
    expect(await zonesOf({ phone: c, postal_code: "20001" })).toEqual(["America/New_York"]);
    for (const [field, value] of [
      ["state", "won"],
      ["postal_code", "n/a"],
      ["country", "Atlantis"],
    ] as const) {
      const refused = await post(api, `${url}/enrolments`, { phone: d, [field]: value });
      expect(refused.statusCode).toBe(422);
      expect(refused.json()).toMatchObject({
        errors: [{ field, message: expect.stringContaining(`"${value}" is not known`) }],
      });
    }
  });

  it("lists sequences without counting who is in them, where nobody wants to know", async () => {
    const api = await open();
    const { url, definition } = await written(api, [WAIT]);
    const [phone] = phonesFrom(4_110, 1);
    await post(api, `${url}/enrolments`, { phone });
    const counted = async (query: string) => {
      const { items } = (await api.app.inject({ url: `/v1/sequences?limit=100${query}` })).json<{
        items: { name: string; enrolments: { total: number } | null }[];
      }>();
      return items
        .filter(({ name }) => name === definition["name"])
        .map(({ enrolments }) => enrolments?.total);
    };
    expect(await counted("")).toEqual([1]);
    expect(await counted("&counted=false")).toEqual([undefined]);
  });

  it("tells of a list who in it can never be called", async () => {
    const api = await open();
    const call = { id: "call", call: { window: { weekdays: ["09:00-18:00"] } } };
    const { url } = await written(api, [call]);
    const taken = await upload(api, url, "phone\n+79161234567\n+12025554190\n");
    expect(taken.json()).toMatchObject({
      rows: { accepted: 1, rejected: 1 },
      never_dialed: [{ reason: "no_common_window", region: "RU", contacts: 1 }],
    });
  });

  it("writes a sequence down, tells every mistake at once, and draws it", async () => {
    const api = await open();
    const wrong = await put(api, { name: "x", steps: [{ id: "a", wait: {} }, { id: "b" }], colour: "red" });
    expect(wrong.statusCode).toBe(422);
    const { code, errors } = wrong.json<{ code: string; errors: { field: string }[] }>();
    expect([code, errors.map(({ field }) => field)]).toEqual([
      "invalid_spec",
      expect.arrayContaining(["colour", "steps[0].wait", "steps[1]"]),
    ]);
    const { url, definition } = await written(api, [{ id: "first", call: {} }]);
    expect((await put(api, definition)).json()).toMatchObject({ result: "same", version: 1 });
    expect((await put(api, { ...definition, variables: { a: "b" } })).json()).toMatchObject({
      result: "new_version",
      version: 2,
    });
    expect(await get(api, url)).toMatchObject({
      state: "active",
      version: 2,
      versions: [{ version: 2 }, { version: 1 }],
    });
    const diagram = await api.app.inject({ method: "GET", url: `${url}/diagram` });
    expect([diagram.headers["content-type"], diagram.body]).toEqual([
      expect.stringContaining("text/plain"),
      expect.stringMatching(/^flowchart TD/),
    ]);
    expect(await get(api, "/v1/sequences?limit=1")).toMatchObject({ items: [expect.anything()] });
    expect((await api.app.inject({ method: "GET", url: "/v1/sequences/nobody" })).json()).toMatchObject({
      code: "unknown_sequence",
    });
  });

  it("asks the platform whether each of its call steps could call", async () => {
    const api = await open();
    const answer = await put(
      api,
      definitionOf([
        { id: "first", call: {} },
        { id: "second", call: { agent_id: DRAFT_AGENT, from_numbers: ["+12025559999"] } },
      ]),
    );
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({
      code: "caller_refused",
      errors: [{ field: "call of step second: agent_id" }, { field: "call of step second: from_numbers[0]" }],
    });
  });

  it("enrolls one person: durable when answered, once for each request, and shows the way", async () => {
    const api = await open();
    const { url } = await written(api, [WAIT], { default_region: "US" });
    const person = { phone: "(202) 555-0143", variables: { name: "Ann", seats: 3, trial: true } };
    const first = await post(api, `${url}/enrolments`, person, { "idempotency-key": "one" });
    expect(first.statusCode).toBe(202);
    const { enrolment_id: id } = first.json<{ enrolment_id: string }>();
    const again = await post(api, `${url}/enrolments`, { ...person, request_key: "one" });
    expect([again.statusCode, again.json()]).toEqual([200, { enrolment_id: id, result: "already" }]);
    const both = await post(
      api,
      `${url}/enrolments`,
      { ...person, request_key: "two" },
      { "idempotency-key": "one" },
    );
    expect(both.statusCode).toBe(422);
    expect(await get(api, `/v1/enrolments/${id}`)).toMatchObject({
      phone: "+12025550143",
      region: "US",
      variables: { name: "Ann", seats: "3", trial: "true" },
      state: "active",
      started_at: null,
      source: "api",
    });
    expect(api.kicks.length).toBeGreaterThan(0);
    const wrong = await post(api, `${url}/enrolments`, { phone: "12", time_zone: "Mars/Base" });
    expect(wrong.json()).toMatchObject({ code: "invalid_request", errors: [{ field: "phone" }] });
    await post(api, `${url}/close`);
    const closed = await post(api, `${url}/enrolments`, { phone: "+12025550144" });
    expect([closed.statusCode, closed.json()]).toEqual([
      409,
      expect.objectContaining({ code: "enrolment_refused", reason: "sequence_closed" }),
    ]);
  });

  it.each(["trial-welcome", "overdue-invoice", "hubspot-deal-follow-up"])(
    "takes the example %s, whose agent and numbers the default sandbox has",
    async (name) => {
      const api = await open();
      const file = new URL(`../../../examples/sequences/${name}.yaml`, import.meta.url);
      const answer = await put(api, parse(readFileSync(file, "utf8")));
      expect([answer.statusCode, answer.json()]).toEqual([
        200,
        expect.objectContaining({ result: "created" }),
      ]);
    },
  );

  it("tells one enrolment: it has taken effect when it is answered, and a command is given once", async () => {
    const api = await open();
    const { url } = await written(api, [WAIT, { id: "end", exit: { outcome: "over" } }]);
    const enrolled = await post(api, `${url}/enrolments`, { phone: given(phonesFrom(200, 1)[0]) });
    const at = `/v1/enrolments/${enrolled.json<{ enrolment_id: string }>().enrolment_id}`;
    expect((await post(api, `${at}/pause`, { command_id: "p" })).json()).toMatchObject({
      paused: true,
      state: "active",
    });
    expect(
      (await post(api, `${at}/event`, { name: "bought", data: { plan: "gold" }, request_key: "e" })).json(),
    ).toMatchObject({ state: "active" });
    expect((await post(api, `${at}/event`, { name: "outdial.inbound_call" })).statusCode).toBe(422);
    const told = { phone: given(phonesFrom(200, 1)[0]), name: "seen", request_key: "e2" };
    for (const _again of [false, true])
      expect((await post(api, `${url}/event`, told)).json()).toEqual({ told: 1 });
    expect((await post(api, `${at}/resume`, { command_id: "r" })).json()).toMatchObject({
      paused: false,
      step: "wait",
    });
    expect((await post(api, `${at}/pause`, { command_id: "p" })).json()).toMatchObject({ paused: false });
    expect((await post(api, `${at}/skip`, { reason: "asked" })).json()).toMatchObject({
      state: "done",
      outcome: "over",
    });
    const late = await post(api, `${at}/exit`);
    expect([late.statusCode, late.json()]).toEqual([
      409,
      expect.objectContaining({ code: "command_refused" }),
    ]);
    // By the sequence and the number: nobody is in it any more, and nothing is wrong with that.
    const phone = given(phonesFrom(200, 1)[0]);
    const nobody = await post(api, `${url}/event`, { phone, name: "bought" });
    expect([nobody.statusCode, nobody.json()]).toEqual([200, { told: 0 }]);
    // What was told before it ended was told, whoever asks again, and nobody who came later hears it.
    expect((await post(api, `${url}/event`, told)).json()).toEqual({ told: 1 });
    await post(api, `${url}/enrolments`, { phone });
    expect((await post(api, `${url}/event`, told)).json()).toEqual({ told: 1 });
    expect((await post(api, `${url}/event`, { ...told, request_key: "e3" })).json()).toEqual({ told: 1 });
    const heard = await rows(
      ledger().db,
      sql`select i.request_key from enrolment_inbox i join enrolments e on e.id = i.enrolment_id
          where e.phone = ${phone} and e.state = 'active'`,
    );
    expect(heard).toEqual([{ request_key: "event:e3" }]);
    const again = await post(api, `${at}/event`, {
      name: "bought",
      data: { plan: "gold" },
      request_key: "e",
    });
    expect([again.statusCode, again.json()]).toEqual([200, expect.objectContaining({ state: "done" })]);
    const { journey } = await get<{ journey: { what: string }[] }>(api, at);
    expect(journey.map(({ what }) => what)).toEqual([
      "pause",
      "resume",
      "event",
      "waits",
      "event",
      "skip",
      "ended",
    ]);
    const none = await post(api, "/v1/enrolments/00000000-0000-4000-8000-000000000000/exit");
    expect(none.json()).toMatchObject({ code: "unknown_enrolment" });
  });

  it("shows a call that is held for a pause as held, and not as due at the end of time", async () => {
    const api = await open();
    const { url } = await written(api, [{ id: "first", call: {} }]);
    const enrolled = await post(api, `${url}/enrolments`, { phone: given(phonesFrom(320, 1)[0]) });
    const at = `/v1/enrolments/${enrolled.json<{ enrolment_id: string }>().enrolment_id}`;
    const dueOf = async () => (await get<{ calls: { due_at: string | null }[] }>(api, at)).calls[0]?.due_at;
    await post(api, `${at}/event`, { name: "hello" });
    const due = (await dueOf()) ?? undefined;
    await post(api, `${at}/pause`);
    expect(await dueOf()).toBeNull();
    await post(api, `${at}/resume`);
    expect(Date.parse(given((await dueOf()) ?? undefined))).toBeGreaterThanOrEqual(Date.parse(given(due)));
  });

  it("says how people went from step to step, of each version and of all", async () => {
    const api = await open();
    const steps = [
      {
        id: "which",
        split: [
          { weight: 1, to: "warm" },
          { weight: 1, to: "cold" },
        ],
      },
      { id: "warm", wait: { for: "1d" }, next: "again" },
      { id: "cold", wait: { for: "2d" }, next: "again" },
      { id: "again", wait: { for: "1h" }, next: "warm" },
    ];
    const { url, definition } = await written(api, steps);
    const enrolled = async (phone: string) => {
      const answer = await post(api, `${url}/enrolments`, { phone });
      return answer.json<{ enrolment_id: string }>().enrolment_id;
    };
    /** What journeys say, with entries that are of no step, and several of one. */
    const went = async (phone: string, way: readonly (string | null)[], isOver = false) => {
      const id = await enrolled(phone);
      await rows(ledger().db, sql`delete from journeys where enrolment_id = ${id}::uuid`);
      for (const [n, step] of way.entries())
        await rows(
          ledger().db,
          sql`insert into journeys (enrolment_id, n, at, step, what, detail)
              values (${id}::uuid, ${n + 1}, now(), ${step}, 'waits', '{}')`,
        );
      if (isOver)
        await rows(
          ledger().db,
          sql`update enrolments set state = 'done', ended_at = now(), outcome = 'completed', look_by = null where id = ${id}::uuid`,
        );
    };
    const [one, two, three, four, five] = phonesFrom(740, 5) as [string, string, string, string, string];
    await went(one, [null, "which", "warm", "warm", null, "again", "warm", "again"]);
    await went(two, ["which", "warm"], true);
    await went(three, ["which", "cold", "again"], true);
    await went(four, [null]);
    await put(api, {
      ...definition,
      steps: steps.map((step) => ({ ...step, ...(step.id === "again" && { wait: { for: "2h" } }) })),
    });
    await went(five, ["which", "cold"]);
    const of = (version?: number) =>
      get<object>(api, `${url}/conversion${version === undefined ? "" : `?version=${version}`}`);
    expect(await of()).toEqual({
      version: null,
      people: 5,
      is_sample: false,
      steps: [
        { step: "which", came: 4, went_on: { warm: 2, cold: 2 }, ended: 0, there: 0 },
        { step: "again", came: 2, went_on: { warm: 1 }, ended: 1, there: 1 },
        { step: "cold", came: 2, went_on: { again: 1 }, ended: 0, there: 1 },
        { step: "warm", came: 2, went_on: { again: 1 }, ended: 1, there: 0 },
      ],
    });
    expect(await of(2)).toEqual({
      version: 2,
      people: 1,
      is_sample: false,
      steps: [
        { step: "cold", came: 1, went_on: {}, ended: 0, there: 1 },
        { step: "which", came: 1, went_on: { cold: 1 }, ended: 0, there: 0 },
      ],
    });
    const unknown = await api.app.inject({ method: "GET", url: `${url}/conversion?version=3` });
    expect(unknown.statusCode).toBe(404);

    // Of more than it reads, the newest: those that came before all of these are not among them.
    await rows(
      ledger().db,
      sql`insert into enrolments select many.* from enrolments e, generate_series(1, 9998) as n,
            jsonb_populate_record(e, jsonb_build_object('id', gen_random_uuid(), 'phone', '+1' || n, 'request_key', null,
              'created_at', e.created_at + interval '1 hour')) as many
          where e.phone = ${five}`,
    );
    const sample = await get<{ people: number; is_sample: boolean; steps: { step: string; came: number }[] }>(
      api,
      `${url}/conversion`,
    );
    expect(sample).toMatchObject({ people: 10_000, is_sample: true });
    expect(Math.max(...sample.steps.map(({ came }) => came))).toBeLessThanOrEqual(2);
  });

  it("moves somebody to another version at the step that they are at, once for each request", async () => {
    const api = await open();
    const wait = { id: "wait", wait: { for: "1d" }, next: "then" };
    const { url, definition } = await written(api, [wait, { id: "then", set: { offer: '"old"' } }]);
    const [phone, other] = phonesFrom(760, 2);
    const enrolled = async (whose: string | undefined) => {
      const answer = await post(api, `${url}/enrolments`, { phone: whose });
      return answer.json<{ enrolment_id: string }>().enrolment_id;
    };
    const id = await enrolled(phone);
    await post(api, `/v1/enrolments/${id}/event`, { name: "seen" });
    const shown = (whose = id) =>
      get<{
        version: number;
        step: string;
        wake_at: string;
        variables: object;
        journey: { what: string; detail: object }[];
      }>(api, `/v1/enrolments/${whose}`);
    const before = await shown();
    expect(before).toMatchObject({ version: 1, step: "wait" });
    const second = [
      { ...wait, wait: { for: "9d" }, next: "new" },
      { id: "new", set: { offer: "variables.plan" } },
    ];
    await put(api, { ...definition, steps: second, variables: { plan: "gold" } });
    const body = { version: 2, reason: "a better offer", command_id: "move-1" };
    const moved = await post(api, `/v1/enrolments/${id}/move`, body);
    expect([moved.statusCode, moved.json()]).toEqual([
      200,
      expect.objectContaining({ step: "wait", state: "active" }),
    ]);
    expect((await post(api, `/v1/enrolments/${id}/move`, body)).statusCode, "given again").toBe(200);
    const after = await shown();
    expect(after).toMatchObject({
      version: 2,
      step: "wait",
      wake_at: before.wake_at,
      variables: { plan: "gold" },
    });
    expect(after.journey.filter(({ what }) => what === "moved")).toMatchObject([
      { step: "wait", detail: { from: 1, to: 2, reason: "a better offer" } },
    ]);
    // What comes behind it is the new version's.
    const skipped = await post(api, `/v1/enrolments/${id}/skip`);
    expect(skipped.json()).toMatchObject({ state: "done", outcome: "completed" });
    expect((await shown()).journey.map(({ what }) => what)).toContain("set");
    const audited = await rows<{ detail: object }>(
      ledger().db,
      sql`select detail from audit where action = 'enrolment.move' and detail ->> 'enrolment' = ${id}`,
    );
    expect(audited).toMatchObject([{ detail: { version: 2, reason: "a better offer" } }]);
    // Nobody else was moved.
    const another = await enrolled(other);
    expect((await shown(another)).version).toBe(2);
    expect((await post(api, `/v1/enrolments/${id}/move`, { version: 1 })).statusCode, "it is over").toBe(409);
  });

  it("moves nobody to where they could not go on, and says why", async () => {
    const api = await open();
    const first = [
      { id: "wait", wait: { for: "1d" } },
      { id: "call", call: {}, on: { unknown: "late", otherwise: "late" } },
      { id: "late", wait: { for: "2d" } },
    ];
    const { url, definition } = await written(api, first);
    const [phone] = phonesFrom(770, 1);
    const { enrolment_id: id } = (await post(api, `${url}/enrolments`, { phone })).json<{
      enrolment_id: string;
    }>();
    const versions: [object, RegExp][] = [
      [{ steps: [{ id: "other", wait: { for: "1d" } }] }, /has no step wait/],
      [{ steps: [{ id: "wait", set: { x: '"y"' } }] }, /does a set in version 3, and not a wait/],
      [{ steps: first, zones: "strict" }, /places people by other rules/],
      [{ steps: first, sensitive: ["iban"] }, /keeps other variables encrypted/],
    ];
    for (const [index, [changes, why]] of versions.entries()) {
      expect((await put(api, { ...definition, ...changes })).statusCode).toBe(200);
      const refused = await post(api, `/v1/enrolments/${id}/move`, { version: index + 2 });
      expect([refused.statusCode, refused.body]).toEqual([409, expect.stringMatching(why)]);
    }
    expect((await post(api, `/v1/enrolments/${id}/move`, { version: 6 })).statusCode).toBe(404);
    expect((await post(api, `/v1/enrolments/${id}/move`, { version: 0 })).statusCode).toBe(422);
    await post(api, `/v1/enrolments/${id}/skip`);
    const waiting = await post(api, `/v1/enrolments/${id}/move`, { version: 4 });
    expect([waiting.statusCode, waiting.body]).toEqual([
      409,
      expect.stringContaining("they wait for a call"),
    ]);
    expect(await get(api, `/v1/enrolments/${id}`)).toMatchObject({ version: 1, step: "call" });
    const kept = await rows(
      ledger().db,
      sql`select 1 as one from enrolment_inbox where enrolment_id = ${id}::uuid and kind = 'move'`,
    );
    expect(kept, "what was refused was not told").toEqual([]);
  });

  it("pauses a whole sequence: batches that dial for it are stopped before it is answered", async () => {
    const api = await open();
    const { url } = await written(api, [{ id: "first", call: {} }]);
    const people = [];
    for (const phone of phonesFrom(300, 3)) {
      const answer = await post(api, `${url}/enrolments`, { phone });
      people.push(answer.json<{ enrolment_id: string }>().enrolment_id);
    }
    // Being told of an event takes their turns, as their workflows would.
    for (const id of people) await post(api, `/v1/enrolments/${id}/event`, { name: "hello" });
    const campaignId = given(api.woken.at(-1)).replace("campaign ", "");
    const batchIds = await planAndStart(ledger(), campaignId, Date.now());
    const enrolled = await post(api, `${url}/enrolments`, { phone: given(phonesFrom(310, 1)[0]) });
    const { enrolment_id: late } = enrolled.json<{ enrolment_id: string }>();
    await post(api, `/v1/enrolments/${late}/event`, { name: "hello" });
    const paused = await post(api, `${url}/pause`, { reason: "lunch" });
    expect(paused.json()).toMatchObject({ state: "paused", in_flight: { batches: 1 } });
    expect(api.halted).toEqual([batchIds]);
    expect(await get(api, url)).toMatchObject({
      state: "paused",
      state_reason: "lunch",
      enrolments: { active: 4 },
    });
    // Somebody who is not being dialed says why.
    await ledger().transaction((tx) =>
      setHolds(tx, {
        campaignId,
        holds: [{ zoneSetId: undefined, reason: "window", detail: "until 2026-12-01T09:00:00.000Z" }],
        policyVersion: 1,
        nowMs: Date.now(),
      }),
    );
    const { awaits_call, calls } = await get<ShownEnrolment>(api, `/v1/enrolments/${late}`);
    expect([awaits_call, calls.map(({ state }) => state)]).toEqual([true, ["open"]]);
    expect(calls[0]?.held_by.map(({ reason, detail }) => `${reason}: ${detail}`)).toEqual([
      "paused: lunch",
      "window: until 2026-12-01T09:00:00.000Z",
    ]);
    // The campaign behind the step goes by the name that is shown.
    const { name } = await get<{ name: string }>(api, `/v1/campaigns/${campaignId}`);
    expect(name).toMatch(/\.first$/);
    expect(await get(api, `/v1/campaigns/${encodeURIComponent(name)}/progress`)).toMatchObject({
      campaign_id: campaignId,
      follow_ups: { open: 0 },
    });
    expect(await get(api, `/v1/follow-ups?campaign=${encodeURIComponent(name)}`)).toMatchObject({ total: 0 });
    expect((await post(api, `${url}/resume`)).json()).toEqual({ state: "active" });
  });

  it("takes everybody out at once; nobody who waited for a call is called any more", async () => {
    const api = await open();
    const { url } = await written(api, [{ id: "first", call: {} }]);
    const people = [];
    for (const phone of phonesFrom(400, 3)) {
      const answer = await post(api, `${url}/enrolments`, { phone });
      people.push(answer.json<{ enrolment_id: string }>().enrolment_id);
    }
    await post(api, `/v1/enrolments/${given(people[0])}/event`, { name: "hello" });
    expect((await post(api, `${url}/exit`, { reason: "over", command_id: "c" })).json()).toMatchObject({
      told: 3,
    });
    expect((await post(api, `${url}/exit`, { reason: "over", command_id: "c" })).json()).toMatchObject({
      told: 0,
    });
    const open_ = await rows(
      ledger().db,
      sql`select 1 as one from contacts where placement like ${`enrolment:${given(people[0])}:%`} and state = 'open'`,
    );
    expect(open_).toEqual([]);
    expect(await get(api, `${url}/enrolments?outcome=exited`)).toMatchObject({
      total: 1,
      // By whose clocks it goes on.
      items: [{ zones: ["America/New_York"] }],
    });
  });

  it("enrolls a list, keeps each row that it does not take with its reason, and begins at the relay's pace", async () => {
    const api = await open();
    const { url } = await written(api, [{ id: "first", call: {} }], {
      window: { weekdays: ["09:00-10:00"] },
    });
    const [one, two, three] = phonesFrom(500, 3) as [string, string, string];
    await post(api, `${url}/enrolments`, { phone: one });
    const list = `phone,name,time_zone\n${one},Ann,\n${two},Bob,\nnobody,Eve,\n${two},Bob again,\n${three},Cid,\n+80012345678,Dan,\n`;
    const answer = await upload(api, url, list);
    expect(answer.json()).toMatchObject({
      rows: { read: 6, accepted: 2, rejected: 2, duplicate: 2 },
      already: false,
      enrolments: { total: 3, not_started: 3 },
    });
    const rejects = await rows<{ line: number; code: string }>(
      ledger().db,
      sql`select r.line, r.code from import_rejects r join imports i on i.id = r.import_id
          where i.digest = ${sha256(list)} and i.sequence_id is not null order by r.line`,
    );
    expect(rejects.map(({ line, code }) => `${line} ${code}`)).toEqual([
      "2 duplicate",
      expect.stringMatching(/^4 phone_/),
      "5 duplicate",
      "7 no_time_zone",
    ]);
    const waiting = await rows(
      ledger().db,
      sql`select kind, count(*)::int as n from outbox o join enrolments e on e.id::text = o.subject where e.phone in (${two}, ${three}) group by 1`,
    );
    expect(waiting).toEqual([{ kind: "enrolment_bulk", n: 2 }]);
    const file = await api.app.inject({ url: `${url}/rejects.csv` });
    expect(file.headers["content-type"]).toBe("text/csv; charset=utf-8");
    const lines = file.body.trimEnd().split("\n").slice(1);
    expect(lines.map((line) => line.split(",").slice(0, 2).join(" "))).toEqual(
      rejects.map(({ line, code }) => `${line} ${code}`),
    );
    expect((await upload(api, url, list)).json()).toMatchObject({ already: true, rows: { accepted: 2 } });
    expect((await upload(api, url, list, { default_region: "US" })).json()).toMatchObject({
      code: "import_differs",
    });
    expect(await get(api, url)).toMatchObject({
      lists: [{ source_name: "list.csv", completed_at: expect.any(String) }],
    });
  });

  it("of a number that stands twice in a list the first row is taken", async () => {
    const api = await open();
    const { url } = await written(api);
    const people = phonesFrom(700, 60).reverse();
    const list = `phone,row\n${[...people, ...people].map((phone, n) => `${phone},${n}\n`).join("")}`;
    expect((await upload(api, url, list)).json()).toMatchObject({ rows: { accepted: 60, duplicate: 60 } });
    const rejects = await rows<{ line: number }>(
      ledger().db,
      sql`select r.line from import_rejects r join imports i on i.id = r.import_id
          where i.digest = ${sha256(list)} order by r.line`,
    );
    expect(rejects.map(({ line }) => line)).toEqual(people.map((_, n) => n + 62));
  });

  it("enrolls nobody twice by one list, however far apart the rows are, and wherever the first has led", async () => {
    const api = await open();
    const { url } = await written(api, [WAIT], { re_enrolment: { policy: "restart" } });
    const people = phonesFrom(5_000, 1_001);
    const list = `phone\n${[...people, given(people[0])].join("\n")}\n`;
    expect((await upload(api, url, list)).json()).toMatchObject({
      rows: { read: 1_002, accepted: 1_001, duplicate: 1 },
      enrolments: { total: 1_001, active: 1_001 },
    });
    // Another list means them anew.
    const other = await upload(api, url, `phone\n${given(people[0])}\n`);
    expect(other.json()).toMatchObject({
      rows: { accepted: 1 },
      enrolments: { total: 1_002, active: 1_001, done: 1 },
    });
  });

  it("takes events with the letters of an escape, and none with a NUL, in a name or a value", async () => {
    const api = await open();
    const { url } = await written(api);
    const enrolment = await post(api, `${url}/enrolments`, { phone: given(phonesFrom(790, 1)[0]) });
    const at = `/v1/enrolments/${enrolment.json<{ enrolment_id: string }>().enrolment_id}/event`;
    const statusOf = async (data: object) => (await post(api, at, { name: "seen", data })).statusCode;
    expect(await statusOf({ a: "\\u0000 literal", "\\u0000": 1 })).toBe(200);
    for (const data of [{ a: "\0" }, { a: [{ b: "x\0y" }] }, { "\0": 1 }, { a: { "b\0": null } }])
      expect(await statusOf(data)).toBe(422);
  });

  it("a list that was cut off goes on behind the last row that was taken; its column is the key", async () => {
    const api = await open();
    const { url } = await written(api, [WAIT], {
      re_enrolment: { policy: "parallel", key: "variables.deal" },
    });
    const [phone] = phonesFrom(600, 1) as [string];
    const lines = Array.from({ length: 2_500 }, (_, index) => `${phone},${index}\n`);
    const list = `phone,deal\n${lines.join("")}`;
    const cut = `phone,deal\n${lines.slice(0, 1_700).join("")}`;
    const first = await upload(api, url, cut, { digest: sha256(list), key_column: "deal" });
    expect([first.statusCode, first.json()]).toEqual([
      409,
      expect.objectContaining({ code: "digest_mismatch" }),
    ]);
    const second = await upload(api, url, list, { key_column: "deal" });
    expect(second.json()).toMatchObject({
      rows: { read: 2_500, accepted: 2_500, duplicate: 0 },
      enrolments: { total: 2_500 },
    });
    const noKey = await upload(api, url, `phone,deal\n${phone},\n`, { key_column: "deal" });
    expect(noKey.json()).toMatchObject({ rows: { rejected: 1, accepted: 0 } });
  });
});
