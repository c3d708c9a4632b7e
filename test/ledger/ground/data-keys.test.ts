import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";

import {
  CannotOpenError,
  DataKeys,
  NoDataKeyError,
  readDataKeys,
} from "../../../src/ledger/ground/data-keys.ts";
import { given } from "../../support/ledgers.ts";

const PHONE = "+12025550143";
const keyOf = (id: string) => ({ id, key: randomBytes(32) });
const [one, other] = [keyOf("k1"), keyOf("k2")];

it("opens what was sealed, whatever text it is, and seals nothing twice alike", () => {
  const keys = new DataKeys([one]);
  const values = { iban: "DE02 1203 0000", note: "", name: "Ünïcode 🎈\u0000" };
  const sealed = keys.seal(PHONE, values);
  expect(keys.open(PHONE, sealed)).toEqual(values);
  expect(JSON.stringify(sealed)).not.toContain("DE02");
  expect(keys.seal(PHONE, values).values).not.toEqual(sealed.values);
});

it("opens with every key of the setting, and seals with the first", () => {
  const before = new DataKeys([one]).seal(PHONE, { a: "x" });
  const keys = new DataKeys([other, one]);
  expect(keys.open(PHONE, before)).toEqual({ a: "x" });
  expect(keys.seal(PHONE, { a: "x" }).with).toBe("k2");
});

it("opens nothing that was moved to another person or column, or changed by a bit, and tells neither value nor number", () => {
  const keys = new DataKeys([one]);
  const { values } = keys.seal(PHONE, { a: "hush" });
  const moved = { with: "k1", values: { b: given(values["a"]) } };
  const bytes = Buffer.from(given(values["a"]), "base64");
  const tries: (() => unknown)[] = [
    () => keys.open("+12025550144", { with: "k1", values }),
    () => keys.open(PHONE, moved),
    () => keys.open(PHONE, { with: "k1", values: { a: "" } }),
    ...Array.from(bytes, (_byte, at) => () => {
      const changed = Buffer.from(bytes);
      changed[at] = given(changed[at]) ^ 1;
      return keys.open(PHONE, { with: "k1", values: { a: changed.toString("base64") } });
    }),
  ];
  for (const attempt of tries) {
    expect(attempt).toThrow(CannotOpenError);
    expect(attempt).not.toThrow(/hush|2025550143/);
  }
});

it("names the key that is missing, and what to do", () => {
  const sealed = new DataKeys([one]).seal(PHONE, { a: "x" });
  expect(() => new DataKeys([other]).open(PHONE, sealed)).toThrow(/data key k1.*OUTDIAL_DATA_KEYS/);
  expect(() => new DataKeys().seal(PHONE, { a: "x" })).toThrow(NoDataKeyError);
});

it("reads keys a line each, and refuses what is none without showing it", () => {
  const [a, b] = [randomBytes(32).toString("base64"), randomBytes(32).toString("base64")];
  expect(readDataKeys(`k2:${a}\nk1:${b}\n`).map(({ id }) => id)).toEqual(["k2", "k1"]);
  const short = randomBytes(16).toString("base64");
  for (const [text, why] of [
    [`k1:${short}`, /32 bytes/],
    [a, /id:key/],
    [`k 1:${a}`, /id:key/],
    [`k1:${a}\nk1:${b}`, /two keys/],
    [`k1:${a.slice(0, -1)}`, /32 bytes/],
  ] as const) {
    expect(() => readDataKeys(text)).toThrow(why);
    expect(() => readDataKeys(text)).not.toThrow(short.slice(0, 10));
  }
});
