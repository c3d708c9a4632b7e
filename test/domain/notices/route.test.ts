import { describe, expect, it } from "vitest";

import { ATTENTION_KINDS } from "../../../src/domain/ground/attention.ts";
import {
  breaksQuiet,
  concerns,
  readRoute,
  readStoredRoute,
  wayOf,
  type RouteDefinition,
} from "../../../src/domain/notices/route.ts";

const WEBHOOK = { webhook: { url: "https://example.com/hook", secret: "crm" } };
const SLACK = { slack: { url: { secret: "slack" } } };
const mail = (...to: string[]) => ({ email: { to } });

const read = (changes: object = {}): RouteDefinition => {
  const reading = readRoute({ name: "ops", to: WEBHOOK, ...changes });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.definition;
};
const problemsOf = (changes: object) => {
  const reading = readRoute({ name: "ops", to: WEBHOOK, ...changes });
  return reading.ok ? [] : reading.problems.map(({ field, problem }) => `${field}: ${problem}`);
};

describe("a route", () => {
  it("gathers for a quarter of an hour, reminds three times, and keeps one duration in one way", () => {
    expect(read()).toEqual({ name: "ops", to: WEBHOOK, gather: "15m" });
    expect(read({ gather: "60m", remind: { every: "240m" } })).toMatchObject({
      gather: "1h",
      remind: { every: "4h", times: 3 },
    });
  });

  it("leads to one receiver, by one way", () => {
    expect([wayOf({ to: WEBHOOK }), wayOf({ to: SLACK }), wayOf({ to: mail("a@example.com") })]).toEqual([
      "webhook",
      "slack",
      "email",
    ]);
    const one = "to: must be one of webhook, slack and email: several of them are several routes";
    expect(problemsOf({ to: {} })).toEqual([one]);
    expect(problemsOf({ to: { ...WEBHOOK, ...SLACK } })).toEqual([one]);
    expect(problemsOf({ to: SLACK })).toEqual([]);
    expect(problemsOf({ to: { slack: { url: "https://hooks.slack.com/services/T0/B0/x" } } })).not.toEqual(
      [],
    );
  });

  it("may lead to twenty addresses, each named once, and written as mail takes it", () => {
    const many = (count: number) => mail(...Array.from({ length: count }, (_, n) => `a${n}@example.com`));
    expect(problemsOf({ to: many(20) })).toEqual([]);
    expect(problemsOf({ to: many(21) })).toHaveLength(1);
    expect(problemsOf({ to: mail() })).toHaveLength(1);
    expect(problemsOf({ to: mail("a@example.com", "a@example.com") })).toEqual([
      expect.stringContaining("names an address twice"),
    ]);
    expect(problemsOf({ to: mail("on-call") })).toEqual([
      expect.stringContaining("must be an address such as on-call@example.com"),
    ]);
    for (const address of ["jürgen@example.com", `${"a".repeat(250)}@example.com`])
      expect(problemsOf({ to: mail(address) })).not.toEqual([]);
    expect(problemsOf({ to: { email: { to: ["a@example.com"], from: "b@example.com" } } })).toEqual([]);
  });

  it.each([
    [{ name: "Ops" }, "name"],
    [{ kinds: [] }, "kinds"],
    [{ kinds: ["breaker"] }, "kinds[0]"],
    [{ brands: [] }, "brands"],
    [{ gather: "59s" }, "gather"],
    [{ gather: "25h" }, "gather"],
    [{ remind: { every: "4m" } }, "remind.every"],
    [{ remind: { every: "8d" } }, "remind.every"],
    [{ remind: { every: "4h", times: 0 } }, "remind.times"],
    [{ remind: { every: "4h", times: 101 } }, "remind.times"],
    [{ colour: "red" }, "colour"],
    [{ kinds: ["breaker_open"], except_kinds: ["credit_low"] }, "except_kinds"],
  ])("is refused with %j, and told which field is wrong", (changes, field) => {
    expect(problemsOf(changes).map((problem) => problem.split(":")[0])).toContain(field);
  });

  it("may say all kinds, or all that are not told", () => {
    expect(problemsOf({ kinds: [...ATTENTION_KINDS] })).toEqual([]);
    expect(problemsOf({ except_kinds: [...ATTENTION_KINDS] })).toEqual([]);
    expect(problemsOf({ kinds: [...ATTENTION_KINDS, "breaker_open"] })).toHaveLength(1);
    expect(problemsOf({ gather: "1m", remind: { every: "5m", times: 100 } })).toEqual([]);
    expect(problemsOf({ gather: "24h", remind: { every: "7d", times: 1 } })).toEqual([]);
  });

  it("that holds a secret's value is refused where it is given, and read where it is kept", () => {
    const literal = {
      name: "ops",
      to: { webhook: { url: "https://a:b@example.com/hook", secret: "crm" } },
      gather: "15m",
    };
    expect(readRoute(literal)).toMatchObject({ ok: false });
    expect(readStoredRoute(literal)).toEqual({ ok: true, definition: literal });
    expect(readStoredRoute({ name: "ops" })).toMatchObject({ ok: false });
  });

  it("tells of the kinds and brands that it names, or of all", () => {
    const entry = { kind: "breaker_open", subject: "spring", brand: "acme" } as const;
    const tells = (changes: object) => concerns(read(changes), entry);
    expect([
      tells({}),
      tells({ kinds: ["breaker_open"] }),
      tells({ kinds: ["credit_low"] }),
      tells({ except_kinds: ["breaker_open"] }),
      tells({ except_kinds: ["credit_low"] }),
      tells({ brands: ["acme", "other"] }),
      tells({ brands: ["other"] }),
      tells({ kinds: ["breaker_open"], brands: ["other"] }),
    ]).toEqual([true, true, false, false, true, true, false, false]);
  });

  it("does not tell that it can't tell, which is for the others", () => {
    const failing = (subject: string) =>
      concerns(read(), { kind: "notices_failing", subject, brand: "default" });
    expect([failing("ops"), failing("other")]).toEqual([false, true]);
    expect(concerns(read(), { kind: "breaker_open", subject: "ops", brand: "default" })).toBe(true);
  });

  it("is never quiet without quiet hours, nor of the kinds that break them", () => {
    const quiet_hours = { zone: "UTC", hours: [{ from: "20:00", to: "08:00" }] };
    const except = { quiet_hours: { ...quiet_hours, except: ["key_expiring", "breaker_open"] } };
    expect([
      breaksQuiet(read(), "breaker_open"),
      breaksQuiet(read({ quiet_hours }), "breaker_open"),
      breaksQuiet(read(except), "breaker_open"),
      breaksQuiet(read(except), "credit_low"),
    ]).toEqual([true, false, true, false]);
  });
});
