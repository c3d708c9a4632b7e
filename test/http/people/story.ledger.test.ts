import { sql } from "drizzle-orm";
import { expect, it } from "vitest";

import { addTag, removeTag } from "../../../src/ledger/campaigns/tags.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { personMark } from "../../../src/ledger/ground/person-mark.ts";
import { putSource, removeSource } from "../../../src/ledger/ground/suppression-sources.ts";
import type { StoryEntryWire, StoryWire } from "../../../src/http/wire/people.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import {
  call,
  FIRST_CALL_MS,
  FLORIDA_CALL_MS,
  FRIDAY_MS,
  liveInFlorida,
  liveThrough,
  SECOND_CALL_MS,
  takeList,
  ZONES,
} from "../../ledger/support/story-life.ts";
import {
  freshPhones,
  HOUR_MS,
  importWhole,
  MINUTE_MS,
  running,
  DAY_MS,
  tell,
} from "../../ledger/support/scenario.ts";
import { openApi, type TestApi } from "../support.ts";

describeLedgers("everything that is known of a person", (ledger) => {
  let lives = 0;

  /** The life of a fresh number, and an API to ask about it. */
  async function lived(changes: Parameters<typeof liveThrough>[2] = {}) {
    lives += 1;
    const [phone] = freshPhones(1) as [string];
    const life = await liveThrough(ledger(), phone, { name: `life ${lives}`, ...changes });
    const api = await openApi(ledger(), { now: () => SECOND_CALL_MS + DAY_MS });
    return { ...life, api, story: (query: Record<string, string> = {}) => ask(api, phone, query) };
  }

  async function ask(api: TestApi, phone: string, query: Record<string, string> = {}): Promise<StoryWire> {
    const answer = await api.app.inject({ url: `/v1/people/${encodeURIComponent(phone)}/story`, query });
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json<StoryWire>();
  }

  const tagsOf = async (phone: string) => {
    const [tag] = await rows<{ brand: string; tag: string }>(
      ledger().db,
      sql`select brand, tag from tags where phone = ${phone}`,
    );
    return tag;
  };

  const ofKind = (story: StoryWire, kind: string): StoryEntryWire[] =>
    story.entries.filter((one) => one.kind === kind);
  const checkOf = (entry: StoryEntryWire | undefined, rule: string) =>
    given(entry?.checks ?? undefined).filter((check) => check.rule === rule);

  it("is one story in order, over campaigns, sequence, trigger, list, suppressions and calls from them", async () => {
    const { story, phone, trigger } = await lived();
    const told = await story();
    expect(told.phone).toBe(phone);
    expect(told.zones).toEqual(ZONES);
    expect(told.counts).toEqual({ contacts: 2, campaigns: 2, calls: 2, enrolments: 1 });
    expect(told.next_after).toBeNull();
    const kinds = told.entries.map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(
      new Set([
        "listed",
        "rejected",
        "held",
        "called",
        "amended",
        "commanded",
        "called_us",
        "followed_up",
        "through",
        "tagged",
        "refused",
        "told",
        "enrolled",
        "journey",
        "suppressed",
        "unsuppressed",
      ]),
    );
    const moments = told.entries.map(({ at }) => at);
    expect(moments).toEqual(moments.toSorted());
    expect(ofKind(told, "told").map(({ what }) => what)).toEqual([
      `the trigger ${trigger} told of the person (enroll)`,
    ]);
    expect(ofKind(told, "rejected").map(({ facts }) => [facts["line"], facts["code"]])).toEqual([
      [3, "duplicate"],
      [4, "phone_no_country"],
    ]);
    expect(ofKind(told, "amended").map(({ facts }) => [facts["version"], facts["by"]])).toEqual([[2, "ann"]]);
    expect(ofKind(told, "called_us")[0]?.facts).toMatchObject({ to_number: "+12025550100" });
    const suppressed = ofKind(told, "suppressed");
    expect(suppressed.map(({ facts, until }) => [facts["by"], facts["scope"], until === "still"])).toEqual([
      ["ann", "default", false],
      ["import", "every brand", true],
    ]);
    expect(ofKind(told, "unsuppressed")[0]?.facts).toMatchObject({ by: "ben", reason: "asked us to go on" });
    expect(told.suppressed).toMatchObject([{ brand: null, source: "dnc", reason: "register of March" }]);
  });

  it("tells each moment by the clocks of every zone, and those of before and after a clock change apart", async () => {
    const { story } = await lived();
    const [first, second] = ofKind(await story(), "called");
    expect(first?.local).toEqual([
      { at: "2026-03-06T10:01:30-07:00", zones: ["America/Phoenix"] },
      { at: "2026-03-06T12:01:30-05:00", zones: ["America/New_York"] },
    ]);
    expect(second?.local).toEqual([
      { at: "2026-03-09T10:01:30-07:00", zones: ["America/Phoenix"] },
      { at: "2026-03-09T13:01:30-04:00", zones: ["America/New_York"] },
    ]);
    expect(checkOf(second, "window")[0]?.says).toBe(
      "when it was permitted the window was open: 2026-03-09 13:00:00 America/New_York (open, 09:00-18:00); 2026-03-09 10:00:00 America/Phoenix (open, 09:00-18:00)",
    );
  });

  it("says of each call which rules allowed it, under the version of the policy that was in force then", async () => {
    const { story, campaignId } = await lived();
    const told = await story();
    const [first, second] = ofKind(told, "called");
    expect([first?.policy_version, second?.policy_version]).toEqual([1, 2]);
    expect(
      told.policies
        .filter((one) => one.campaign_id === campaignId)
        .map(({ version, rules, by }) => [version, rules["least_gap"], by]),
    ).toEqual([
      [1, "1h", "test"],
      [2, "2h", "ann"],
    ]);
    for (const one of [first, second])
      expect(given(one?.checks ?? undefined).every(({ allowed }) => allowed)).toBe(true);
    expect(checkOf(first, "max_attempts")[0]?.says).toBe("call 1 of 3 at most");
    expect(checkOf(second, "max_attempts")[0]?.says).toBe("call 2 of 3 at most");
    expect(checkOf(first, "frequency")[0]?.says).toBe(
      "0 attempts of the brand in the 7d before it, 2 at most",
    );
    expect(checkOf(second, "frequency")[0]?.says).toBe(
      "1 attempt of the brand in the 7d before it, 2 at most",
    );
    expect(first?.facts).toMatchObject({ from_number: "+12025550100", disposition: "no_answer", attempt: 1 });
  });

  it("shows a call that no rule would have allowed as one, by what the ledger shows now", async () => {
    const { story, phone } = await lived();
    // As if it had been suppressed, and the other call had been made, just before the second one.
    await rows(
      ledger().db,
      sql`update suppressions set created_at = to_timestamp(${(SECOND_CALL_MS - HOUR_MS) / 1000}) where phone = ${phone} and brand is null`,
    );
    await rows(
      ledger().db,
      sql`update attempts set ended_at = to_timestamp(${(SECOND_CALL_MS - MINUTE_MS) / 1000}) where phone = ${phone} and attempt_no = 1`,
    );
    const [first, second] = ofKind(await story(), "called");
    expect(checkOf(first, "suppressed")).toEqual([
      { rule: "suppressed", allowed: true, says: "no suppression was in force" },
    ]);
    expect(checkOf(second, "suppressed")).toEqual([
      {
        rule: "suppressed",
        allowed: false,
        says: "suppressed since 2026-03-09T16:00:00.000Z (dnc: register of March)",
      },
    ]);
    expect(checkOf(second, "called_just_now")[0]).toEqual({
      rule: "called_just_now",
      allowed: false,
      says: "1m since the last call of the brand, 2h at least",
    });
  });

  it("says why the person was not called: for a cap, and for hours that the other zone keeps closed", async () => {
    const { story } = await lived();
    const told = await story();
    const refused = ofKind(told, "refused").find(({ facts }) => facts["reason"] === "frequency");
    expect(refused).toMatchObject({ policy_version: 1, campaign: { name: `life ${lives}-again` } });
    expect(refused?.what).toMatch(
      /^was not called: frequency \(until 2026-03-1.*: 2 attempts of the brand within 7d\)$/,
    );
    const held = ofKind(told, "held").find(({ facts }) => facts["reason"] === "window");
    expect(held).toMatchObject({
      at: new Date(FRIDAY_MS).toISOString(),
      until: new Date(FIRST_CALL_MS).toISOString(),
    });
  });

  /** The same of a number in Florida, for a brand of its own. */
  async function livedInFlorida() {
    lives += 1;
    const [phone] = freshPhones(1) as [string];
    const brand = `florida-${lives}`;
    await liveInFlorida(ledger(), phone, brand);
    const api = await openApi(ledger(), { now: () => FLORIDA_CALL_MS + DAY_MS });
    return { phone, brand, source: `register of ${brand}`, story: () => ask(api, phone) };
  }

  it("says of a place's rules, of consent and of lists what they were when the call was permitted, and nothing of later", async () => {
    const { story, source } = await livedInFlorida();
    const told = await story();
    const [only, ...more] = ofKind(told, "called");
    expect(more).toEqual([]);
    expect(told.places).toEqual(["US-FL"]);
    expect(ofKind(told, "listed")[0]?.facts).toMatchObject({ places: ["US-FL"] });
    expect(told.policies[0]?.rules).toMatchObject({ consent: { require: "any" } });
    const says = (rule: string) => checkOf(only, rule).map((check) => [check.allowed, check.says]);
    expect(says("suppressed")).toEqual([[true, "no suppression was in force"]]);
    expect(says("no_consent")).toEqual([
      [true, "consent had been given (any is asked for)"],
      [
        true,
        expect.stringMatching(/^consent had been given \(express is asked for\), by us-states .*Florida/),
      ],
    ]);
    expect(says("frequency")).toEqual([
      [true, expect.stringMatching(/^0 attempts .* 3 at most, by us-states .*Florida/)],
    ]);
    expect(says("window")[0]).toEqual([
      true,
      "when it was permitted the window was open: 2026-03-10 12:00:00 America/New_York (open, 08:00-20:00)",
    ]);
    expect(says("stale_list")).toEqual([
      [
        true,
        `the list of the source ${source} was of 2026-03-09T16:00:00.000Z, and may be 31d old; no list that bound the brand was too old`,
      ],
    ]);
  });

  it("tells of consent when it came in and was withdrawn, of lists with the number, and of who took it out", async () => {
    const { story, source, brand } = await livedInFlorida();
    const told = await story();
    const later = new Date(FLORIDA_CALL_MS + HOUR_MS).toISOString();
    const [consented] = ofKind(told, "consented");
    expect(consented).toMatchObject({
      at: "2026-03-09T16:00:00.000Z",
      what: `consent of 2026-02-07T16:00:00.000Z to be called by the brand ${brand} was recorded: express_written (list)`,
      facts: {
        basis: "express_written",
        given_at: "2026-02-07T16:00:00.000Z",
        proof: "form 7",
        through: "list",
      },
    });
    expect(ofKind(told, "consent_withdrawn")).toMatchObject([
      { at: later, facts: { reason: "said so", through: "api" } },
    ]);
    const off = new Date(FLORIDA_CALL_MS + 2 * HOUR_MS).toISOString();
    expect(ofKind(told, "on_list")).toMatchObject([
      { at: later, until: off, facts: { source, type: "do_not_call", by: "ann", list: "register.csv" } },
    ]);
    expect(ofKind(told, "off_list")).toMatchObject([{ at: off, facts: { source, reason: null } }]);
    expect(ofKind(told, "withdrawn")).toMatchObject([
      { at: later, campaign: { name: `calls of ${brand}` }, facts: { by: "eve", reason: "moved away" } },
    ]);
    expect(told.suppressed).toEqual([]);
  });

  it("holds a list and a consent against a call by what was in force at its moment, not by what is now", async () => {
    const { story, phone, brand, source } = await livedInFlorida();
    const { db } = ledger();
    const at = (ms: number) => sql`to_timestamp(${ms / 1000}::float8)`;
    // As if the second list had been taken, and consent had been withdrawn, just before the call.
    const before = FLORIDA_CALL_MS - MINUTE_MS;
    await rows(
      db,
      sql`update suppression_loads set ended_at = ${at(before)} where generation = 2
            and source_id = (select id from suppression_sources where name = ${source})`,
    );
    await rows(
      db,
      sql`update consents set at = ${at(before)}, recorded_at = ${at(before)} where phone = ${phone} and basis is null`,
    );
    const [broken] = ofKind(await story(), "called");
    expect(checkOf(broken, "suppressed")).toEqual([
      {
        rule: "suppressed",
        allowed: false,
        says: `suppressed since 2026-03-10T15:59:00.000Z (${source}: on the list of type do_not_call)`,
      },
    ]);
    expect(checkOf(broken, "no_consent").map(({ allowed }) => allowed)).toEqual([false, false]);
    // Of a source whose scope was changed later nobody knows whether it bound the brand.
    const changed = { name: source, type: "do_not_call" as const, brand, maxAgeMs: DAY_MS };
    await ledger().transaction((tx) =>
      putSource(tx, { ...changed, actor: "ann", nowMs: FLORIDA_CALL_MS + 3 * HOUR_MS }),
    );
    const [unsure] = ofKind(await story(), "called");
    expect(checkOf(unsure, "suppressed").map(({ allowed }) => allowed)).toEqual([null]);
    expect(checkOf(unsure, "stale_list").map(({ allowed }) => allowed)).toEqual([null]);
  });

  it("says now of whom a list keeps from being called, and ends that with the source", async () => {
    const { story, phone, brand, source } = await livedInFlorida();
    const nowMs = FLORIDA_CALL_MS + 4 * HOUR_MS;
    await takeList(ledger(), source, [phone], nowMs);
    expect((await story()).suppressed).toEqual([
      {
        brand,
        source,
        reason: "on the list of type do_not_call",
        since: new Date(nowMs).toISOString(),
        expires_at: null,
      },
    ]);
    const reason = "another register";
    await ledger().transaction((tx) =>
      removeSource(tx, { name: source, reason, actor: "ann", nowMs: nowMs + HOUR_MS }),
    );
    const told = await story();
    expect(told.suppressed).toEqual([]);
    expect(ofKind(told, "off_list").map(({ facts }) => facts["reason"])).toEqual([null, reason]);
  });

  it("keeps a secret and other people's numbers to itself, and the names of lists and people as they are", async () => {
    const { story } = await lived();
    const told = await story();
    const [listed] = ofKind(told, "listed");
    expect(listed?.facts).toMatchObject({
      var_name: "<script>alert(1)</script>",
      var_referred_by: "(another number)",
      var_api_token: "(a secret)",
      line: 2,
    });
    expect(JSON.stringify(told)).not.toMatch(/\+12025550199|hush/);
  });

  it("says who paused the campaign, and who had it go on, while it had the contact, without other people's numbers", async () => {
    const { story, campaignId } = await lived();
    const before = ofKind(await story(), "commanded").length;
    const [phone] = freshPhones(1) as [string];
    const id = await running(ledger(), [phone], { name: `paused ${lives}` }, FRIDAY_MS);
    const api = await openApi(ledger());
    const pausedMs = FRIDAY_MS + HOUR_MS;
    await tell(ledger(), "pause", id, {
      actor: "ann",
      reason: "asked by +12025550199",
      nowMs: pausedMs,
    });
    await tell(ledger(), "pause", id, { actor: "cy", reason: "not today", nowMs: pausedMs + 1 });
    await tell(ledger(), "resume", id, { actor: "ben", nowMs: pausedMs + HOUR_MS });
    await tell(ledger(), "pause", campaignId, { actor: "too late", nowMs: SECOND_CALL_MS + DAY_MS });
    const commanded = ofKind(await ask(api, phone), "commanded");
    expect(commanded.map(({ what, facts }) => [what, facts["by"]])).toEqual([
      ["the campaign was started", "test"],
      ["the campaign was paused: asked by (another number)", "ann"],
      ["the campaign went on", "ben"],
    ]);
    expect(ofKind(await story(), "commanded"), "it was done with the contact by then").toHaveLength(before);
  });

  it("tells of a word that was taken back when it was given, when it went, and by whom, and of the same word again", async () => {
    const { story, phone } = await lived();
    const { brand, tag } = given(await tagsOf(phone));
    const nowMs = SECOND_CALL_MS + HOUR_MS;
    const back = { brand, phone, tag, reason: "a mistake", actor: "ben", nowMs };
    const given1 = ofKind(await story(), "tagged");
    expect(await ledger().transaction((tx) => removeTag(tx, back))).toBe(true);
    const after = await story();
    expect(ofKind(after, "tagged"), "the same entry, by the same id").toEqual(given1);
    expect(ofKind(after, "untagged").map(({ what, facts }) => [what, facts["by"]])).toEqual([
      [`the tag "${tag}" was taken back: a mistake`, "ben"],
    ]);
    await ledger().transaction((tx) =>
      addTag(tx, { brand, phone, tag, source: "follow-up again", nowMs: nowMs + HOUR_MS }),
    );
    const again = ofKind(await story(), "tagged");
    expect(again.slice(0, given1.length)).toEqual(given1);
    expect(again.slice(given1.length).map(({ facts }) => facts["by"])).toEqual(["follow-up again"]);
    expect(new Set(again.map(({ id }) => id)).size).toBe(again.length);
    expect(ofKind(await story({ brand: "other" }), "untagged")).toEqual([]);
  });

  it("comes in pages that together are the whole, whatever their size, and nothing twice", async () => {
    const { story } = await lived();
    const whole = await story();
    for (const limit of ["1", "3", "7"]) {
      const ids: string[] = [];
      let after: string | null = "";
      while (after !== null) {
        const page: StoryWire = await story({ limit, ...(after !== "" && { after }) });
        expect(page.entries.length).toBeLessThanOrEqual(Number(limit));
        ids.push(...page.entries.map(({ id }) => id));
        after = page.next_after;
      }
      expect(ids).toEqual(whole.entries.map(({ id }) => id));
    }
  });

  it("has of a stretch of time what reaches into it, and of a brand what binds it", async () => {
    const { story, phone } = await lived();
    const until = new Date(FIRST_CALL_MS).toISOString();
    const early = await story({ until });
    expect(early.entries.every(({ at }) => at < until)).toBe(true);
    expect(ofKind(early, "called")).toEqual([]);
    const since = new Date(FRIDAY_MS + HOUR_MS).toISOString();
    // It began before.
    expect(ofKind(await story({ since, until }), "held").length).toBeGreaterThan(0);
    const other = await story({ brand: "other" });
    expect(new Set(other.entries.map(({ kind }) => kind))).toEqual(
      new Set(["called_us", "told", "suppressed"]),
    );
    expect(other.counts.contacts).toBe(0);
    const api = await openApi(ledger());
    const wrong = await api.app.inject({
      url: `/v1/people/${encodeURIComponent(phone)}/story`,
      query: { since: until, until: since },
    });
    expect(wrong.json()).toMatchObject({
      status: 422,
      errors: [{ field: "until", message: "must be after since" }],
    });
  });

  it("says nothing of anybody else", async () => {
    const { api, phone } = await lived();
    const [other] = freshPhones(1) as [string];
    const id = await running(ledger(), [other, phone], { name: `both ${lives}` }, SECOND_CALL_MS);
    await call(ledger(), id, other, "answered", SECOND_CALL_MS);
    expect(JSON.stringify(await ask(api, phone))).not.toContain(other);
    const told = await ask(api, other);
    expect(ofKind(told, "called")).toHaveLength(1);
    expect(told.counts).toMatchObject({ contacts: 1, calls: 1 });
  });

  it("is not there for a number that nobody ever had, and says what is wrong with what is none", async () => {
    const api = await openApi(ledger());
    const get = (number: string, query: Record<string, string> = {}) =>
      api.app.inject({ url: `/v1/people/${encodeURIComponent(number)}/story`, query });
    const unknown = await get("+12025550177");
    expect(unknown.json()).toMatchObject({ status: 404, code: "unknown_number" });
    expect((await get("2025550177")).json()).toMatchObject({
      status: 422,
      errors: [{ field: "phone", message: expect.stringContaining("default region") as string }],
    });
    expect((await get("2025550177", { default_region: "US" })).json()).toMatchObject({
      code: "unknown_number",
    });
    expect((await get("+12025550177", { after: "x" })).json()).toMatchObject({
      errors: [{ field: "after" }],
    });
    expect(api.logged.join()).not.toContain("2025550177");
  });

  it("writes down who read it, once for a story", async () => {
    const { api, phone, story } = await lived();
    const page = await story({ limit: "1" });
    await story({ limit: "1", after: given(page.next_after ?? undefined) });
    const url = `/v1/people/${encodeURIComponent(phone)}/story`;
    await api.app.inject({ url, headers: { "x-outdial-actor": "counsel" } });
    const audit = await rows<{ actor: string }>(
      ledger().db,
      sql`select actor from audit where action = 'person.story' and detail ->> 'phone' = ${personMark(sql`${phone}`)} order by id`,
    );
    expect(audit.map(({ actor }) => actor)).toEqual(["api", "counsel"]);
  });

  it("writes one look of each within an hour, however often their page asks again", async () => {
    const { phone } = await lived();
    const clock = { ms: SECOND_CALL_MS + DAY_MS };
    const { app } = await openApi(ledger(), { now: () => clock.ms });
    const url = `/v1/people/${encodeURIComponent(phone)}/story`;
    const look = async (actor: string, query: Record<string, string> = {}) => {
      const answer = await app.inject({ url, query, headers: { "x-outdial-actor": actor } });
      expect(answer.statusCode, answer.body).toBe(200);
    };
    const looks = async () => {
      const found = await rows<{ actor: string }>(
        ledger().db,
        sql`select actor from audit where action = 'person.story' and detail ->> 'phone' = ${personMark(sql`${phone}`)} order by id`,
      );
      return found.map(({ actor }) => actor);
    };
    await look("ann");
    clock.ms += HOUR_MS - 1;
    await look("ann");
    await look("ben");
    expect(await looks()).toEqual(["ann", "ben"]);
    // Another stretch of time is another look.
    await look("ben", { since: "2026-03-01T00:00:00Z" });
    clock.ms += 1;
    await look("ann");
    await look("ben");
    expect(await looks()).toEqual(["ann", "ben", "ben", "ann"]);
  });

  it("tells of a number that is in lists alone", async () => {
    const [phone] = freshPhones(1) as [string];
    const id = await running(ledger(), freshPhones(1), { name: "lists alone" });
    await importWhole(
      ledger(),
      id,
      [{ line: 9, kind: "rejected", code: "column_count", reason: "Too many cells.", raw: `${phone},x,y` }],
      "late digest",
    );
    const api = await openApi(ledger());
    const told = await ask(api, phone);
    expect(told.entries.map(({ kind, facts }) => [kind, facts["line"], facts["list"]])).toEqual([
      ["rejected", 9, "late digest.csv"],
    ]);
    expect(told.zones).toEqual([]);
  });
});
