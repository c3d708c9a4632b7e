import { sql } from "drizzle-orm";
import { createHash } from "node:crypto";

import { expect, it } from "vitest";

import { paceAt } from "../../src/activities/deps.ts";
import { UnknownSecretError } from "../../src/domain/ground/secrets.ts";
import { rows } from "../../src/ledger/ground/connection.ts";
import { RecoveryRefusedError } from "../../src/ledger/recovery/recovery.ts";
import { listUnsettled } from "../../src/ledger/campaigns/batches.ts";
import { planBatches } from "../../src/ledger/campaigns/planning.ts";
import { putSource, removeSource } from "../../src/ledger/ground/suppression-sources.ts";
import { recordAnswers } from "../../src/ledger/ground/scrub-answers.ts";
import { suppressionPageSchema } from "../../src/http/wire/suppressions.ts";
import { createOutbound } from "../../src/outbound/client.ts";
import { askScrubbingService } from "../../src/outbound/scrubbing.ts";
import { startReceiver } from "../support/receiver.ts";
import { describeSomeLedger, given } from "../support/ledgers.ts";
import { createCampaign, csvOf, openApi, openSandbox, phonesFrom, upload, type TestApi } from "./support.ts";

const PACE = { ...paceAt(1), gatherMs: 0 };

async function plannedCampaign(
  api: TestApi,
  phones: readonly string[],
  ledger: Parameters<typeof planBatches>[0],
) {
  const id = await createCampaign(api);
  await upload(api, id, csvOf(phones));
  await api.app.inject({ method: "POST", url: `/v1/campaigns/${id}/start`, payload: {} });
  const plan = await planBatches(ledger, {
    campaignId: id,
    seenPlannings: 0,
    blockedBy: undefined,
    pace: PACE,
    nowMs: Date.now(),
  });
  return { id, batchIds: given(plan).batchIds };
}

