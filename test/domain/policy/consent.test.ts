import { describe, expect, it } from "vitest";

import {
  consentStanding,
  readConsent,
  roundedEnd,
  type ConsentCells,
  type ConsentPolicy,
  type ConsentRecord,
} from "../../../src/domain/policy/consent.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const NOW_MS = Date.UTC(2026, 5, 10, 12, 34, 56);

const said = (basis: ConsentRecord["basis"], atMs: number, expiresAtMs?: number): ConsentRecord => ({
  basis,
  atMs,
  expiresAtMs,
});
const standing = (records: readonly ConsentRecord[], policy: Partial<ConsentPolicy> = {}, nowMs = NOW_MS) =>
  consentStanding(records, { require: "express", maxAgeMs: undefined, ...policy }, nowMs);

describe("whether somebody may be called on what they said", () => {
  it.each([
    ["any", "legitimate_interest", true],
    ["any", "existing_relationship", true],
    ["any", "express", true],
    ["express", "express", true],
    ["express", "express_written", true],
    ["express", "existing_relationship", false],
    ["express", "legitimate_interest", false],
    ["express_written", "express_written", true],
    ["express_written", "express", false],
  ] as const)("where %s is asked for, %s is enough: %s", (require, basis, isEnough) => {
    const is = standing([said(basis, NOW_MS - DAY_MS)], { require });
    expect(is.kind).toBe(isEnough ? "given" : "no_consent");
    if (is.kind !== "given") expect(is.detail).toBe(`consent is ${basis}, and ${require} is asked for`);
  });

  it("needs something to have been said", () => {
    expect(standing([])).toEqual({ kind: "no_consent", detail: "no consent is known for the number" });
  });

  it("heeds no consent that is to come, but for clocks elsewhere that are ahead of ours", () => {
    expect(standing([said("express", NOW_MS + 5 * MINUTE_MS + 1)]).kind).toBe("no_consent");
    expect(standing([said("express", NOW_MS + 5 * MINUTE_MS)]).kind).toBe("given");
  });

  it("is over with a withdrawal, for all that was said until then, and begins anew with what is said after it", () => {
    const before = [said("express", NOW_MS - 3 * DAY_MS), said("express_written", NOW_MS - 2 * DAY_MS)];
    const withdrawn = said(undefined, NOW_MS - DAY_MS);
    expect(standing([...before, withdrawn])).toEqual({
      kind: "no_consent",
      detail: `consent was withdrawn at ${new Date(NOW_MS - DAY_MS).toISOString()}`,
    });
    // The same list again, or one of before, revives nothing.
    expect(standing([withdrawn, ...before]).kind).toBe("no_consent");
    expect(standing([withdrawn, said("express", withdrawn.atMs)]).kind).toBe("no_consent");
    expect(standing([withdrawn, said("express", withdrawn.atMs + 1)]).kind).toBe("given");
    // Nobody withdraws for later: whoever wrote it down has a clock that is ahead.
    const given = said("express", NOW_MS - DAY_MS);
    expect(standing([given, said(undefined, NOW_MS + 1)]).kind).toBe("no_consent");
  });

  it("goes by the consent that holds longest, and by the later word of the same moment", () => {
    const atMs = NOW_MS - DAY_MS;
    const over = said("express", atMs, NOW_MS - HOUR_MS);
    const longer = said("express", atMs - DAY_MS, NOW_MS + 30 * DAY_MS);
    expect(standing([over, longer]).kind).toBe("given");
    expect(standing([said("express", atMs, NOW_MS + 30 * DAY_MS), over]).kind).toBe("consent_expired");
    expect(standing([over, said("express", atMs)]).kind).toBe("given");
  });

  it("ends at its end, by its own word or by its age, whichever is sooner", () => {
    const endMs = NOW_MS + 30 * MINUTE_MS;
    const own = standing([said("express", NOW_MS - DAY_MS, endMs)]);
    expect(own).toEqual({ kind: "given", untilMs: Date.UTC(2026, 5, 10, 13, 0) });
    const aged = standing([said("express", NOW_MS - DAY_MS)], { maxAgeMs: DAY_MS + 5 * HOUR_MS });
    expect(aged).toEqual({ kind: "given", untilMs: Date.UTC(2026, 5, 10, 17) });
    expect(standing([said("express", NOW_MS - DAY_MS)], { maxAgeMs: DAY_MS })).toEqual({
      kind: "consent_expired",
      detail: `consent ended at ${new Date(NOW_MS).toISOString()}, which is counted with a greatest age of 1d`,
    });
    expect(standing([said("express", NOW_MS - DAY_MS, NOW_MS - 1)]).kind).toBe("consent_expired");
  });

  it("that was given on two grounds at one moment is given on both", () => {
    const both = [said("express_written", NOW_MS - DAY_MS), said("express", NOW_MS - DAY_MS)];
    for (const records of [both, both.toReversed()])
      expect(standing(records, { require: "express_written" }).kind).toBe("given");
  });

  it("is not enough for a call in its last two minutes, and says when it ended by its own word", () => {
    const endMs = Date.UTC(2026, 5, 10, 12, 50);
    const given = [said("express", NOW_MS - DAY_MS, endMs)];
    expect(standing(given, {}, endMs - 2 * MINUTE_MS - 1)).toEqual({ kind: "given", untilMs: endMs });
    expect(standing(given, {}, endMs - 2 * MINUTE_MS)).toEqual({
      kind: "consent_expired",
      detail: "consent ended at 2026-06-10T12:50:00.000Z",
    });
  });

  it.each([
    ["two hours from now by the tenth minute", Date.UTC(2026, 5, 10, 14, 34), "2026-06-10T14:30"],
    ["beyond two hours by the hour", Date.UTC(2026, 5, 10, 14, 34, 1), "2026-06-10T14:00"],
    ["on the day after next by the hour", Date.UTC(2026, 5, 12, 23, 59), "2026-06-12T23:00"],
    ["beyond that as the end of that day", Date.UTC(2026, 5, 13, 5), "2026-06-13T00:00"],
  ])("that ends %s is told as %s", (_when, endMs, told) => {
    const untilMs = roundedEnd(endMs, Date.UTC(2026, 5, 10, 12, 34));
    expect(new Date(untilMs).toISOString().slice(0, 16)).toBe(told);
  });

  it("never says longer than the consent holds, nor tells many ends apart", () => {
    const ends = new Set<number>();
    for (let minutes = 1; minutes < 90 * 24 * 60; minutes += 17) {
      const endMs = NOW_MS + minutes * MINUTE_MS;
      const is = standing([said("express", NOW_MS - DAY_MS, endMs)]);
      if (is.kind !== "given") {
        expect(minutes).toBeLessThan(13);
        continue;
      }
      expect(is.untilMs).toBeLessThanOrEqual(endMs);
      expect(is.untilMs).toBeGreaterThan(NOW_MS + 2 * MINUTE_MS);
      ends.add(is.untilMs);
    }
    expect(ends.size).toBeLessThan(90);
    expect(standing([said("express", NOW_MS - DAY_MS)])).toEqual({
      kind: "given",
      untilMs: Number.POSITIVE_INFINITY,
    });
  });
});

