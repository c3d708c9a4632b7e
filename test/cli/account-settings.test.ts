import { describe, expect, it } from "vitest";

import { ConfigError, readConfig } from "../../src/config.ts";

describe("the settings of an account's lines", () => {
  it("share nothing where nothing is set", () => {
    expect(readConfig({}).account).toBeUndefined();
    expect(readConfig({ OUTDIAL_CONCURRENCY: "" }).account).toBeUndefined();
  });

  it("say how many there are, and how many are kept for calls that are placed one by one", () => {
    expect(readConfig({ OUTDIAL_CONCURRENCY: "70" }).account).toEqual({ limit: 70, reserve: 0 });
    expect(readConfig({ OUTDIAL_CONCURRENCY: "70", OUTDIAL_CONCURRENCY_RESERVE: "69" }).account).toEqual({
      limit: 70,
      reserve: 69,
    });
  });

  it("say how many of them single brands may have", () => {
    const brands = new Map([
      ["acme", 30],
      ["b.2", 20],
    ]);
    const limits = { OUTDIAL_CONCURRENCY_BRANDS: "acme=30, b.2 = 20" };
    expect(readConfig({ OUTDIAL_CONCURRENCY: "70", ...limits }).account).toEqual({
      limit: 70,
      reserve: 0,
      brands,
    });
    expect(readConfig(limits).account).toEqual({ limit: 100_000, reserve: 0, brands });
  });

  it("say how many may begin a second, in parts of one, too", () => {
    expect(readConfig({}).callsPerSecond).toBeUndefined();
    expect(readConfig({ OUTDIAL_CALLS_PER_SECOND: "2.5" }).callsPerSecond).toBe(2.5);
    expect(readConfig({ OUTDIAL_REQUESTS_PER_SECOND: "50" }).requestsPerSecond).toBe(50);
  });

  it.each([
    [{ OUTDIAL_CONCURRENCY_BRANDS: "acme" }, "separated by commas (acme is not)"],
    [{ OUTDIAL_CONCURRENCY_BRANDS: "acme=0" }, "with 1 to 100000 calls"],
    [{ OUTDIAL_CONCURRENCY_BRANDS: "Acme=3" }, "OUTDIAL_CONCURRENCY_BRANDS must be brand=calls"],
    [{ OUTDIAL_CONCURRENCY_BRANDS: "a=1,a=2" }, "each brand once"],
    [{ OUTDIAL_REQUESTS_PER_SECOND: "0.4" }, "OUTDIAL_REQUESTS_PER_SECOND must be 0.5 or more"],
    [
      { OUTDIAL_CALLS_PER_SECOND: "0" },
      "OUTDIAL_CALLS_PER_SECOND must be 0.01 or more; for example OUTDIAL_CALLS_PER_SECOND=5",
    ],
    [{ OUTDIAL_CALLS_PER_SECOND: "few" }, "OUTDIAL_CALLS_PER_SECOND must be a number"],
    [{ OUTDIAL_CALLS_PER_SECOND: "1001" }, "OUTDIAL_CALLS_PER_SECOND must be 1000 or less"],
    [
      { OUTDIAL_CONCURRENCY: "0" },
      "OUTDIAL_CONCURRENCY must be 1 or more; for example OUTDIAL_CONCURRENCY=70",
    ],
    [{ OUTDIAL_CONCURRENCY: "many" }, "OUTDIAL_CONCURRENCY must be a number"],
    [{ OUTDIAL_CONCURRENCY: "1.5" }, "OUTDIAL_CONCURRENCY must be a whole number"],
    [{ OUTDIAL_CONCURRENCY: "100001" }, "OUTDIAL_CONCURRENCY must be 100000 or less"],
    [
      { OUTDIAL_CONCURRENCY: "7", OUTDIAL_CONCURRENCY_RESERVE: "-1" },
      "OUTDIAL_CONCURRENCY_RESERVE must be 0 or more",
    ],
    [
      { OUTDIAL_CONCURRENCY_RESERVE: "5" },
      "OUTDIAL_CONCURRENCY must be set where OUTDIAL_CONCURRENCY_RESERVE is",
    ],
    [
      { OUTDIAL_CONCURRENCY: "5", OUTDIAL_CONCURRENCY_RESERVE: "5" },
      "OUTDIAL_CONCURRENCY_RESERVE (5) must be less than OUTDIAL_CONCURRENCY (5): campaigns with a list would never dial",
    ],
  ])("%o are refused", (environment, told) => {
    const read = () => readConfig(environment);
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(told);
  });
});