describeSomeLedger("suppressions over HTTP", (ledger) => {
  it("suppresses numbers however they are written, and stops the batches that are dialing them", async () => {
    const api = await openApi(ledger(), await openSandbox());
    const { id, batchIds } = await plannedCampaign(api, phonesFrom(1100, 3), ledger());
    const added = await api.app.inject({
      method: "POST",
      url: "/v1/suppressions",
      payload: {
        entries: [
          { phone: "(202) 555-1101", reason: "asked by mail" },
          { phone: "+12025551999", brand: "acme", reason: "competitor" },
        ],
        default_region: "US",
      },
    });
    expect(added.json()).toEqual({
      added: 2,
      already: 0,
      stopped_batches: 1,
      in_flight: { batches: 1, calls_up: 3, uncertain: 0 },
    });
    const stopped = await listUnsettled(ledger().db, id);
    expect(stopped.map(({ stopReason }) => stopReason)).toEqual(["suppression"]);
    expect(api.halted).toEqual([batchIds]);
    const listed = await api.app.inject({ url: "/v1/suppressions?phone=%2B12025551101" });
    expect(listed.json()).toMatchObject({
      items: [
        { phone: "+12025551101", brand: null, source: "api", reason: "asked by mail", expires_at: null },
      ],
      total: 1,
      next_after: null,
    });
  });

  it("suppresses nobody where one entry is wrong, and names every wrong one", async () => {
    const api = await openApi(ledger());
    const refused = await api.app.inject({
      method: "POST",
      url: "/v1/suppressions",
      payload: {
        entries: [
          { phone: "+12025551201", reason: "x" },
          { phone: "12", reason: "x" },
          { phone: "+12025551203", reason: "x", expires_at: "2001-01-01T00:00:00Z" },
        ],
      },
    });
    expect(refused.statusCode).toBe(422);
    expect(refused.json<{ errors: { field: string }[] }>().errors.map(({ field }) => field)).toEqual([
      "entries.1.phone",
      "entries.2.expires_at",
    ]);
    const listed = await api.app.inject({ url: "/v1/suppressions?phone=%2B12025551201" });
    expect(listed.json()).toMatchObject({ total: 0 });
  });

  it("takes a suppression back with a reason, and says where there was none", async () => {
    const api = await openApi(ledger());
    const remove = () =>
      api.app.inject({
        method: "DELETE",
        url: "/v1/suppressions",
        payload: { phone: "+12025551301", reason: "signed up again" },
      });
    expect((await remove()).json()).toMatchObject({ code: "not_suppressed" });
    await api.app.inject({
      method: "POST",
      url: "/v1/suppressions",
      payload: { entries: [{ phone: "+12025551301", reason: "asked" }] },
    });
    expect((await remove()).json()).toEqual({
      phone: "+12025551301",
      removed: true,
      taken_back: [{ said_by: "person", source: "api", reason: "asked" }],
      still: [],
    });
    const without = await api.app.inject({
      method: "DELETE",
      url: "/v1/suppressions",
      payload: { phone: "+12025551301" },
    });
    expect(without.json()).toMatchObject({ code: "invalid_request", errors: [{ field: "reason" }] });
  });

  it("keeps what a person said beside what a list says, and takes back the one that is named", async () => {
    const api = await openApi(ledger());
    const [phone] = phonesFrom(1350, 1) as [string];
    const imported = await api.app.inject({
      method: "POST",
      url: "/v1/suppressions/import?source_name=bought.csv",
      headers: { "content-type": "text/csv" },
      payload: csvOf([phone]),
    });
    expect(imported.json()).toMatchObject({ added: 1 });
    const added = await api.app.inject({
      method: "POST",
      url: "/v1/suppressions",
      payload: { entries: [{ phone, reason: "wrote to us" }] },
    });
    expect(added.json()).toMatchObject({ added: 0, already: 1 });
    const list = async () =>
      suppressionPageSchema
        .parse((await api.app.inject({ url: `/v1/suppressions?phone=${encodeURIComponent(phone)}` })).json())
        .items.map(({ said_by, source, reason }) => ({ said_by, source, reason }));
    const person = { said_by: "person", source: "api", reason: "wrote to us" };
    const bought = { said_by: "list", source: "list:bought.csv", reason: "on the list bought.csv" };
    expect(await list()).toEqual([bought, person]);
    const remove = (payload: object) =>
      api.app.inject({
        method: "DELETE",
        url: "/v1/suppressions",
        payload: { phone, reason: "test", ...payload },
      });
    expect((await remove({ source: "list:other.csv" })).json()).toMatchObject({
      code: "not_suppressed",
      detail: expect.stringContaining("by list:other.csv") as string,
    });
    // Who corrects the list must not take the person's word with it.
    const unclear = await remove({});
    expect(unclear.statusCode).toBe(409);
    expect(unclear.json()).toMatchObject({
      code: "several_words",
      detail: expect.stringMatching(
        /"api" \(wrote to us\), "list:bought\.csv" \(.*Name the source/,
      ) as string,
    });
    expect((await remove({ source: "list:bought.csv" })).json()).toMatchObject({
      taken_back: [bought],
      still: [{ brand: null, source: "api", reason: "wrote to us" }],
    });
    expect(await list()).toEqual([person]);
  });

  it("refuses a list of nobody, with its name and what to do", async () => {
    const api = await openApi(ledger());
    for (const [payload, type] of [
      ["phone\n", "text/csv"],
      ["", "text/csv"],
      ["\n", "application/x-ndjson"],
    ] as const) {
      const refused = await api.app.inject({
        method: "POST",
        url: "/v1/suppressions/import?source_name=nobody.csv",
        headers: { "content-type": type },
        payload,
      });
      expect([refused.statusCode, refused.json()]).toMatchObject([422, { code: "invalid_list" }]);
    }
  });

  it("takes a file of numbers, pages through them, and hands back each row that suppressed nobody", async () => {
    const api = await openApi(ledger());
    const imported = await api.app.inject({
      method: "POST",
      url: "/v1/suppressions/import",
      query: { source_name: "dnc.csv", brand: "acme" },
      headers: { "content-type": "text/csv" },
      payload: `${csvOf(phonesFrom(1400, 4))}nobody,x\n`,
    });
    expect(imported.json()).toMatchObject({
      added: 4,
      rows: { read: 5, rejected: 1 },
      rejected: [{ line: 6, code: "phone_letters" }],
    });
    const seen: string[] = [];
    let after: string | null | undefined;
    do {
      const query: Record<string, string> = {
        brand: "acme",
        limit: "3",
        ...(typeof after === "string" && { after }),
      };
      const page = suppressionPageSchema.parse(
        (await api.app.inject({ url: "/v1/suppressions", query })).json(),
      );
      seen.push(...page.items.map(({ phone }) => phone));
      after = page.next_after;
    } while (after !== null);
    expect(seen).toEqual(expect.arrayContaining(phonesFrom(1400, 4)));
  });

  it("suppresses every number of a list, whatever else is wrong with its rows", async () => {
    const api = await openApi(ledger(), await openSandbox());
    const [zone = "", note = "", few = "", many = "", first = "", second = "", half = ""] = phonesFrom(
      1450,
      7,
    );
    const imported = await api.app.inject({
      method: "POST",
      url: "/v1/suppressions/import",
      query: { source_name: "dnc.csv", brand: "beta" },
      headers: { "content-type": "text/csv" },
      payload: [
        "phone,home_phone,time_zone,note",
        `${zone},,Mars/Olympus,`,
        `${note},,,"${"x".repeat(20_000)}\0"`,
        few,
        `${many},,,a,b`,
        `${first},${second},,`,
        `${half},12,,`,
        "12,,,",
        "",
      ].join("\n"),
    });
    expect(imported.json()).toMatchObject({
      added: 7,
      rows: { read: 7, rejected: 1, partly_read: 1 },
      rejected: [{ line: 8, code: "phone_short_code" }],
      partly_read: [{ line: 7, code: "phone_short_code" }],
    });
    const listed = await api.app.inject({ url: "/v1/suppressions", query: { brand: "beta" } });
    const page = suppressionPageSchema.parse(listed.json());
    expect(page.items.map(({ phone }) => phone)).toEqual(expect.arrayContaining(phonesFrom(1450, 7)));
  });

  it("with a key needs the digest of a list, and says so before anybody is suppressed", async () => {
    const api = await openApi(ledger());
    const [phone = ""] = phonesFrom(1470, 1);
    const refused = await api.app.inject({
      method: "POST",
      url: "/v1/suppressions/import",
      headers: { "content-type": "text/csv", "idempotency-key": "a" },
      payload: csvOf([phone]),
    });
    expect([refused.statusCode, refused.json()]).toMatchObject([
      422,
      {
        code: "invalid_request",
        detail: expect.stringContaining("digest: is needed with an Idempotency-Key"),
      },
    ]);
    const listed = await api.app.inject({ url: "/v1/suppressions", query: { phone } });
    expect(listed.json()).toMatchObject({ total: 0 });
    const described = await api.app.inject({ url: "/openapi.json" });
    expect(described.body).toContain("another one under an Idempotency-Key is refused");
  });

  it.each([
    ["/v1/suppressions/import", ""],
    ["/v1/campaigns/x/contacts", `?digest=${"0".repeat(64)}`],
    ["/v1/sequences/x/enrolments/list", `?digest=${"0".repeat(64)}`],
  ])("%s takes a list, and names what one is to whoever sends something else", async (path, query) => {
    const api = await openApi(ledger());
    for (const [type, payload] of [
      ["application/json", JSON.stringify([{ phone: "+12025550143" }])],
      ["application/json", "phone"],
      ["application/x-www-form-urlencoded", "phone"],
      ["text/plain", "phone"],
      [undefined, "phone"],
    ] as const) {
      const refused = await api.app.inject({
        method: "POST",
        url: `${path}${query}`,
        payload,
        headers: type === undefined ? {} : { "content-type": type },
      });
      expect([type, refused.statusCode, refused.json()]).toMatchObject([
        type,
        415,
        {
          code: "unsupported_media_type",
          detail: expect.stringMatching(/text\/csv or application\/x-ndjson/),
        },
      ]);
    }
    const none = await api.app.inject({ method: "POST", url: "/v1/suppressions/import" });
    expect(none.json()).toMatchObject({ detail: expect.stringContaining("no body") });
  });

  it("stops everything without Temporal, and goes on only with a reason", async () => {
    const api = await openApi(ledger(), await openSandbox());
    const { id, batchIds } = await plannedCampaign(api, phonesFrom(1500, 3), ledger());
    api.temporal.away = true;
    const stopped = await api.app.inject({
      method: "POST",
      url: "/v1/stop-all",
      payload: { reason: "wrong list" },
    });
    expect(stopped.json()).toMatchObject({ stopped: true, in_flight: { calls_up: 3 } });
    expect(api.halted.flat()).toEqual(expect.arrayContaining(batchIds));
    const batches = await listUnsettled(ledger().db, id);
    expect(batches.map(({ stopReason }) => stopReason)).toEqual(["stop_all"]);
    expect((await api.app.inject({ url: "/v1/system" })).json()).toMatchObject({
      stopped: { reason: "wrong list" },
      recovery: null,
    });
    const silent = await api.app.inject({ method: "POST", url: "/v1/go-on", payload: { reason: "  " } });
    expect(silent.statusCode).toBe(422);
    const on = await api.app.inject({
      method: "POST",
      url: "/v1/go-on",
      payload: { reason: "list corrected" },
    });
    expect(on.json()).toEqual({ stopped: false, was_stopped: true });
    expect(api.woken).toContain(`campaign ${id}`);
  });

  it("recovers only when somebody vouches for suppressions and withdrawals, and says what can't be booked", async () => {
    const refusal = new RecoveryRefusedError("dialing stays held: batch 7 shows no number");
    const api = await openApi(ledger(), {
      recover: () => Promise.reject(refusal),
    });
    const recover = (payload: object) => api.app.inject({ method: "POST", url: "/v1/recover", payload });
    for (const payload of [{}, { suppressions_complete: false }]) {
      const silent = await recover(payload);
      expect(silent.statusCode).toBe(422);
      expect(silent.json()).toMatchObject({ detail: expect.stringContaining("/v1/suppressions/import") });
    }
    const half = await recover({ suppressions_complete: true });
    expect(half.json()).toMatchObject({
      status: 422,
      errors: [{ field: "withdrawals_complete", message: expect.stringContaining("/withdrawals") }],
    });
    const refused = await recover({ suppressions_complete: true, withdrawals_complete: true });
    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toMatchObject({ code: "command_refused", detail: refusal.message });
    const { app } = await openApi(ledger());
    const payload = { suppressions_complete: true, withdrawals_complete: true };
    const recovered = await app.inject({ method: "POST", url: "/v1/recover", payload });
    expect(recovered.json()).toMatchObject({
      passed_over_schedules: 3,
      tokens_in_force: { count: 0, names: [] },
    });
  });
});

describeSomeLedger("sources of suppressions over HTTP", (ledger) => {
  const csv = (phones: readonly string[]) => `\uFEFFphone\r\n${phones.join("\r\n")}\r\n`;
  const digestOf = (text: string) => createHash("sha256").update(text).digest("hex");
  const sendList = (api: TestApi, name: string, text: string, query = `&digest=${digestOf(text)}`) =>
    api.app.inject({
      method: "POST",
      url: `/v1/suppressions/sources/${name}/list?source_name=dnc.csv${query}`,
      headers: { "content-type": "text/csv" },
      payload: text,
    });
  const put = (api: TestApi, name: string, payload: object) =>
    api.app.inject({ method: "PUT", url: `/v1/suppressions/sources/${name}`, payload });

  it("are declared, replaced, shown with what each list changed, and removed with a reason", async () => {
    const api = await openApi(ledger());
    const declared = await put(api, "ftc", { type: "do_not_call", brand: "acme", max_age: "31d" });
    expect(declared.json()).toMatchObject({
      is_new: true,
      source: { name: "ftc", brand: "acme", max_age: "31d", age: "stale", renewed_at: null, stale_at: null },
    });
    const phones = phonesFrom(4100, 3);
    // Twice the same, and a row that nobody can read.
    const first = await sendList(api, "ftc", csv([...phones, given(phones[0]), "none"]));
    expect(first.json()).toMatchObject({
      added: 3,
      kept: 0,
      removed: 0,
      source: { numbers: 3, age: "fresh" },
      rows: { read: 5, rejected: 1, partly_read: 0 },
      rejected: [{ line: 6 }],
    });
    const second = await sendList(api, "ftc", csv([...phones.slice(1), ...phonesFrom(4110, 1)]));
    expect(second.json()).toMatchObject({ added: 1, kept: 2, removed: 1 });
    const one = await api.app.inject({
      url: `/v1/suppressions?phone=${encodeURIComponent(given(phones[1]))}`,
    });
    expect(one.json()).toMatchObject({
      items: [],
      listed_by: [{ source: "ftc", type: "do_not_call", brand: "acme" }],
    });
    const shown = await api.app.inject({ url: "/v1/suppressions/sources/ftc" });
    expect(shown.json().loads).toMatchObject([
      { state: "taken", added: 1, kept: 2, removed: 1, list: "dnc.csv" },
      { state: "taken", added: 3, kept: 0, removed: 0 },
    ]);
    const removed = await api.app.inject({
      method: "DELETE",
      url: "/v1/suppressions/sources/ftc",
      payload: { reason: "another provider" },
    });
    expect(removed.json()).toMatchObject({ removed: { name: "ftc", numbers: 3 } });
    expect((await api.app.inject({ url: "/v1/suppressions/sources/ftc" })).json()).toMatchObject({
      code: "unknown_source",
    });
  });

  it("that are asked about numbers say how, never what a query holds, and are refused where they can't be asked", async () => {
    const secrets = {
      read(name: string) {
        if (name === "carrier") return ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"];
        if (name === "half") return ["whsk_1"];
        throw new UnknownSecretError(name, `there is no secret "${name}"`);
      },
    };
    const refusalOf = async (url: string) => (url.includes("10.1.2.3") ? "10.1.2.3 is private" : undefined);
    const api = await openApi(ledger(), { secrets, refusalOf });
    const scrub = { url: "https://scrub.example.com/v1?key=hidden", secret: "carrier" };
    const declared = await put(api, "carrier", { type: "scrub", brand: "scrubbed-http", scrub });
    expect(declared.json()).toMatchObject({
      source: {
        age: "fresh",
        scrub: {
          url: "https://scrub.example.com/v1?...",
          secret: "carrier",
          cache_for: "30d",
          when_away: "wait",
          tried_at: null,
          failures: 0,
          trouble: null,
          away_since: null,
        },
      },
    });
    expect(JSON.stringify(await rows(ledger().db, sql`select detail from audit`))).not.toContain("hidden");
    const refused = async (payload: object) => {
      const answer = await put(api, "other", payload);
      const { errors } = answer.json() as { errors?: { field: string }[] };
      return [answer.statusCode, ...(errors ?? []).map(({ field }) => field)];
    };
    const of = (changes: object) => ({ type: "scrub", scrub: { ...scrub, ...changes } });
    expect(await refused({ type: "own", scrub })).toEqual([422, "type"]);
    expect(await refused({ ...of({}), max_age: "1d" })).toEqual([422, "max_age"]);
    expect(await refused(of({ url: "ftp://scrub.example.com/" }))).toEqual([422, "scrub.url"]);
    expect(await refused(of({ url: "https://me:word@scrub.example.com/" }))).toEqual([422, "scrub.url"]);
    expect(await refused(of({ url: "https://10.1.2.3/" }))).toEqual([422, "scrub.url"]);
    expect(await refused(of({ secret: "gone" }))).toEqual([422, "scrub.secret"]);
    expect(await refused(of({ secret: "half" }))).toEqual([422, "scrub.secret"]);
    expect(await refused(of({ cache_for: "59m" }))).toEqual([422, "scrub.cache_for"]);
    expect(await refused(of({ when_away: "hope" }))).toEqual([422, "scrub.when_away"]);
    // A source that is asked no more has a list, like any other.
    const again = await put(api, "carrier", { type: "scrub", brand: "scrubbed-http" });
    expect(again.json()).toMatchObject({ is_new: false, source: { scrub: null } });
  });

  it("that are services are asked about a few numbers on demand, and nothing is written down", async () => {
    const receiver = await startReceiver();
    const outbound = createOutbound({ allow: ["127.0.0.1"] });
    const ports = { outbound, secrets: { read: () => ["a secret of ours"] }, now: Date.now };
    const api = await openApi(ledger(), {
      secrets: ports.secrets,
      askScrubber: (service, phones) => askScrubbingService(ports, service, phones),
    });
    try {
      await put(api, "tried", {
        type: "scrub",
        brand: "tried-http",
        scrub: { url: receiver.url, secret: "tried-key", cache_for: "1h" },
      });
      const tables = async () =>
        rows(
          ledger().db,
          sql`select (select count(*)::int from scrub_answers) as answers, (select count(*)::int from suppressions) as words,
                (select count(*)::int from audit) as audited, (select max(tried_at) is null from suppression_sources where name = 'tried') as untried`,
        );
      const before = await tables();
      const check = async (phones: readonly string[], name = "tried") => {
        const answer = await api.app.inject({
          method: "POST",
          url: `/v1/suppressions/sources/${name}/check`,
          payload: { phones, default_region: "US" },
        });
        return answer.json();
      };
      const [listed, clear, unknown] = phonesFrom(4700, 3) as [string, string, string];
      receiver.answer = () => ({
        status: 200,
        body: JSON.stringify({ listed: [{ phone: listed, reason: "state register" }], clear: [clear] }),
      });
      const tried = await check([listed, clear, unknown, "(202) 555-4700"]);
      expect(tried).toMatchObject({
        source: { name: "tried", scrub: { secret: "tried-key", tried_at: null } },
        outcome: "answered",
        status: 200,
        trouble: null,
        numbers: [
          { phone: listed, verdict: "listed", reason: "state register" },
          { phone: clear, verdict: "clear" },
          { phone: unknown, verdict: "unanswered" },
        ],
      });
      expect(Date.parse(tried.numbers[0].until) - Date.now()).toBeLessThanOrEqual(3_600_000);
      expect(JSON.parse(given(receiver.received[0]).body)).toMatchObject({
        type: "numbers.scrub",
        data: { source: "tried", brand: "tried-http", phones: [listed, clear, unknown] },
      });
      receiver.answer = () => ({ status: 401, body: "bad signature" });
      expect(await check([listed])).toMatchObject({
        outcome: "wrong",
        status: 401,
        trouble: expect.stringContaining("does not take the signature") as string,
        said: "bad signature",
        numbers: [{ phone: listed, verdict: null, until: null }],
      });
      receiver.answer = () => ({ status: 503 });
      expect(await check([listed])).toMatchObject({ outcome: "away", status: 503, said: null });
      receiver.answer = () => ({ status: 0 });
      expect(await check([listed])).toMatchObject({ outcome: "away", status: null });
      receiver.answer = () => ({ status: 200, body: '{"listed": [], "clear": []}' });
      expect(await check([listed])).toMatchObject({ outcome: "silent", status: 200 });
      expect(await tables()).toEqual(before);
      await put(api, "tried-list", { type: "own" });
      expect(await check([listed], "tried-list")).toMatchObject({ code: "command_refused" });
      expect(await check([listed], "tried-nothing")).toMatchObject({ code: "unknown_source" });
      expect(await check(phonesFrom(4700, 11))).toMatchObject({ code: "invalid_request" });
      expect(await check(["12"])).toMatchObject({ code: "invalid_request" });
    } finally {
      await outbound.close();
      await receiver.close();
    }
  });

  it("keep their list where the new one is cut off, empty, of another file, or for nobody", async () => {
    const api = await openApi(ledger());
    await put(api, "keeps", { type: "own" });
    const phones = phonesFrom(4200, 4);
    await sendList(api, "keeps", csv(phones));
    const refused = async (text: string, query?: string) => {
      const { statusCode, json } = await sendList(api, "keeps", text, query);
      return [statusCode, json().code];
    };
    expect(await refused(csv(phones.slice(0, 3)), `&digest=${digestOf(csv(phones))}`)).toEqual([
      409,
      "digest_mismatch",
    ]);
    expect(await refused(csv([]))).toEqual([409, "list_shrinks"]);
    expect(await refused(csv(phones.slice(0, 1)))).toEqual([409, "list_shrinks"]);
    expect(await refused(csv(phones), "")).toEqual([422, "invalid_request"]);
    expect(await refused("name\nAnna\n")).toEqual([422, "invalid_list"]);
    const future = `&digest=${digestOf(csv(phones))}&as_of=${encodeURIComponent("2099-01-01T00:00:00Z")}`;
    expect(await refused(csv(phones), future)).toEqual([422, "invalid_request"]);
    expect((await sendList(api, "nobody", csv(phones))).json()).toMatchObject({ code: "unknown_source" });
    const shown = await api.app.inject({ url: "/v1/suppressions/sources/keeps" });
    expect(shown.json().source).toMatchObject({ numbers: 4 });
    const meant = csv(phones.slice(0, 1));
    expect(
      (await sendList(api, "keeps", meant, `&digest=${digestOf(meant)}&allow_shrink=true`)).json(),
    ).toMatchObject({
      removed: 3,
    });
  });

  it("keep their list where an older one is sent again behind it, unless that is meant", async () => {
    let nowMs = Date.parse("2026-12-01T00:00:00Z");
    const api = await openApi(ledger(), { now: () => nowMs });
    await put(api, "queued", { type: "do_not_call" });
    const [monday, tuesday] = [csv(phonesFrom(4300, 2)), csv(phonesFrom(4300, 3))];
    const newer = given(phonesFrom(4300, 3)[2]);
    const send = async (text: string, query = "", body = text) => {
      nowMs += 86_400_000;
      const { statusCode, json } = await sendList(api, "queued", body, `&digest=${digestOf(text)}${query}`);
      return { statusCode, ...json() };
    };
    // Its connection broke.
    expect(await send(monday, "", monday.slice(0, -20))).toMatchObject({ code: "digest_mismatch" });
    expect(await send(tuesday, "&as_of=2026-12-03T00:00:00Z")).toMatchObject({ added: 3 });
    for (const query of ["", "&as_of=2026-12-02T00:00:00Z"])
      expect(await send(monday, query)).toMatchObject({
        statusCode: 409,
        code: "list_is_older",
        detail: expect.stringContaining("allow_older=true") as string,
      });
    const listedBy = async () => {
      const shown = await api.app.inject({ url: `/v1/suppressions?phone=${encodeURIComponent(newer)}` });
      return shown.json().listed_by.map(({ source }: { source: string }) => source);
    };
    expect(await listedBy()).toEqual(["queued"]);
    expect(await send(monday, "&as_of=2026-12-02T00:00:00Z&allow_older=true")).toMatchObject({ removed: 1 });
    expect(await listedBy()).toEqual([]);
  });

  it.each([
    [{ type: "rumour" }, "type"],
    [{ type: "own", max_age: "soon" }, "max_age"],
    [{ type: "own", max_age: "1s" }, "max_age"],
    [{ type: "own", scope: "all" }, "scope"],
  ])("are refused where %j is no source", async (payload, field) => {
    const api = await openApi(ledger());
    const { statusCode, json } = await put(api, "wrong", payload);
    expect([statusCode, json().detail]).toEqual([422, expect.stringContaining(field)]);
  });

  it("keep a number that nobody but they list: it is on a list, which is said with whose it is and what ends that", async () => {
    const api = await openApi(ledger());
    await put(api, "kept", { type: "do_not_call", brand: "kept-brand" });
    const [phone, ...others] = phonesFrom(4180, 3) as [string, string, string];
    await sendList(api, "kept", csv([phone, ...others]));
    const remove = (payload: object) =>
      api.app.inject({
        method: "DELETE",
        url: "/v1/suppressions",
        payload: { phone, reason: "a mistake", ...payload },
      });
    const brand = "kept-brand";
    for (const meant of [{ brand }, { brand, source: "kept" }, {}]) {
      const refused = await remove(meant);
      expect(refused.statusCode).toBe(409);
      expect(refused.json()).toMatchObject({
        code: "on_a_list",
        detail:
          "the number is on the list of kept: it is off it once that list is replaced by one without it, or its source removed",
      });
    }
    // Nobody of those that are named said it.
    for (const elsewhere of [{ brand: "another-brand" }, { brand, source: "api" }])
      expect((await remove(elsewhere)).json()).toMatchObject({ status: 404, code: "not_suppressed" });
    await sendList(api, "kept", csv(others));
    expect((await remove({ brand })).json()).toMatchObject({ code: "not_suppressed" });
  });

  it("says of what still lists a number that it is not to be taken back, and by whom it is decided", async () => {
    const api = await openApi(ledger(), await openSandbox());
    const nowMs = Date.now();
    const scrub = {
      url: "https://scrub.example",
      secret: "key",
      cacheMs: 86_400_000,
      whenAway: "wait",
    } as const;
    const common = { brand: undefined, maxAgeMs: undefined, type: "scrub", actor: "test", nowMs } as const;
    const phone = "+12025551377";
    await ledger().transaction(async (tx) => {
      const { source } = await putSource(tx, { ...common, name: "carrier", scrub });
      const asked = { ...source, scrub: { ...scrub, sinceMs: nowMs } };
      const reading = { listed: new Map([[phone, "litigator"]]), clear: new Set<string>(), missing: [] };
      await recordAnswers(tx, { source: asked, reading, askedAtMs: nowMs, nowMs });
    });
    const remove = () =>
      api.app.inject({ method: "DELETE", url: "/v1/suppressions", payload: { phone, reason: "a mistake" } });
    expect((await remove()).json()).toMatchObject({
      taken_back: [{ said_by: "service", source: "scrub carrier" }],
      still: [{ source: "scrub carrier", reason: expect.stringContaining("the service decides") as string }],
    });
    expect((await remove()).json()).toMatchObject({ code: "not_suppressed" });
    await ledger().transaction((tx) =>
      removeSource(tx, { name: "carrier", reason: "test", actor: "test", nowMs }),
    );
  });
});
