import { sql } from "drizzle-orm";
import fc from "fast-check";
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";

import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { amendSpec } from "../../../src/ledger/campaigns/commands.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { AppendRefusedError, importChunk } from "../../../src/ledger/campaigns/imports.ts";
import { streamRejects } from "../../../src/ledger/campaigns/reports.ts";
import { addSuppressions } from "../../../src/ledger/ground/suppressions.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { expectInvariants } from "../support/invariants.ts";
import {
  begin,
  type BegunList,
  contact,
  contactsOf,
  createScheduled,
  DAY_MS,
  freshPhones,
  giveChunk,
  importWhole,
  listOfContacts,
  NOW_MS,
  plan,
  planAndStart,
  running,
  tallies,
  tell,
} from "../support/scenario.ts";
import { CommandRefusedError } from "../../../src/ledger/ground/command-refused.ts";
import {
  completeImport,
  listImports,
  type ListImport,
  type ReadReject,
  type ReadRow,
} from "../../../src/ledger/campaigns/list-imports.ts";

const reject = (line: number): ReadReject => ({
  kind: "rejected",
  line,
  code: "phone_invalid",
  reason: "no number",
  raw: `row ${line}`,
});

async function importOf(ledger: Ledger, of: Pick<BegunList, "id" | "campaignId">): Promise<ListImport> {
  return given((await listImports(ledger.db, of)).find((one) => one.id === of.id));
}

async function rejectsOf(ledger: Ledger, campaignId: string): Promise<string[]> {
  const found: string[] = [];
  for await (const page of streamRejects(ledger.db, { campaignId }))
    found.push(...page.map((row) => `${row.source}:${row.line} ${row.code}`));
  return found;
}

