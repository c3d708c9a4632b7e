import { expect, it } from "vitest";

import { createInstruments } from "../../src/telemetry/instruments.ts";
import { createLedgerGauges } from "../../src/telemetry/ledger-gauges.ts";
import { METRICS } from "../../src/telemetry/metric-table.ts";
import { freshPhones, NOW_MS, planAndStart, running, SECOND_MS } from "../ledger/support/scenario.ts";
import { counted } from "../ledger/support/counted.ts";
import { readExposition, sumOf } from "../support/exposition.ts";
import { given, withLedger } from "../support/ledgers.ts";

withLedger((ledger) => {
  const watching = (of: Pick<ReturnType<typeof ledger>, "db" | "hasRoom">, accountLines?: number) => {
    const instruments = createInstruments({ ofLedger: true });
    const warned: string[] = [];
    let nowMs = NOW_MS;
    const gauges = createLedgerGauges({
      ledger: of,
      instruments,
      accountLines,
      log: { warn: (_fields, message) => void warned.push(message) },
      now: () => nowMs,
    });
    return {
      warned,
      later: (ms: number) => void (nowMs += ms),
      async look() {
        await gauges.refresh();
        return readExposition(await instruments.text());
      },
    };
  };

  it("gauges say how the ledger stands, campaigns by names of which no number can be read", async () => {
    const phone = given(freshPhones(1)[0]);
    const campaignId = await running(ledger(), freshPhones(30), {
      name: `call ${phone.slice(1)} now`,
      concurrency: 4,
    });
    await planAndStart(ledger(), campaignId);
    const families = await watching(ledger(), 3).look();
    expect(sumOf(families, "outdial_ledger_up")).toBe(1);
    expect(sumOf(families, "outdial_lines_limit"), "the account has 3").toBe(3);
    expect(sumOf(families, "outdial_lines_busy")).toBeGreaterThan(0);
    const busy = given(sumOf(families, "outdial_lines_busy"));
    expect(sumOf(families, "outdial_lines_wanted"), "more are up than the account has").toBe(busy);
    const wide = await watching(ledger(), 100).look();
    expect(sumOf(wide, "outdial_lines_wanted"), "all that the campaign may have").toBe(4);
    const ratio = given(sumOf(families, "outdial_fill_ratio"));
    expect(ratio).toBeGreaterThan(0);
    expect(ratio).toBeLessThanOrEqual(1);
    const contacts = given(families.get("outdial_campaign_contacts")).samples;
    expect(contacts.reduce((sum, { value }) => sum + value, 0)).toBe(30);
    const [label] = new Set(contacts.map(({ labels }) => labels["campaign"]));
    expect(label).toMatch(/^call \S+ now$/);
    expect(label).not.toContain(phone.slice(-8));
    const text = JSON.stringify([...families.values()]);
    expect(text.includes(phone.slice(1)), "its number is nowhere").toBe(false);
  });

  it("names that are the same once they are masked are counted together", async () => {
    const [one = "", other = ""] = freshPhones(200).filter((_, index) => index === 0 || index === 199);
    const named = (phone: string) =>
      running(ledger(), freshPhones(5), { name: `win back ${phone.slice(1)}` });
    await named(one);
    await named(other);
    const contacts = given((await watching(ledger()).look()).get("outdial_campaign_contacts")).samples;
    const open = contacts.filter(
      ({ labels }) => labels["state"] === "open" && labels["campaign"]?.startsWith("win back"),
    );
    expect(open.reduce((sum, { value }) => sum + value, 0)).toBe(10);
  });

  it("the ledger is read once for all who ask within ten seconds", async () => {
    const { ledger: counting, take } = counted(ledger());
    const watched = watching(counting);
    await Promise.all([watched.look(), watched.look(), watched.look()]);
    const once = take();
    expect(once).toBeGreaterThan(0);
    watched.later(9 * SECOND_MS);
    const families = await watched.look();
    expect(take()).toBe(0);
    expect(sumOf(families, "outdial_ledger_read_age_seconds")).toBe(9);
    watched.later(2 * SECOND_MS);
    await watched.look();
    expect(take()).toBe(once);
    // A clock that is set back does not keep what was read until it is there again.
    watched.later(-3_600 * SECOND_MS);
    expect(sumOf(await watched.look(), "outdial_ledger_read_age_seconds")).toBe(0);
    expect(take()).toBe(once);
  });

  it("a ledger that can't be read is told as one, without what it said before", async () => {
    let isAway = false;
    const db = new Proxy(ledger().db, {
      get: (target, name) => {
        if (isAway && name === "execute") return () => Promise.reject(new Error("it is away"));
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const watched = watching({ db, hasRoom: () => true });
    expect(sumOf(await watched.look(), "outdial_lines_busy")).toBeDefined();
    isAway = true;
    watched.later(11 * SECOND_MS);
    const families = await watched.look();
    expect(sumOf(families, "outdial_ledger_up")).toBe(0);
    for (const [name, { from }] of Object.entries(METRICS)) {
      if (from === "ledger" && !["outdial_ledger_up", "outdial_ledger_has_room"].includes(name))
        expect(given(families.get(name)).samples, name).toEqual([]);
    }
    expect(watched.warned).toEqual(["the ledger could not be read for metrics"]);
    isAway = false;
    expect(sumOf(await watched.look(), "outdial_ledger_up"), "it is asked again at once").toBe(1);
  });
});
