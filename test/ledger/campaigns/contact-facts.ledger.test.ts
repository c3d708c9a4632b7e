import { sql } from "drizzle-orm";
import { expect, it } from "vitest";

import { closeBatch, settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { listAskable, recordAnswers } from "../../../src/ledger/ground/scrub-answers.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { expectInvariants } from "../support/invariants.ts";
import { declareScrubber } from "../support/scrubber.ts";
import {
  amend,
  contactsOf,
  ended,
  freshPhones,
  HOUR_MS,
  MINUTE_MS,
  NOW_MS,
  openPhones,
  plan,
  planAndStart,
  running,
} from "../support/scenario.ts";

/* What the gate is told of a contact when a planning asks it: facts that no other test of plannings decides by. */
describeLedgers("a planning knows", (ledger) => {
  const stateOf = async (id: string) =>
    (await contactsOf(ledger(), id)).map(({ state, reason }) => reason ?? state);

  it("how often somebody's calls came to the same, where a policy that came later has fewer of these", async () => {
    const retry = { max_attempts: 5, delays: { busy: "10m", no_answer: "10m" } } as const;
    const id = await running(ledger(), freshPhones(2), { retry });
    const [batchId = ""] = await planAndStart(ledger(), id);
    const [busy = "", other = ""] = await openPhones(ledger(), batchId);
    const findings = [ended(busy, "busy", NOW_MS), ended(other, "no_answer", NOW_MS)];
    await settleFindings(ledger(), { batchId, findings, nowMs: NOW_MS });
    await closeBatch(ledger(), batchId, NOW_MS);
    await amend(ledger(), id, { retry: { ...retry, max_per_disposition: { busy: 1 } } });
    await plan(ledger(), id, NOW_MS + HOUR_MS);
    expect((await stateOf(id)).toSorted()).toEqual(["leased", "max_per_disposition"]);
    await expectInvariants(ledger());
  });

  it("when somebody called us, since they were accepted and not before", async () => {
    const [after = "", before = ""] = freshPhones(2);
    const id = await running(ledger(), [after, before], { inbound: "close" });
    const callsUs = (phone: string, atMs: number) =>
      rows(
        ledger().db,
        sql`insert into inbound_calls (call_id, phone, at, created_at, settled_at)
            values (${`inbound ${phone}`}, ${phone}, ${new Date(atMs).toISOString()}::timestamptz, now(), now())`,
      );
    await callsUs(after, NOW_MS + MINUTE_MS);
    await callsUs(before, NOW_MS - MINUTE_MS);
    await plan(ledger(), id, NOW_MS + 2 * MINUTE_MS);
    expect(await stateOf(id)).toEqual(["called_back", "leased"]);
    await expectInvariants(ledger());
  });

  it("what a service that is asked about each number has answered", async () => {
    const brand = "answered-for";
    const [clear = "", silent = ""] = freshPhones(2);
    const id = await running(ledger(), [clear, silent], { brand });
    await declareScrubber(ledger(), "carrier-of-facts", brand);
    const source = given((await listAskable(ledger().db, NOW_MS)).find((one) => one.brand === brand));
    const reading = { listed: new Map<string, string>(), clear: new Set([clear]), missing: [silent] };
    const asked = { source, reading, askedAtMs: NOW_MS, nowMs: NOW_MS };
    expect(await ledger().transaction((tx) => recordAnswers(tx, asked))).toBe(true);
    await plan(ledger(), id);
    expect(await stateOf(id)).toEqual(["leased", "open"]);
    await expectInvariants(ledger());
  });
});
