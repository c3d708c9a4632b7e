import { describe, expect, it } from "vitest";

import {
  isLedgerAway,
  ledgerWaitMs,
  untilLedgerAnswers,
} from "../../../src/activities/ground/ledger-away.ts";
import { ledgerError, type Ledger } from "../../../src/ledger/ground/connection.ts";

const refused = () => Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
const coded = (code: string) => ledgerError(Object.assign(new Error("said by the database"), { code }));

/** A ledger whose every look comes to what it is told, one after the other; the last of them for ever. */
function told(...answers: (() => Promise<unknown>)[]) {
  let looks = 0;
  const execute = () => {
    looks += 1;
    return (answers[Math.min(looks, answers.length) - 1] ?? THERE)();
  };
  return { ledger: { urgent: { db: { execute } } } as unknown as Ledger, looks: () => looks };
}

const THERE = () => Promise.resolve({ rows: [{ mode: "off" }] });
/** A standby that has not taken over yet. */
const READ_ONLY = () => Promise.resolve({ rows: [{ mode: "on" }] });
const AWAY = () => Promise.reject(refused());
/** A network that went silent. */
const SILENT = () => new Promise<never>(() => {});

const FOREVER_MS = 3_600_000;
const nobody = () => new AbortController().signal;

describe("a step that finds the ledger away", () => {
  it("waits until it answers, with all others of its process by the same looks", async () => {
    const { ledger, looks } = told(AWAY, READ_ONLY, THERE);
    const waits = Array.from({ length: 40 }, () =>
      untilLedgerAnswers(ledger, { signal: nobody(), boundMs: FOREVER_MS }),
    );
    expect(new Set(await Promise.all(waits))).toEqual(new Set([true]));
    expect(looks()).toBe(3);
  });

  it("waits for nothing where it answers all the while", async () => {
    const { ledger, looks } = told(THERE);
    expect(await untilLedgerAnswers(ledger, { signal: nobody(), boundMs: FOREVER_MS })).toBe(false);
    expect(looks()).toBe(1);
  });

  it("has waited where it is back a moment ago", async () => {
    const { ledger } = told(AWAY, THERE);
    await untilLedgerAnswers(ledger, { signal: nobody(), boundMs: FOREVER_MS });
    expect(await untilLedgerAnswers(ledger, { signal: nobody(), boundMs: FOREVER_MS })).toBe(true);
  });

  it.each([
    ["is away", AWAY],
    ["says nothing", SILENT],
  ])("waits no longer than it may for one that %s", async (_how, answer) => {
    const { ledger } = told(answer);
    expect(await untilLedgerAnswers(ledger, { signal: nobody(), boundMs: 1 })).toBe(true);
  });

  it("ends its wait when nobody wants to know any more, be it in the middle of a look", async () => {
    const { ledger } = told(SILENT);
    const asked = new AbortController();
    const waiting = untilLedgerAnswers(ledger, { signal: asked.signal, boundMs: FOREVER_MS });
    asked.abort();
    await waiting;
    await untilLedgerAnswers(ledger, { signal: asked.signal, boundMs: FOREVER_MS });
  });

  it("waits no longer than until it would be tried again without that, and 30 seconds at most", () => {
    expect([1, 2, 3, 5, 6, 100].map(ledgerWaitMs)).toEqual([1_000, 2_000, 4_000, 16_000, 30_000, 30_000]);
  });

  it("is not one that met a lock, or a full disk", () => {
    expect(isLedgerAway(ledgerError(refused()))).toBe(true);
    expect(isLedgerAway(coded("57P03"))).toBe(true);
    expect(["55P03", "40P01", "53100"].map((code) => isLedgerAway(coded(code)))).toEqual([
      false,
      false,
      false,
    ]);
    expect(isLedgerAway(new Error("of something else"))).toBe(false);
  });
});
