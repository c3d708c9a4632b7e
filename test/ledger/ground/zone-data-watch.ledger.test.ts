import { sql } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";

import { watchZoneData } from "../../../src/chores/ground/watch-zone-data.ts";
import { listAttention, resolveAttentionById } from "../../../src/ledger/ground/attention.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { describeLedgers } from "../../support/ledgers.ts";

const SPRING = Date.parse("2027-03-01T00:00Z");
const SUMMER = Date.parse("2027-07-01T00:00Z");
const OLD = { version: "2026f", releasedOn: "2026-10-29", folder: undefined };
const NEW = { version: "2027b", releasedOn: "2027-06-20", folder: "/var/lib/outdial/zones" };

describeLedgers("zone data that grows old", (ledger) => {
  beforeEach(() => rows(ledger().db, sql`delete from attention`));

  const watch = (zones: typeof OLD | typeof NEW, nowMs: number) =>
    watchZoneData({ ledger: ledger(), now: () => nowMs }, zones);
  const list = async (resolved = false) =>
    (await listAttention(ledger().db, { kind: "zone_data_old", resolved, limit: 9 })).items;

  it("is told to people once, with what to do, when half a year is over", async () => {
    await watch(OLD, SPRING);
    expect(await list(true)).toEqual([]);
    await watch(OLD, SUMMER);
    await watch(OLD, SUMMER + 3_600_000);
    expect(await list()).toMatchObject([
      {
        subject: "2026f",
        times: 1,
        summary: expect.stringContaining("2026f of 2026-10-29"),
        remedy: expect.stringContaining("OUTDIAL_ZONE_DATA"),
      },
    ]);
  });

  it("goes off the list by itself once a process has newer data", async () => {
    await watch(OLD, SUMMER);
    await watch(NEW, SUMMER);
    expect(await list()).toEqual([]);
    expect(await list(true)).toMatchObject([{ resolution: "the time zone data 2027b is in use" }]);
  });

  it("does not come back after somebody dealt with it, but for the next release that grows old", async () => {
    await watch(OLD, SUMMER);
    const [entry] = await list();
    const input = { id: entry?.id ?? 0, by: "test", resolution: "there is no newer one", nowMs: SUMMER };
    await resolveAttentionById(ledger().db, input);
    await watch(OLD, SUMMER + 86_400_000);
    expect(await list()).toEqual([]);
    await watch(NEW, SUMMER + 365 * 86_400_000);
    expect(await list()).toMatchObject([{ subject: "2027b" }]);
  });
});
