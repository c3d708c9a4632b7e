import { sql } from "drizzle-orm";
import { createHash } from "node:crypto";
import http from "node:http";
import { Readable } from "node:stream";
import { expect, it, vi } from "vitest";

import { planBatches } from "../../../src/ledger/campaigns/planning.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { paceAt } from "../../../src/activities/deps.ts";
import { describeSomeLedger, given } from "../../support/ledgers.ts";
import {
  createCampaign,
  csvOf,
  openApi,
  openSandbox,
  phonesFrom,
  sha256,
  specOf,
  upload,
} from "../support.ts";
import { listImports } from "../../../src/ledger/campaigns/list-imports.ts";
import { PATIENCE_MS } from "../../support/until.ts";

const RESULT_HEADER =
  "line,phone,outcome,reason,state,attempts,attempt_dispositions,call_ids,first_attempt_at,first_attempt_local,last_attempt_at,last_attempt_local,last_attempt_ended_at,last_attempt_ended_local,duration_seconds,time_zones,policy_versions,agent_versions";

describeSomeLedger("lists over HTTP", (ledger) => {
  it("takes a list once: rows counted, the same list again changes nothing", async () => {
    const api = await openApi(ledger(), await openSandbox());
    const id = await createCampaign(api);
    const list = `${csvOf(phonesFrom(1000, 5))}+12025551000,Again\nnot a number,Nobody\n`;
    const taken = await upload(api, id, list);
    expect(taken.json()).toMatchObject({
      rows: { read: 7, rejected: 1, duplicate: 1, accepted: 5 },
      already: false,
    });
    const again = await upload(api, id, list);
    expect(again.json()).toMatchObject({ rows: { read: 7, accepted: 5 }, already: true });
    const report = await api.app.inject({ url: `/v1/campaigns/${id}/report` });
    expect(report.json()).toMatchObject({
      rows: { read: 7, rejected: 1, duplicate: 1 },
      contacts: { total: 5, open: 5 },
    });
  });

  it("answers who of a list can never be called, and finds zones by the columns of places", async () => {
    const api = await openApi(ledger(), await openSandbox());
    const id = await createCampaign(api, { window: { weekdays: ["09:00-18:00"] } });
    const list =
      "phone,state\n+79161234567,\n+79161234568,\n+79161234569,Московская область\n+12025550143,CA\n";
    const taken = (await upload(api, id, list)).json<{ never_dialed: unknown[] }>();
    expect(taken.never_dialed).toEqual([
      {
        reason: "no_common_window",
        region: "RU",
        zones: expect.arrayContaining(["Asia/Kamchatka", "Europe/Kaliningrad"]),
        contacts: 2,
        why: expect.stringContaining("12 time zones, whose clocks are 10 h apart"),
        remedy: expect.stringContaining("widen the window"),
      },
    ]);
    const shown = (await api.app.inject({ url: `/v1/campaigns/${id}` })).json<{ lists: unknown[] }>();
    expect(shown.lists).toMatchObject([{ never_dialed: [{ region: "RU", contacts: 2 }] }]);
    const explained = await api.app.inject({
      url: `/v1/campaigns/${id}/contacts/%2B12025550143/explanation`,
    });
    expect(explained.json()).toMatchObject({
      contact: { zones: ["America/Los_Angeles", "America/New_York"] },
    });
  });

  it("holds the numbers of a strict campaign to all of their country, and is not amended in that", async () => {
    const api = await openApi(ledger(), await openSandbox());
    const spec = specOf({ zones: "strict" });
    const made = await api.app.inject({ method: "POST", url: "/v1/campaigns", payload: { spec } });
    const { id } = made.json<{ id: string }>();
    await upload(api, id, "phone,zip\n+12025550143,\n+12025550144,20001\n");
    const zonesOf = async (phone: string) =>
      (
        await api.app.inject({ url: `/v1/campaigns/${id}/contacts/${encodeURIComponent(phone)}/explanation` })
      ).json<{
        contact: { zones: string[] };
      }>().contact.zones;
    expect(await zonesOf("+12025550143")).toEqual(
      expect.arrayContaining(["America/New_York", "Pacific/Honolulu"]),
    );
    expect(await zonesOf("+12025550144")).toEqual(["America/New_York"]);
    const { zones: _strict, ...loose } = spec;
    const amended = await api.app.inject({
      method: "POST",
      url: `/v1/campaigns/${id}/amend`,
      payload: { spec: loose },
    });
    expect(amended.statusCode).toBe(409);
    expect(amended.json()).toMatchObject({
      detail: expect.stringMatching(
        /zones was "strict", is now \(not set\), and the zones of its contacts were found/,
      ),
    });
  });

  it("refuses a list whose header or text can't be used, and writes nothing of it", async () => {
    const api = await openApi(ledger(), await openSandbox());
    const id = await createCampaign(api);
    for (const [list, code] of [
      ["", "empty_file"],
      ["name,city\nx,y\n", "no_phone_column"],
      ["phone,phone\n+12025550100,x\n", "column_name_repeated"],
      ["phone,__proto__\n+12025550100,x\n", "column_name_forbidden"],
      ["phone\n", "no_rows"],
    ] as const) {
      const refused = await upload(api, id, list);
      expect(refused.statusCode).toBe(422);
      expect(refused.json()).toMatchObject({ code: "invalid_list", list_code: code });
    }
    expect(await listImports(ledger().db, { campaignId: id })).toEqual([]);
  });

  it("keeps a list partial that is not the announced one, and does not start on it unless told to", async () => {
    const api = await openApi(ledger(), await openSandbox());
    const id = await createCampaign(api);
    const list = csvOf(phonesFrom(2000, 3));
    const other = await upload(api, id, list, { digest: "0".repeat(64) });
    expect(other.statusCode).toBe(409);
    expect(other.json()).toMatchObject({ code: "digest_mismatch", digest: sha256(list) });
    const start = (payload: object) =>
      api.app.inject({ method: "POST", url: `/v1/campaigns/${id}/start`, payload });
    expect((await start({})).json()).toMatchObject({
      code: "command_refused",
      detail: expect.stringContaining("list.csv"),
    });
    expect((await start({ allow_partial: true })).json()).toMatchObject({ state: "running" });
  });

  it("refuses to go on with a list that is read in another way", async () => {
    const api = await openApi(ledger(), await openSandbox());
    const id = await createCampaign(api);
    const list = "phone,mobil\n2025550143,2025550144\n";
    expect((await upload(api, id, list, { default_region: "US", map: '{"phone":"phone"}' })).statusCode).toBe(
      200,
    );
    const other = await upload(api, id, list, { default_region: "US", map: '{"phone":"mobil"}' });
    expect(other.json()).toMatchObject({ code: "import_differs" });
  });

  it("goes on behind the last accepted row when the client went away", async () => {
    const api = await openApi(ledger(), await openSandbox());
    const id = await createCampaign(api);
    const list = csvOf(phonesFrom(1000, 6_000));
    const address = new URL(await api.app.listen({ host: "127.0.0.1", port: 0 }));
    const digest = createHash("sha256").update(list).digest("hex");
    const request = http.request({
      host: address.hostname,
      port: address.port,
      method: "POST",
      path: `/v1/campaigns/${id}/contacts?digest=${digest}&source_name=list.csv`,
      headers: { "content-type": "text/csv" },
    });
    request.on("error", () => {});
    // Two thirds of the list, and then nothing more.
    request.write(list.slice(0, Math.floor(list.length * 0.67)));
    const partial = await vi.waitFor(
      async () => {
        const [list] = await listImports(ledger().db, { campaignId: id });
        expect(given(list).rowsAccepted).toBeGreaterThanOrEqual(1_000);
        return given(list);
      },
      { timeout: PATIENCE_MS, interval: 20 },
    );
    request.destroy();
    expect(partial.completedAtMs).toBeUndefined();
    const whole = await upload(api, id, list);
    expect(whole.json()).toMatchObject({ rows: { read: 6_000, accepted: 6_000, duplicate: 0, rejected: 0 } });
  });

  it("takes NDJSON as a stream", async () => {
    const api = await openApi(ledger(), await openSandbox());
    const id = await createCampaign(api);
    const lines = phonesFrom(7000, 3).map((phone) => `${JSON.stringify({ phone, plan: "gold" })}\n`);
    const taken = await api.app.inject({
      method: "POST",
      url: `/v1/campaigns/${id}/contacts`,
      query: { digest: sha256(lines.join("")), source_name: "list.ndjson" },
      headers: { "content-type": "application/x-ndjson" },
      payload: Readable.from(lines.map((line) => Buffer.from(line))),
    });
    expect(taken.json()).toMatchObject({ rows: { read: 3, accepted: 3 } });
  });

  it("hands results and rejects out as CSV that a spreadsheet can't take for formulas", async () => {
    const api = await openApi(ledger(), await openSandbox());
    const id = await createCampaign(api);
    const list =
      'phone,name,note\n+12025558001,"Zoë ""Z""",=1+1\n+12025558001,twice,\n,empty,\n=cmd,formula,\n';
    await upload(api, id, list);
    const results = await api.app.inject({ url: `/v1/campaigns/${id}/results.csv` });
    expect(results.headers["content-type"]).toBe("text/csv; charset=utf-8");
    expect(results.body.trimEnd().split("\n")).toEqual([
      `${RESULT_HEADER},var_name,var_note`,
      `2,+12025558001,,,open,0,,,,,,,,,,America/New_York,,,"Zoë ""Z""",'=1+1`,
    ]);
    const rejects = await api.app.inject({ url: `/v1/campaigns/${id}/rejects.csv` });
    expect(rejects.body.split("\n").map((line) => line.split(",").slice(0, 2).join(","))).toEqual([
      "line,code",
      "3,duplicate",
      "4,phone_empty",
      "5,phone_letters",
      "",
    ]);
    expect(rejects.body).toMatch(/,"'=cmd,formula,"\n$/);
  });

  it("proves with its results at what time of whose clocks somebody was called, and under which policy", async () => {
    const api = await openApi(ledger(), await openSandbox());
    const id = await createCampaign(api);
    await upload(api, id, "phone,state\n+12025558101,\n+12025558102,CA\n+12025558103,\n");
    await api.app.inject({ method: "POST", url: `/v1/campaigns/${id}/start`, payload: {} });
    const pace = { ...paceAt(1), gatherMs: 0 };
    await planBatches(ledger(), {
      campaignId: id,
      seenPlannings: 0,
      blockedBy: undefined,
      pace,
      nowMs: Date.now(),
    });
    const times = sql`planned_at = '2026-11-23T15:00:00Z', started_at = '2026-11-23T15:00:07Z', ended_at = '2026-11-23T15:01:00Z'`;
    const of = sql`campaign_id = ${id}::uuid and phone in ('+12025558101', '+12025558102')`;
    await rows(ledger().db, sql`update attempts set ${times} where campaign_id = ${id}::uuid`);
    // A call that is up has no end yet.
    await rows(
      ledger().db,
      sql`insert into attempts (campaign_id, contact_id, attempt_no, phone, batch_id, policy_version, state, disposition, planned_at, started_at, ended_at)
          select campaign_id, contact_id, 0, phone, batch_id, 7, 'ended', 'no_answer', planned_at - interval '1 day',
            started_at - interval '1 day', ended_at - interval '1 day' from attempts where ${of}`,
    );
    await rows(ledger().db, sql`update attempts set ended_at = null where ${of} and state = 'open'`);
    const results = await api.app.inject({ url: `/v1/campaigns/${id}/results.csv` });
    const [header = "", ...lines] = results.body.trimEnd().split("\n");
    const names = header.split(",");
    const told = lines.map((line) => {
      const cells = line.split(",");
      return Object.fromEntries(names.map((name, at) => [name, cells[at]]));
    });
    expect(told).toMatchObject([
      {
        phone: "+12025558101",
        time_zones: "America/New_York",
        first_attempt_at: "2026-11-22T15:00:07.000Z",
        first_attempt_local: "2026-11-22 10:00:07 America/New_York",
        last_attempt_at: "2026-11-23T15:00:07.000Z",
        last_attempt_local: "2026-11-23 10:00:07 America/New_York",
        // Of the last one that has ended.
        last_attempt_ended_at: "2026-11-22T15:01:00.000Z",
        last_attempt_ended_local: "2026-11-22 10:01:00 America/New_York",
        policy_versions: "1 7",
      },
      {
        phone: "+12025558102",
        time_zones: "America/Los_Angeles America/New_York",
        last_attempt_local: "2026-11-23 07:00:07 America/Los_Angeles to 10:00:07 America/New_York",
      },
      {
        phone: "+12025558103",
        first_attempt_local: "2026-11-23 10:00:07 America/New_York",
        last_attempt_local: "2026-11-23 10:00:07 America/New_York",
        last_attempt_ended_local: "2026-11-23 10:01:00 America/New_York",
        policy_versions: "1",
      },
    ]);
  });
});
