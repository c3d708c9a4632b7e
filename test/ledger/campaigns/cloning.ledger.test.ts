import { sql, type SQL } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { expect, it } from "vitest";

import type { Whom } from "../../../src/domain/campaigns/cloned-people.ts";
import { readCampaign, type Campaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { beginClone, findClone, takeClonedPeople } from "../../../src/ledger/campaigns/cloning.ts";
import { listImports } from "../../../src/ledger/campaigns/list-imports.ts";
import { closeBatch, settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { addTag } from "../../../src/ledger/campaigns/tags.ts";
import { withdrawContacts } from "../../../src/ledger/campaigns/withdrawing.ts";
import { rows, type Db, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { addSuppressions } from "../../../src/ledger/ground/suppressions.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { expectInvariants } from "../support/invariants.ts";
import {
  contact,
  createScheduled,
  ended,
  freshPhones,
  importWhole,
  listOfContacts,
  NOW_MS,
  plan,
  planAndStart,
  running,
  specOf,
  tell,
} from "../support/scenario.ts";

const everybody: Whom = { people: "all", tag: undefined };

interface Copied {
  phone: string;
  state: string;
  reason: string | null;
  region: string | null;
  variables: Record<string, string>;
  zones: string[];
  priority: number;
  attempts: number;
}

describeLedgers("a clone of a campaign", (ledger) => {
  const read = async (id: string): Promise<Campaign> => given(await readCampaign(ledger().db, id));
  const begun = async (sourceId: string, whom: Whom | undefined): Promise<string> => {
    const source = await read(sourceId);
    const spec = specOf({ ...source.spec, name: `clone of ${source.name}` });
    const input = { source, spec, whom, actor: "ann", nowMs: NOW_MS };
    return (await beginClone(ledger(), input, () => {})).id;
  };
  const cloned = async (sourceId: string, whom: Whom): Promise<string> => {
    const id = await begun(sourceId, whom);
    await takeClonedPeople(ledger(), id, () => NOW_MS);
    return id;
  };
  const peopleOf = (id: string) =>
    rows<Copied>(
      ledger().db,
      sql`select c.phone, c.state, c.reason, c.region, c.variables, z.zones, l.priority, c.attempts
          from contacts c join lanes l on l.id = c.lane_id and l.campaign_id = c.campaign_id
            join zone_sets z on z.id = l.zone_set_id
          where c.campaign_id = ${id}::uuid order by c.line`,
    );

  it("has its people in their order, with what the list said of them, and nothing of what became of them", async () => {
    const [a = "", b = "", c = ""] = freshPhones(3).reverse();
    const source = await createScheduled(ledger(), {
      contact_priority: { column: "tier", first: 1, last: 0 },
    });
    await importWhole(ledger(), source.id, [
      contact(a, 2, { variables: { tier: "1", name: "A" } }),
      contact(b, 3, { zones: ["Europe/Berlin"], region: "DE", variables: { tier: "0", name: "B" } }),
      contact(c, 4, { variables: { tier: "0", name: "C" } }),
    ]);
    await tell(ledger(), "start", source.id);
    const [batchId] = await planAndStart(ledger(), source.id);
    await settleFindings(ledger(), {
      batchId: given(batchId),
      findings: [ended(a, "answered", NOW_MS)],
      nowMs: NOW_MS,
    });
    const before = await peopleOf(source.id);
    const id = await cloned(source.id, everybody);
    const copies = await peopleOf(id);
    expect(copies.map(({ phone, state, attempts }) => ({ phone, state, attempts }))).toEqual(
      [a, b, c].map((phone) => ({ phone, state: "open", attempts: 0 })),
    );
    const said = (people: Copied[]) =>
      people.map(({ region, variables, zones, priority }) => ({ region, variables, zones, priority }));
    expect(said(copies)).toEqual(said(before));
    expect(new Set(copies.map(({ priority }) => priority)).size).toBe(2);
    // Two of them the first campaign still has to call.
    expect(await findClone(ledger().db, id)).toMatchObject({ stillOpen: 2, leftOut: {} });
    await expectInvariants(ledger());
  });

  it("leaves out who was withdrawn and was reached, and excludes who is suppressed, each counted", async () => {
    const phones = freshPhones(5);
    const [reached = "", missed = "", gone = "", refused = "", unknown = ""] = phones;
    const source = await running(ledger(), phones, { retry: { max_attempts: 1 } });
    const batches = await planAndStart(ledger(), source);
    const batchId = given(batches[0]);
    await settleFindings(ledger(), {
      batchId,
      findings: [
        ended(reached, "answered", NOW_MS),
        ended(missed, "no_answer", NOW_MS),
        ended(gone, "no_answer", NOW_MS),
        ended(refused, "busy", NOW_MS),
        ended(unknown, "unknown", NOW_MS),
      ],
      nowMs: NOW_MS,
    });
    await closeBatch(ledger(), batchId, NOW_MS);
    await plan(ledger(), source);
    await withdrawContacts(ledger(), {
      campaignId: source,
      whom: { phones: [gone] },
      actor: "ann",
      reason: "asked",
      nowMs: NOW_MS,
    });
    const { brand } = await read(source);
    await ledger().transaction((tx) =>
      addSuppressions(tx, {
        entries: [{ phone: refused, brand, source: "api", reason: "asked" }],
        actor: "ann",
        nowMs: NOW_MS,
      }),
    );
    const id = await cloned(source, { people: "unreached", tag: undefined });
    expect((await peopleOf(id)).map(({ phone, state, reason }) => ({ phone, state, reason }))).toEqual([
      { phone: missed, state: "open", reason: null },
      { phone: refused, state: "excluded", reason: "suppressed" },
    ]);
    expect(await findClone(ledger().db, id)).toMatchObject({
      leftOut: { withdrawn: 1, reached: 1, perhaps_reached: 1 },
      stillOpen: 0,
    });
    const [list] = await listImports(ledger().db, { campaignId: id });
    expect(list).toMatchObject({ rowsRead: 2, rowsAccepted: 2, completedAtMs: NOW_MS });
    await expectInvariants(ledger());
    const byTag = { people: "all" as const, tag: "vip" };
    await ledger().transaction((tx) =>
      addTag(tx, { brand, phone: reached, tag: "vip", source: "follow-up x", nowMs: NOW_MS }),
    );
    const tagged = await createClone(ledger(), await read(source), byTag);
    expect((await peopleOf(tagged)).map(({ phone }) => phone)).toEqual([reached]);
  });

  it("does not start on a part of its people, and goes on where it was cut off, whoever takes them", async () => {
    const phones = freshPhones(2_345);
    const source = await createScheduled(ledger());
    await importWhole(ledger(), source.id, listOfContacts(phones));
    // Somebody else's people stand between them.
    const other = await createScheduled(ledger());
    await importWhole(ledger(), other.id, listOfContacts(freshPhones(1_500)));
    const late = freshPhones(3);
    await importWhole(ledger(), source.id, listOfContacts(late), "late");
    const id = await begun(source.id, everybody);
    let looks = 0;
    const cut = () => {
      looks += 1;
      if (looks > 2) throw new Error("cut off");
      return NOW_MS;
    };
    await expect(takeClonedPeople(ledger(), id, cut)).rejects.toThrow("cut off");
    expect(await peopleOf(id)).toHaveLength(2_000);
    await expect(tell(ledger(), "start", id)).rejects.toThrow(
      /only taken up to line 2000: give the same clone again/,
    );
    await Promise.all([1, 2].map(() => takeClonedPeople(ledger(), id, () => NOW_MS)));
    expect((await peopleOf(id)).map(({ phone }) => phone)).toEqual([...phones, ...late]);
    const [list] = await listImports(ledger().db, { campaignId: id });
    expect(list).toMatchObject({ rowsRead: 2_348, rowsAccepted: 2_348, rowsDuplicate: 0 });
    await takeClonedPeople(ledger(), id, () => NOW_MS);
    expect((await read(id)).tallies.open).toBe(2_348);
    await tell(ledger(), "start", id);
    await expectInvariants(ledger());
  });

  it("has nobody twice who came by a list meanwhile", async () => {
    const phones = freshPhones(3);
    const source = await createScheduled(ledger());
    await importWhole(ledger(), source.id, listOfContacts(phones));
    const id = await begun(source.id, everybody);
    await importWhole(ledger(), id, listOfContacts(phones.slice(1, 2)));
    await takeClonedPeople(ledger(), id, () => NOW_MS);
    expect((await read(id)).tallies.open).toBe(3);
    const lists = await listImports(ledger().db, { campaignId: id });
    expect(lists.map(({ rowsAccepted, rowsDuplicate }) => ({ rowsAccepted, rowsDuplicate }))).toEqual([
      { rowsAccepted: 2, rowsDuplicate: 1 },
      { rowsAccepted: 1, rowsDuplicate: 0 },
    ]);
    await expectInvariants(ledger());
  });

  it("counts who went by their age while it took them as forgotten, and as nobody twice", async () => {
    const phones = freshPhones(3);
    const source = await createScheduled(ledger());
    await importWhole(ledger(), source.id, listOfContacts(phones));
    const id = await begun(source.id, everybody);
    // Between looking at them and taking them.
    const clearing = (tx: Db): Db =>
      new Proxy(tx, {
        get(target, property, receiver) {
          if (property !== "execute") return Reflect.get(target, property, receiver) as unknown;
          return async (statement: SQL) => {
            if (/insert into lanes/.test(new PgDialect().sqlToQuery(statement).sql))
              await rows(
                target,
                sql`update contacts set cleared_at = now(), state = 'excluded', reason = 'too_old', ended_at = now(), variables = '{}'
                    where campaign_id = ${source.id}::uuid and phone = ${phones[1]}`,
              );
            return target.execute(statement);
          };
        },
      });
    const racing: Ledger = {
      ...ledger(),
      transaction: (work) => ledger().transaction((tx) => work(clearing(tx))),
    };
    await takeClonedPeople(racing, id, () => NOW_MS);
    expect((await peopleOf(id)).map(({ phone }) => phone)).toEqual([phones[0], phones[2]]);
    expect((await findClone(ledger().db, id))?.leftOut).toEqual({ forgotten: 1 });
    const [list] = await listImports(ledger().db, { campaignId: id });
    expect(list).toMatchObject({ rowsRead: 2, rowsAccepted: 2, rowsDuplicate: 0 });
    await rows(
      ledger().db,
      sql`update campaigns set open_count = 2, excluded_count = 1 where id = ${source.id}::uuid`,
    );
    await expectInvariants(ledger());
  });

  it("without people, or of a campaign that has none, is complete at once; both audits have it", async () => {
    const source = await createScheduled(ledger());
    const empty = await cloned(source.id, everybody);
    expect((await listImports(ledger().db, { campaignId: empty }))[0]).toMatchObject({
      rowsRead: 0,
      completedAtMs: NOW_MS,
    });
    await tell(ledger(), "start", empty);
    const other = await createScheduled(ledger());
    const bare = await begun(other.id, undefined);
    expect(await findClone(ledger().db, bare)).toBeUndefined();
    const audit = await rows<{ campaign_id: string; action: string; actor: string; detail: object }>(
      ledger().db,
      sql`select campaign_id, action, actor, detail from audit
          where campaign_id in (${other.id}::uuid, ${bare}::uuid) and action like 'campaign.clone%' order by id`,
    );
    expect(audit).toEqual([
      {
        campaign_id: bare,
        action: "campaign.clone",
        actor: "ann",
        detail: { people: "none", from: other.id, name: other.name, run: 1 },
      },
      {
        campaign_id: other.id,
        action: "campaign.cloned",
        actor: "ann",
        detail: { people: "none", to: bare, name: `clone of ${other.name}`, run: 1 },
      },
    ]);
  });
});

async function createClone(ledger: Ledger, source: Campaign, whom: Whom): Promise<string> {
  const spec = specOf({ ...source.spec, name: `tagged of ${source.name}` });
  const { id } = await beginClone(ledger, { source, spec, whom, actor: "ann", nowMs: NOW_MS }, () => {});
  await takeClonedPeople(ledger, id, () => NOW_MS);
  return id;
}