describe("consent as lists and requests write it", () => {
  const cells = (changes: Partial<ConsentCells> = {}): ConsentCells => ({
    basis: "express_written",
    at: "2026-03-01",
    proof: "",
    expiresAt: "",
    ...changes,
  });

  it.each([
    ["a day", { at: "2026-03-01" }, Date.UTC(2026, 2, 1)],
    ["a moment", { at: "2026-03-01T14:05:00+02:00" }, Date.UTC(2026, 2, 1, 12, 5)],
    ["a moment with a space", { at: "2026-03-01 14:05Z" }, Date.UTC(2026, 2, 1, 14, 5)],
    ["moments ago by a clock ahead of ours", { at: "2026-06-10T12:36:00Z" }, NOW_MS],
    ["what is just not too far ahead", { at: "2026-06-10T12:39:56Z" }, NOW_MS],
    ["the first day that a calendar of ours has", { at: "1970-01-01" }, 0],
    ["a basis with more than one space", { basis: "express  written" }, Date.UTC(2026, 2, 1)],
    ["a proof as long as one may be", { proof: "x".repeat(300) }, Date.UTC(2026, 2, 1)],
  ])("takes %s", (_name, changes, obtainedAtMs) => {
    expect(readConsent(cells(changes), NOW_MS)).toMatchObject({ ok: true, consent: { obtainedAtMs } });
  });

  it("takes bases however they are written, and what proves and ends it", () => {
    expect(
      readConsent(
        { basis: "Express Written", at: "2026-03-01", proof: "form 81", expiresAt: "2027-03-01" },
        NOW_MS,
      ),
    ).toEqual({
      ok: true,
      consent: {
        basis: "express_written",
        obtainedAtMs: Date.UTC(2026, 2, 1),
        proof: "form 81",
        expiresAtMs: Date.UTC(2027, 2, 1),
      },
    });
  });

  it("has no proof and no end where none is said", () => {
    expect(readConsent(cells(), NOW_MS)).toMatchObject({
      consent: { proof: undefined, expiresAtMs: undefined },
    });
  });

  it("says what is wrong with a field, as far as that is worth reading", () => {
    const reasonOf = (changes: Partial<ConsentCells>) => {
      const reading = readConsent(cells(changes), NOW_MS);
      return reading.ok ? undefined : reading.reason;
    };
    const long = "y".repeat(41);
    expect(reasonOf({ basis: "" })).toMatch(/^is empty: it must be express_written, express, /);
    expect(reasonOf({ basis: long })).toMatch(new RegExp(`^"${"y".repeat(40)}" is no basis of consent: `));
    expect(reasonOf({ at: "" })).toMatch(/^is empty: write it as 2026-/);
    expect(reasonOf({ at: long })).toMatch(new RegExp(`^"${"y".repeat(40)}" is no moment: write it as `));
  });

  it("is none where nothing is said", () => {
    expect(readConsent({ basis: "", at: "", proof: "", expiresAt: "" }, NOW_MS)).toEqual({
      ok: true,
      consent: undefined,
    });
  });

  it.each([
    ["a basis that is none", { basis: "yes" }, "consent_basis"],
    ["a name of JavaScript", { basis: "constructor" }, "consent_basis"],
    ["no basis", { basis: "" }, "consent_basis"],
    ["nothing but a proof", { basis: "", at: "", proof: "form 81" }, "consent_basis"],
    ["nothing but an end", { basis: "", at: "", expiresAt: "2027-03-01" }, "consent_basis"],
    ["no moment", { at: "" }, "consent_at"],
    ["a moment without an offset", { at: "2026-03-01T14:05:00" }, "consent_at"],
    ["another way round", { at: "01/03/2026" }, "consent_at"],
    ["a day that is none", { at: "2026-02-30" }, "consent_at"],
    ["an hour that is none", { at: "2026-03-01T25:00:00Z" }, "consent_at"],
    ["words", { at: "yesterday" }, "consent_at"],
    ["before there were campaigns", { at: "0001-01-01" }, "consent_at"],
    ["a day to come", { at: "2026-06-11" }, "consent_at"],
    ["an end that is none", { expiresAt: "soon" }, "consent_expires_at"],
    ["an end before it was given", { expiresAt: "2026-02-28" }, "consent_expires_at"],
    ["an end when it was given", { expiresAt: "2026-03-01" }, "consent_expires_at"],
    ["a proof of two lines", { proof: "a\nb" }, "consent_proof"],
    ["a proof that is a document", { proof: "x".repeat(301) }, "consent_proof"],
  ] as const)("refuses %s, and says which field", (_name, changes, field) => {
    expect(readConsent(cells(changes), NOW_MS)).toMatchObject({ ok: false, field });
  });
});
