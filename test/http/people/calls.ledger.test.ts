import { sql } from "drizzle-orm";
import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";

import { openApi as openClient } from "../../../src/cli/api/client.ts";
import { writeCalls } from "../../../src/cli/people/person-calls.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { plan, running } from "../../ledger/support/scenario.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { phoneNumbers } from "../../support/phone-numbers.ts";
import { until } from "../../support/until.ts";
import { openApi, openSandbox } from "../support.ts";

let numbered = 0;
const numberOf = () => given(phoneNumbers(1, 890_000 + (numbered += 1))[0]);

const AGENT = "11111111-1111-4111-8111-111111111111";

describeLedgers("what the platform holds of a person's calls", (ledger) => {
  /** A system on a port, with a platform that has called; and a client of it. */
  async function open() {
    const { sandbox, platform } = await openSandbox();
    // Each sandbox names its calls alike.
    await rows(ledger().db, sql`delete from inbound_calls`);
    const { app } = await openApi(ledger(), { platform });
    const url = await app.listen({ port: 0, host: "127.0.0.1" });
    const client = openClient({ url, token: undefined });
    onTestFinished(() => client.close());
    const called = async (phone: string, outcome: "answered" | "no_answer") => {
      sandbox.outcomes.force(phone, [outcome === "answered" ? { outcome, talk_ms: 3_000 } : { outcome }]);
      const { call_id: id } = await platform.calls.phone({
        agent_id: AGENT,
        from_number: "+12025550100",
        to_number: phone,
      });
      await until("the call to be processed", async () => {
        const { processing_status: status } = await platform.calls.get(id);
        return status === "completed" || status === "failed" || status === "skipped";
      });
      return id;
    };
    return { app, client, platform, called };
  }

  const booked = async (phone: string, callId: string) => {
    const nowMs = Date.now();
    await rows(
      ledger().db,
      sql`insert into inbound_calls (call_id, phone, at, created_at)
          values (${callId}, ${phone}, now(), to_timestamp(${nowMs / 1_000}))`,
    );
  };

  const folderOf = () => {
    const parent = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-calls-"));
    onTestFinished(() => fs.rmSync(parent, { recursive: true, force: true }));
    return path.join(parent, "of-the-person");
  };

  it("is written into a folder, with transcripts, recordings whole, and what is gone said to be", async () => {
    const { client, platform, called } = await open();
    const phone = numberOf();
    const [answered, unanswered, gone] = [
      await called(phone, "answered"),
      await called(phone, "no_answer"),
      await called(phone, "answered"),
    ];
    await platform.calls.delete(gone);
    for (const id of [answered, unanswered, gone]) await booked(phone, id);
    const folder = folderOf();
    const number = { number: phone, defaultRegion: undefined, folder };
    expect(await writeCalls(client, number)).toEqual({ calls: 3, gone: 1, recordings: 1, failed: 0 });

    const { calls } = JSON.parse(fs.readFileSync(path.join(folder, "calls.json"), "utf8")) as {
      calls: {
        call_id: string;
        record: { transcript?: unknown } | null;
        recording: { file: string; bytes: number; sha256: string } | null;
      }[];
    };
    const byId = new Map(calls.map((one) => [one.call_id, one]));
    expect(byId.get(answered)?.record?.transcript).toEqual((await platform.calls.get(answered)).transcript);
    expect(byId.get(gone)).toMatchObject({ record: null, recording: null });
    expect(byId.get(unanswered)).toMatchObject({ record: { call_id: unanswered }, recording: null });
    expect(JSON.stringify(calls)).not.toMatch(/access_token|room_url/);
    const { file, bytes, sha256 } = given(byId.get(answered)?.recording ?? undefined);
    const sound = fs.readFileSync(path.join(folder, file));
    expect(file).toMatch(/\.ogg$/);
    expect([sound.length, createHash("sha256").update(sound).digest("hex")]).toEqual([bytes, sha256]);
    const original: Buffer[] = [];
    for await (const chunk of (await platform.calls.recording(answered)).body) original.push(chunk as Buffer);
    expect(sound.equals(Buffer.concat(original))).toBe(true);
    expect(fs.readdirSync(folder).toSorted()).toEqual(["calls.json", file].toSorted());
    for (const one of fs.readdirSync(folder))
      expect(fs.statSync(path.join(folder, one)).mode & 0o077).toBe(0);

    await expect(writeCalls(client, number)).rejects.toThrow(/is not empty/);
  });

  it("comes page by page, each in the audit, and of this person alone", async () => {
    const { app, client, called } = await open();
    const [phone, other] = [numberOf(), numberOf()];
    const mine = await called(phone, "answered");
    const theirs = await called(other, "answered");
    await booked(phone, mine);
    await booked(phone, "call-that-the-platform-never-had");
    await booked(other, theirs);
    const ids: string[] = [];
    for (let after: string | undefined, more = true; more;) {
      const page = await client.people.calls(phone, { limit: 1, after });
      ids.push(...page.items.map(({ call_id: id }) => id));
      after = page.next_after ?? undefined;
      more = after !== undefined;
    }
    expect(ids.toSorted()).toEqual([mine, "call-that-the-platform-never-had"].toSorted());
    const at = `/v1/people/${encodeURIComponent(phone)}/calls`;
    expect((await app.inject({ url: `${at}/${theirs}/recording` })).statusCode).toBe(404);
    expect((await app.inject({ url: `${at}/call-that-the-platform-never-had/recording` })).statusCode).toBe(
      404,
    );
    const sound = await app.inject({ url: `${at}/${mine}/recording` });
    expect([sound.statusCode, sound.headers["content-type"]]).toEqual([200, "audio/ogg"]);
    const audited = await rows<{ n: number }>(
      ledger().db,
      sql`select count(*)::int as n from audit where action = 'person.export'`,
    );
    // Pages, and recordings of a call that is theirs.
    expect(given(audited[0]).n).toBeGreaterThanOrEqual(4);
  });

  it("knows calls to a person by their attempts", async () => {
    const { client, called } = await open();
    const phone = numberOf();
    const id = await called(phone, "answered");
    const campaignId = await running(ledger(), [phone]);
    await plan(ledger(), campaignId);
    await rows(ledger().db, sql`update attempts set call_id = ${id} where campaign_id = ${campaignId}::uuid`);
    expect((await client.people.calls(phone, {})).items).toMatchObject([
      { call_id: id, direction: "outbound", has_recording: true },
    ]);
  });
});
