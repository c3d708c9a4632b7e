import { describe, expect, it } from "vitest";

import { readSentBody } from "../../../src/domain/triggers/sent-body.ts";
import { cpuMsOf } from "../../support/cpu.ts";

const json = (text: string) => {
  const reading = readSentBody("json", text);
  if (!reading.ok) throw new Error(reading.problem);
  return reading.payload;
};

describe("a body that was sent", () => {
  it("keeps whole numbers that JavaScript would round apart, as text, and everything else as it is", () => {
    expect(json('{"id": 1234567890123456789, "next": 1234567890123456788}')).toEqual({
      id: "1234567890123456789",
      next: "1234567890123456788",
    });
    const rest =
      '{"a":9007199254740991,"b":0.1234567890123456789,"c":1e20,"d":"x 1234567890123456789 \\" 1","e":-5,"f":12345678901234567.5}';
    expect(json(rest)).toEqual(JSON.parse(rest));
    expect(json("[-9007199254740993]")).toEqual(["-9007199254740993"]);
  });

  it.each([
    ["quotes", `["1234567890123456789", "${String.raw`\"`.repeat(120_000)}"]`],
    ["a list of numbers", `[${Array.from({ length: 12_000 }, () => "12345678901234567890").join(",")}]`],
  ])("of %s is read at once", (_what, text) => {
    expect(cpuMsOf(() => json(text))).toBeLessThan(2_000);
  });

  it("that repeats a field a hundred thousand times is read at once", () => {
    const tookMs = cpuMsOf(() => {
      expect(readSentBody("form", "a&".repeat(125_000))).toMatchObject({ ok: true });
    });
    expect(tookMs).toBeLessThan(2_000);
  });
});
