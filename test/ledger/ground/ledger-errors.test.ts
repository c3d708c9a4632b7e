import { DrizzleQueryError } from "drizzle-orm";
import { describe, expect, it } from "vitest";

import {
  isOfItsValues,
  ledgerError,
  LateStatementError,
  LedgerFullError,
  LedgerUnavailableError,
  StatementRefusedError,
} from "../../../src/ledger/ground/connection.ts";

const sayingOf = (code: string) => Object.assign(new Error("it says why"), { code });
const refusedWith = (cause: Error) => ledgerError(new DrizzleQueryError("update people", [], cause));

describe("what the database says of a statement that it did not carry out", () => {
  it.each([
    "08006",
    "25006",
    "25P03",
    "40001",
    "40P01",
    "53000",
    "53200",
    "53300",
    "53400",
    "55P03",
    "57000",
    "57014",
    "57P01",
    "57P03",
    "58000",
    "58030",
    "XX000",
    "XX001",
    "XX002",
  ])("is that it can't now, with %s: it is asked again, and nobody's value is to blame", (code) => {
    for (const error of [refusedWith(sayingOf(code)), ledgerError(sayingOf(code))]) {
      expect(error).toBeInstanceOf(LedgerUnavailableError);
      expect(error).toMatchObject({ code });
      expect(isOfItsValues(error)).toBe(false);
    }
  });

  it("is that its disk is full", () => {
    expect(refusedWith(sayingOf("53100"))).toBeInstanceOf(LedgerFullError);
    expect(isOfItsValues(refusedWith(sayingOf("53100")))).toBe(false);
  });

  it.each(["22003", "22008", "22021", "22P02", "23502", "23505", "23514", "54000"])(
    "is that a value can't be, with %s",
    (code) => {
      const error = refusedWith(sayingOf(code));
      expect(error).toBeInstanceOf(StatementRefusedError);
      expect(isOfItsValues(error)).toBe(true);
    },
  );

  it.each(["0A000", "21000", "25P02", "28P01", "42P01", "42703", "P0001", ""])(
    "is neither, with %j: no value is given up for it",
    (code) => {
      const error = refusedWith(sayingOf(code));
      expect(error).toBeInstanceOf(StatementRefusedError);
      expect(isOfItsValues(error)).toBe(false);
    },
  );

  it("is nothing where the value made no statement", () => {
    expect(isOfItsValues(refusedWith(new TypeError("it is a circle")))).toBe(true);
    expect(isOfItsValues(new RangeError("Invalid time value"))).toBe(true);
    expect(isOfItsValues(ledgerError(new TypeError("it is no text")))).toBe(true);
  });

  it("is not told of errors that nobody knows", () => {
    expect(isOfItsValues(new LateStatementError())).toBe(false);
    expect(isOfItsValues(new Error("Cannot use a pool after calling end on the pool"))).toBe(false);
    expect(isOfItsValues("no error at all")).toBe(false);
  });
});
