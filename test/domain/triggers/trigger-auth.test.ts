import { describe, expect, it } from "vitest";

import { readTriggerDefinition } from "../../../src/domain/triggers/trigger.ts";

function problemsOf(auth: Record<string, unknown>): string[] {
  const reading = readTriggerDefinition({
    name: "one",
    auth,
    enroll: { sequence: "trial", phone: "item.phone" },
  });
  return reading.ok ? [] : reading.problems.map(({ field, problem }) => `${field}: ${problem}`);
}

const signed = (timestamp: Record<string, unknown>) =>
  problemsOf({ scheme: "hmac", secret: "crm", header: "X-Signature", timestamp });

describe("how far a request's own time may be from ours", () => {
  it.each(["1s", "5m", "1d", "24h"])("may be %s", (tolerance) => {
    expect(problemsOf({ scheme: "standard_webhooks", secret: "crm", tolerance })).toEqual([]);
    expect(signed({ header: "X-Time", tolerance })).toEqual([]);
  });

  it.each(["0s", "999ms", "25h", "1d1s", "soon", ""])(
    "may not be %j: a request could be sent again",
    (tolerance) => {
      const told = "must be a duration from 1s to 1d such as 5m";
      expect(problemsOf({ scheme: "standard_webhooks", secret: "crm", tolerance })).toEqual([
        `auth.tolerance: ${told}`,
      ]);
      expect(signed({ header: "X-Time", tolerance })).toEqual([`auth.timestamp.tolerance: ${told}`]);
    },
  );
});

describe("what is signed", () => {
  it.each(["{timestamp}.{body}", "v0:{timestamp}:{body}", "{body}{timestamp}"])("may be %s", (template) => {
    expect(signed({ header: "X-Time", template })).toEqual([]);
  });

  it.each(["{body}", "{timestamp}", "", "{timestamp}.{body}.{body}", "{timestamp}{timestamp}.{body}"])(
    "may not be %j: the time and the body are in it once each",
    (template) => {
      expect(signed({ header: "X-Time", template })).toEqual([
        expect.stringMatching(/^auth\.timestamp\.template: must hold \{timestamp\} and \{body\} once each/),
      ]);
    },
  );
});
