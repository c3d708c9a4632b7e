import { expect, it } from "vitest";

import type { CampaignSpecInput } from "../../../src/domain/campaigns/campaign-spec.ts";
import type { Disposition } from "../../../src/domain/policy/disposition.ts";
import { dayOfDate } from "../../../src/domain/time/local-day.ts";
import { addBlackout } from "../../../src/ledger/ground/blackouts.ts";
import { closeBatch, settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import {
  contact,
  contactsOf,
  ended,
  freshPhones,
  openPhones,
  planAndStart,
  running,
} from "../support/scenario.ts";

const DAILY = { weekdays: ["09:00-20:00"], weekend: ["09:00-20:00"] };

describeLedgers("when a contact is called again", (ledger) => {
  async function begin(
    delays: NonNullable<CampaignSpecInput["retry"]>["delays"],
    { zones = ["America/New_York"], ...changes }: { zones?: string[]; brand?: string } = {},
    nowMs: number,
  ): Promise<string> {
    const person = contact(given(freshPhones(1)[0]), 2, { zones, strictZones: zones });
    return running(
      ledger(),
      [person],
      { ...changes, window: DAILY, retry: { max_attempts: 9, delays } },
      nowMs,
    );
  }

  /** Calls the one contact at a moment, and says when they are due again. */
  async function dueAfter(id: string, called: string, disposition: Disposition = "busy"): Promise<string> {
    const atMs = Date.parse(called);
    const [batchId] = await planAndStart(ledger(), id, atMs - 60_000);
    const findings = (await openPhones(ledger(), given(batchId))).map((phone) =>
      ended(phone, disposition, atMs),
    );
    expect(findings).toHaveLength(1);
    await settleFindings(ledger(), { batchId: given(batchId), findings, nowMs: atMs + 1_000 });
    await closeBatch(ledger(), given(batchId), atMs);
    return new Date(given((await contactsOf(ledger(), id))[0]).due_ms).toISOString();
  }

  it("goes by how often they came to the same", async () => {
    const id = await begin({ busy: ["10m", "2h"], no_answer: "1m" }, {}, Date.parse("2026-06-01T13:00Z"));
    expect(await dueAfter(id, "2026-06-01T14:00:00Z")).toBe("2026-06-01T14:10:00.000Z");
    expect(await dueAfter(id, "2026-06-01T15:00:00Z", "no_answer")).toBe("2026-06-01T15:01:00.000Z");
    expect(await dueAfter(id, "2026-06-01T16:00:00Z")).toBe("2026-06-01T18:00:00.000Z");
    expect(await dueAfter(id, "2026-06-01T19:00:00Z")).toBe("2026-06-01T21:00:00.000Z");
  });

  it("is when their window next opens, across a change of the clocks, in all of their zones", async () => {
    const beginMs = Date.parse("2026-10-31T13:00Z");
    const there = await begin({ busy: "next_window" }, {}, beginMs);
    expect(await dueAfter(there, "2026-10-31T19:00:00Z")).toBe("2026-11-01T14:00:00.000Z");
    const zones = ["America/Los_Angeles", "America/New_York"];
    const either = await begin({ busy: "next_window" }, { zones }, beginMs);
    expect(await dueAfter(either, "2026-10-31T19:00:00Z")).toBe("2026-11-01T17:00:00.000Z");
  });

  it("is behind a blackout that is known when the call is over", async () => {
    const nowMs = Date.parse("2026-06-01T13:00Z");
    const id = await begin({ busy: "next_window" }, { brand: "dark" }, nowMs);
    const [fromDay, lastDay] = [dayOfDate("2026-06-02"), dayOfDate("2026-06-04")];
    await ledger().transaction((tx) =>
      addBlackout(tx, { brand: "dark", fromDay, lastDay, name: "", actor: "test", nowMs }),
    );
    expect(await dueAfter(id, "2026-06-01T15:00:00Z")).toBe("2026-06-05T13:00:00.000Z");
  });

  it("is in a part of the day in which they were not called, as far as there is one", async () => {
    const id = await begin(
      { busy: { after: "1h", at: "other_part_of_day" } },
      {},
      Date.parse("2026-06-01T13:00Z"),
    );
    expect(await dueAfter(id, "2026-06-01T13:30:00Z")).toBe("2026-06-01T15:00:00.000Z");
    expect(await dueAfter(id, "2026-06-01T15:30:00Z")).toBe("2026-06-01T18:00:00.000Z");
    expect(await dueAfter(id, "2026-06-01T18:30:00Z")).toBe("2026-06-01T21:00:00.000Z");
    expect(await dueAfter(id, "2026-06-01T21:30:00Z")).toBe("2026-06-02T13:00:00.000Z");
  });
});
