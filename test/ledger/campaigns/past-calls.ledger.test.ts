import { sql } from "drizzle-orm";
import { expect, it } from "vitest";

import { readPastCalls } from "../../../src/ledger/campaigns/past-calls.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { describeLedgers } from "../../support/ledgers.ts";
import { freshPhones, running } from "../support/scenario.ts";

const CALLS = 40;

describeLedgers("what calls of the past came to", (ledger) => {
  it("is read of batches from everywhere among them where they are more than are asked for", async () => {
    const brand = "past";
    const id = await running(ledger(), freshPhones(CALLS), { brand });
    // A batch for each call; what ids of batches end in decides which are read, and here they are counted up.
    await rows(
      ledger().db,
      sql`insert into batches (id, campaign_id, state, agent_id, from_number, policy_version, size, slots, held, planned_at, settled_at)
          select ('5ad1e700-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, ${id}::uuid, 'settled', 'agent', '+12025550100', 1, 1, 1, 0, now(), now()
          from generate_series(1, ${CALLS}::int) n`,
    );
    await rows(
      ledger().db,
      sql`insert into attempts (campaign_id, contact_id, attempt_no, phone, batch_id, policy_version, state, disposition, duration_seconds, planned_at, ended_at)
          select ${id}::uuid, c.id, 1, c.phone, ('5ad1e700-0000-4000-8000-' || lpad(to_hex(c.n), 12, '0'))::uuid, 1, 'ended', 'answered', 60, now(), now()
          from (select id, phone, row_number() over (order by id)::int as n from contacts where campaign_id = ${id}::uuid) c`,
    );
    await rows(ledger().db, sql`update campaigns set attempt_count = ${CALLS}::int where id = ${id}::uuid`);
    const read = (atMost?: number) =>
      readPastCalls(ledger().db, { brand, agentId: "agent", ...(atMost !== undefined && { atMost }) });
    const all = { campaigns: 1, dispositions: { answered: CALLS }, dialed: CALLS, talkSeconds: CALLS * 60 };
    expect(await read()).toMatchObject(all);
    expect(await read(CALLS)).toMatchObject(all);
    // Every fourth.
    expect(await read(10)).toMatchObject({
      campaigns: 1,
      dispositions: { answered: 10 },
      dialed: 10,
      talkSeconds: 600,
    });
  });
});