describeLedgers("importing lists", (ledger) => {
  describe("taking a list in", () => {
    it("accepts each row once: contacts, rejects and duplicates add up to the rows read", async () => {
      const [a, b, c] = freshPhones(3) as [string, string, string];
      const { id } = await createScheduled(ledger());
      const begun = await begin(ledger(), id);
      await giveChunk(ledger(), begun, [
        contact(a, 2),
        reject(3),
        contact(b, 4),
        contact(a, 5),
        contact(c, 6),
      ]);
      expect(await importOf(ledger(), begun)).toMatchObject({
        throughLine: 6,
        rowsRead: 5,
        rowsAccepted: 3,
        rowsRejected: 1,
        rowsDuplicate: 1,
        completedAtMs: undefined,
      });
      expect(await rejectsOf(ledger(), id)).toEqual(["digest.csv:3 phone_invalid", "digest.csv:5 duplicate"]);
      expect(await tallies(ledger(), id)).toMatchObject({ open: 3, excluded: 0 });
      await expectInvariants(ledger());
    });

    it("changes nothing when a chunk is given again, or when it overlaps with what was taken", async () => {
      const phones = freshPhones(6);
      const list = [...listOfContacts(phones), reject(8), contact(given(phones[0]), 9)];
      const { id } = await createScheduled(ledger());
      const begun = await begin(ledger(), id);
      await giveChunk(ledger(), begun, list.slice(0, 5));
      const before = await contactsOf(ledger(), id);
      await giveChunk(ledger(), begun, list.slice(0, 5));
      expect(await contactsOf(ledger(), id)).toEqual(before);
      await giveChunk(ledger(), begun, list.slice(2));
      await giveChunk(ledger(), begun, list);
      expect(await importOf(ledger(), begun)).toMatchObject({
        rowsRead: 8,
        rowsAccepted: 6,
        rowsRejected: 1,
        rowsDuplicate: 1,
      });
      await expectInvariants(ledger());
    });

    it("comes to the same wherever it was cut off and resumed", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.record({ person: fc.nat(5), bad: fc.nat(5) }), { minLength: 1, maxLength: 12 }),
          fc.array(fc.nat(12), { maxLength: 6 }),
          async (people, cuts) => {
            const phones = freshPhones(6);
            const list = people.map(({ person, bad }, index) =>
              bad === 0 ? reject(index + 2) : contact(given(phones[person]), index + 2),
            );
            const whole = await createScheduled(ledger());
            await importWhole(ledger(), whole.id, list);
            const cut = await createScheduled(ledger());
            for (const at of [...cuts, list.length]) {
              // Whoever resumes asks first, and is told how far it came.
              const begun = await begin(ledger(), cut.id);
              const rest = list.filter((row) => row.line > begun.throughLine).slice(0, at);
              if (rest.length > 0) await giveChunk(ledger(), begun, rest);
            }
            const last = await begin(ledger(), cut.id);
            await giveChunk(
              ledger(),
              last,
              list.filter((row) => row.line > last.throughLine).length > 0 ? list : [],
            );
            const [one, other] = [
              await listImports(ledger().db, { campaignId: whole.id }),
              await listImports(ledger().db, { campaignId: cut.id }),
            ];
            const counts = (imports: ListImport[]) =>
              imports.map(({ rowsRead, rowsAccepted, rowsRejected, rowsDuplicate }) => [
                rowsRead,
                rowsAccepted,
                rowsRejected,
                rowsDuplicate,
              ]);
            expect(counts(other)).toEqual(counts(one));
            expect(await rejectsOf(ledger(), cut.id)).toEqual(await rejectsOf(ledger(), whole.id));
            expect((await contactsOf(ledger(), cut.id)).map((row) => row.phone)).toEqual(
              (await contactsOf(ledger(), whole.id)).map((row) => row.phone),
            );
          },
        ),
        { numRuns: 12 },
      );
      await expectInvariants(ledger());
    });

    it("knows the same file again and another file of the same campaign as another", async () => {
      const phones = freshPhones(4);
      const { id } = await createScheduled(ledger());
      const first = await begin(ledger(), id, "one");
      await giveChunk(ledger(), first, listOfContacts(phones.slice(0, 3)));
      expect((await begin(ledger(), id, "one")).id).toBe(first.id);
      const second = await begin(ledger(), id, "two");
      expect(second).toMatchObject({ throughLine: 0, rowsRead: 0 });
      await giveChunk(ledger(), second, listOfContacts([given(phones[3]), given(phones[0])]));
      expect(await importOf(ledger(), second)).toMatchObject({ rowsAccepted: 1, rowsDuplicate: 1 });
      expect(await tallies(ledger(), id)).toMatchObject({ open: 4 });
    });

    it("takes the same number into two campaigns, once into each", async () => {
      const phones = freshPhones(2);
      const [one, two] = [await createScheduled(ledger()), await createScheduled(ledger())];
      await importWhole(ledger(), one.id, listOfContacts(phones));
      await importWhole(ledger(), two.id, listOfContacts(phones));
      expect(await tallies(ledger(), two.id)).toMatchObject({ open: 2 });
    });

    it("keeps the time at which a list was complete", async () => {
      const { id } = await createScheduled(ledger());
      const begun = await begin(ledger(), id);
      await completeImport(ledger(), { importId: begun.id, nowMs: NOW_MS + 1_000 });
      await completeImport(ledger(), { importId: begun.id, nowMs: NOW_MS + 9_000 });
      expect((await importOf(ledger(), begun)).completedAtMs).toBe(NOW_MS + 1_000);
    });

    it("accepts a chunk whole or not at all", async () => {
      const phones = freshPhones(3);
      const { id } = await createScheduled(ledger());
      const begun = await begin(ledger(), id);
      // A line number that no row can have breaks the last of the three.
      const broken = [...listOfContacts(phones.slice(0, 2)), contact(given(phones[2]), 2 ** 40)];
      await expect(giveChunk(ledger(), begun, broken)).rejects.toThrow();
      expect(await contactsOf(ledger(), id)).toEqual([]);
      expect(await importOf(ledger(), begun)).toMatchObject({ throughLine: 0, rowsRead: 0 });
      await expectInvariants(ledger());
    });
  });

  describe("the zones that contacts are held to", () => {
    const placed = { zones: ["America/New_York"], strictZones: ["America/New_York", "Pacific/Honolulu"] };

    async function zonesIn(campaignId: string): Promise<string[][]> {
      const found = await rows<{ zones: string[] }>(
        ledger().db,
        sql`select z.zones from contacts c join lanes l on l.id = c.lane_id join zone_sets z on z.id = l.zone_set_id
            where c.campaign_id = ${campaignId}::uuid order by c.line`,
      );
      return found.map(({ zones }) => zones);
    }

    it("are those of the number, and under strict those of its country", async () => {
      for (const [zones, wanted] of [
        [undefined, placed.zones],
        ["strict", placed.strictZones],
      ] as const) {
        const { id } = await createScheduled(ledger(), zones && { zones });
        await importWhole(ledger(), id, [contact(given(freshPhones(1)[0]), 2, placed)]);
        expect(await zonesIn(id)).toEqual([wanted]);
      }
    });

    it("keep people from being called under strict while it is closed anywhere in their country", async () => {
      const window = { weekdays: ["09:00-18:00"] };
      // Ten in the morning in New York is the middle of the night in Hawaii.
      const morningMs = Date.UTC(2026, 10, 23, 15);
      const people = () => [contact(given(freshPhones(1)[0]), 2, placed)];
      const loose = await running(ledger(), people(), { window }, morningMs);
      expect((await plan(ledger(), loose, morningMs)).batchIds).toHaveLength(1);
      const strict = await running(ledger(), people(), { window, zones: "strict" }, morningMs);
      expect((await plan(ledger(), strict, morningMs)).batchIds).toEqual([]);
    });

    it("are not changed under way", async () => {
      const { id, spec } = await createScheduled(ledger());
      await expect(
        amendSpec(ledger(), {
          campaignId: id,
          commandId: randomUUID(),
          actor: "test",
          reason: undefined,
          nowMs: NOW_MS,
          spec: { ...spec, zones: "strict" },
          dialByMarginMs: 60_000,
        }),
      ).rejects.toThrow(/zones .*the zones of its contacts were found when they were taken.*new run/);
    });
  });

  describe("who is not taken in as open", () => {
    it("is excluded with the reason, and still counted as accepted", async () => {
      const [plain, suppressed, nowhere, apart, both] = freshPhones(5) as [
        string,
        string,
        string,
        string,
        string,
      ];
      await ledger().transaction((tx) =>
        addSuppressions(tx, {
          entries: [suppressed, both].map((phone) => ({
            phone,
            brand: undefined,
            source: "dnc",
            reason: "register",
          })),
          actor: "test",
          nowMs: NOW_MS,
        }),
      );
      const { id } = await createScheduled(ledger(), { window: { weekdays: ["09:00-12:00"] } });
      await importWhole(ledger(), id, [
        contact(plain, 2),
        contact(suppressed, 3),
        contact(nowhere, 4, { zones: [] }),
        contact(apart, 5, { zones: ["America/New_York", "Asia/Tokyo"] }),
        contact(both, 6, { zones: [] }),
      ]);
      expect((await contactsOf(ledger(), id)).map(({ state, reason }) => [state, reason])).toEqual([
        ["open", null],
        ["excluded", "suppressed"],
        ["excluded", "no_time_zone"],
        ["excluded", "no_common_window"],
        ["excluded", "suppressed"],
      ]);
      expect(await tallies(ledger(), id)).toMatchObject({ open: 1, excluded: 4 });
      await expectInvariants(ledger());
    });

    it("is counted with its list by country and zones, over all its chunks", async () => {
      const [a, b, c, d, e] = freshPhones(5) as [string, string, string, string, string];
      const apart = { region: "RU", zones: ["Asia/Kamchatka", "Europe/Kaliningrad"] };
      const { id } = await createScheduled(ledger(), { window: { weekdays: ["09:00-18:00"] } });
      const begun = await begin(ledger(), id);
      await giveChunk(ledger(), begun, [contact(a, 2, apart), contact(b, 3)]);
      await giveChunk(ledger(), begun, [
        contact(c, 4, apart),
        contact(d, 5, { region: undefined, zones: [] }),
        contact(a, 6, apart),
      ]);
      await giveChunk(ledger(), begun, [contact(c, 4, apart), contact(e, 7)]);
      expect((await importOf(ledger(), begun)).neverDialed).toEqual([
        { reason: "no_common_window", ...apart, contacts: 2 },
        { reason: "no_time_zone", region: null, zones: [], contacts: 1 },
      ]);
    });

    it("needs no zone where the window is always", async () => {
      const { id } = await createScheduled(ledger());
      await importWhole(ledger(), id, [contact(given(freshPhones(1)[0]), 2, { zones: [] })]);
      expect(await tallies(ledger(), id)).toMatchObject({ open: 1, excluded: 0 });
    });

    it("is nobody whose suppression is another brand's, has expired or was taken back", async () => {
      const [other, expired] = freshPhones(2) as [string, string];
      await ledger().transaction((tx) =>
        addSuppressions(tx, {
          entries: [
            { phone: other, brand: "another", source: "call", reason: "asked" },
            { phone: expired, brand: undefined, source: "call", reason: "for a while", expiresAtMs: NOW_MS },
          ],
          actor: "test",
          nowMs: NOW_MS - DAY_MS,
        }),
      );
      const { id } = await createScheduled(ledger(), { brand: "acme" });
      await importWhole(ledger(), id, listOfContacts([other, expired]));
      expect(await tallies(ledger(), id)).toMatchObject({ open: 2, excluded: 0 });
    });
  });

  describe("when a list may be appended", () => {
    it.each(["scheduled", "running", "paused"] as const)("to a campaign that is %s", async (state) => {
      const phones = freshPhones(3);
      const { id } = await createScheduled(ledger());
      await importWhole(ledger(), id, listOfContacts(phones.slice(0, 1)));
      if (state !== "scheduled") await tell(ledger(), "start", id);
      if (state === "paused") await tell(ledger(), "pause", id);
      await importWhole(ledger(), id, listOfContacts(phones.slice(1)), "more");
      expect(await tallies(ledger(), id)).toMatchObject({ open: 3 });
    });

    it("not to one that is ending or over, nor to one that there is not: nothing of it is accepted", async () => {
      const phones = freshPhones(4);
      const id = await running(ledger(), phones.slice(0, 2));
      const begun = await begin(ledger(), id, "more");
      await planAndStart(ledger(), id);
      await tell(ledger(), "cancel", id);
      expect(given(await readCampaign(ledger().db, id)).state).toBe("draining");
      await expect(giveChunk(ledger(), begun, listOfContacts(phones.slice(2)))).rejects.toThrow(
        AppendRefusedError,
      );
      await expect(begin(ledger(), id, "other")).rejects.toThrow(/draining/);
      const over = await running(ledger(), []);
      await plan(ledger(), over);
      expect(given(await readCampaign(ledger().db, over)).state).toBe("completed");
      await expect(begin(ledger(), over, "other")).rejects.toThrow(AppendRefusedError);
      const nobody = "00000000-0000-4000-8000-000000000000";
      await expect(begin(ledger(), nobody)).rejects.toThrow(AppendRefusedError);
      await expectInvariants(ledger());
    });

    it("keeps a campaign from ending under a list that is still coming in, but not for ever", async () => {
      const phones = freshPhones(2);
      const id = await running(ledger(), []);
      const begun = await begin(ledger(), id, "slow", NOW_MS);
      expect((await plan(ledger(), id, NOW_MS + 1_000)).state).toBe("running");
      await giveChunk(ledger(), begun, listOfContacts(phones), NOW_MS + 5 * 60_000);
      expect((await plan(ledger(), id, NOW_MS + 6 * 60_000)).tallies).toMatchObject({ leased: 2 });
      const empty = await running(ledger(), []);
      await begin(ledger(), empty, "left behind", NOW_MS);
      expect((await plan(ledger(), empty, NOW_MS + 9 * 60_000)).state).toBe("running");
      expect((await plan(ledger(), empty, NOW_MS + 11 * 60_000)).state).toBe("completed");
    });

    it("does not start on part of a list unless that is asked for", async () => {
      const { id } = await createScheduled(ledger());
      await giveChunk(ledger(), await begin(ledger(), id), listOfContacts(freshPhones(2)));
      await expect(tell(ledger(), "start", id)).rejects.toThrow(CommandRefusedError);
      await expect(tell(ledger(), "start", id)).rejects.toThrow(/digest\.csv.*line 3/);
      expect(given(await readCampaign(ledger().db, id)).state).toBe("scheduled");
    });
  });

  describe("text that a database can't hold", () => {
    it("is kept with a replacement mark, and the row is not lost", async () => {
      const [a, b, c] = freshPhones(3) as [string, string, string];
      const { id } = await createScheduled(ledger());
      const begun = await begin(ledger(), id);
      await giveChunk(ledger(), begun, [
        contact(a, 2, {
          variables: { note: "a\0b", emoji: "👍", half: "x\ud83dy", literal: "\\u0000 \\ud800" },
        }),
        { ...reject(3), raw: "raw\0\udc00" },
        contact(b, 4, { variables: { note: "" } }),
        contact(c, 5, { variables: { toString: "kept" } }),
      ]);
      const kept = await rows<{ variables: Record<string, string> }>(
        ledger().db,
        sql`select variables from contacts where campaign_id = ${id}::uuid order by line`,
      );
      const expected: Record<string, string>[] = [
        { note: "a\uFFFDb", emoji: "👍", half: "x\uFFFDy", literal: "\\u0000 \\ud800" },
        { note: "" },
        { toString: "kept" },
      ];
      expect(kept.map((row) => row.variables)).toEqual(expected);
      const [rejected] = await rows<{ raw: string }>(
        ledger().db,
        sql`select raw from import_rejects where import_id = ${begun.id} and line = 3`,
      );
      expect(rejected?.raw).toBe("raw\uFFFD\uFFFD");
    });

    it("comes back as it went in, where the database can hold it", async () => {
      const { id } = await createScheduled(ledger());
      let line = 1;
      const begun = await begin(ledger(), id);
      await fc.assert(
        fc.asyncProperty(
          fc.dictionary(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" })),
          async (variables) => {
            line += 1;
            const phone = given(freshPhones(1)[0]);
            await giveChunk(ledger(), begun, [contact(phone, line, { variables })]);
            const [row] = await rows<{ variables: Record<string, string> }>(
              ledger().db,
              sql`select variables from contacts where campaign_id = ${id}::uuid and phone = ${phone}`,
            );
            expect({ ...row?.variables }).toEqual({ ...variables });
          },
        ),
        { numRuns: 40 },
      );
    });
  });

  describe("how fast chunks of 1,000 rows come in", () => {
    it("is printed, and all of them are there", async () => {
      const chunks = 10;
      const { id } = await createScheduled(ledger());
      const begun = await begin(ledger(), id);
      const list: ReadRow[] = listOfContacts(freshPhones(chunks * 1_000), {
        variables: { first_name: "Anna", plan: "b" },
      });
      const begunMs = performance.now();
      for (let from = 0; from < list.length; from += 1_000) {
        const chunk = list.slice(from, from + 1_000);
        await importChunk(ledger(), {
          campaignId: id,
          importId: begun.id,
          rows: chunk,
          throughLine: given(chunk.at(-1)).line,
          nowMs: NOW_MS,
        });
      }
      const seconds = (performance.now() - begunMs) / 1_000;
      process.stdout.write(`${ledger().kind}: ${Math.round(list.length / seconds)} rows a second\n`);
      expect(await tallies(ledger(), id)).toMatchObject({ open: list.length });
    });
  });
});
