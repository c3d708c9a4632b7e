import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

import {
  ERROR_PHRASES,
  ITEM_WORDS,
  Q850_DISPOSITIONS,
  readAnalysis,
  readCall,
  readErrorText,
  readItem,
  readRefusal,
  REFUSAL_PHRASES,
  SIP_DISPOSITIONS,
} from "../../../src/domain/campaigns/call-outcome.ts";
import { policyOf, readCampaignSpec } from "../../../src/domain/campaigns/campaign-spec.ts";
import { DISPOSITIONS, type Disposition } from "../../../src/domain/policy/disposition.ts";
import type { DialingPolicy } from "../../../src/domain/policy/dialing-policy.ts";
import { createOpeningsAhead } from "../../../src/domain/policy/openings-ahead.ts";
import { afterAttempt, type EndedAttempt } from "../../../src/domain/policy/retry.ts";
import { codesIn, readTables } from "../support/markdown-tables.ts";

/* docs/dispositions.md says what the code does, and all of it: whoever changes one changes the other. */

const tables = readTables(new URL("../../../docs/dispositions.md", import.meta.url));

function table(heading: string): string[][] {
  const found = [...tables].find(([first]) => first.startsWith(heading));
  if (!found || found[1].length === 0) throw new Error(`docs/dispositions.md has no table "${heading}"`);
  return found[1];
}

function item(status: string, errorText?: string) {
  return readItem({
    status,
    errorText,
    callId: undefined,
    dialCount: undefined,
    startedAtMs: undefined,
    completedAtMs: undefined,
  });
}

function endedAs(disposition: Disposition, attempts: number): EndedAttempt {
  return {
    disposition,
    endedAtMs: 0,
    attempts,
    sameDisposition: attempts,
    where: { zones: [], places: [] },
    calledMs: [],
  };
}

function after(ended: EndedAttempt, policy: DialingPolicy) {
  return afterAttempt(ended, policy, createOpeningsAhead(policy.window));
}

const spec = (extra: object) => {
  const reading = readCampaignSpec({
    name: "documented",
    agent_id: "agent",
    from_numbers: ["+12025550100"],
    concurrency: 1,
    ...extra,
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.spec;
};

describe("docs/dispositions.md", () => {
  it("explains every disposition once, and which are called again", () => {
    const documented = table("disposition");
    expect(documented.map(([word]) => codesIn(word)[0] ?? "").sort()).toEqual([...DISPOSITIONS].sort());
    const policy = policyOf(
      spec({
        retry: { max_attempts: 9, delays: { no_answer: "1m", busy: "1m", voicemail: "1m", failed: "1m" } },
      }),
      1,
    );
    for (const [word, , again] of documented) {
      const disposition = codesIn(word)[0] as Disposition;
      const next = after(endedAs(disposition, 1), policy);
      expect([disposition, again?.startsWith("yes")]).toEqual([disposition, next.kind === "retry"]);
      expect([disposition, again?.includes("reached")]).toEqual([
        disposition,
        next.kind === "final" && next.reason === "reached",
      ]);
    }
  });

  it("has the item words that the code knows, all of them and with their meaning", () => {
    const documented = new Map(
      table("item status").flatMap(([words, meaning]) =>
        codesIn(words).map((word) => [word, meaning ?? ""] as const),
      ),
    );
    expect([...documented.keys()].sort()).toEqual(Object.keys(ITEM_WORDS).sort());
    for (const [word, meaning] of documented) {
      const reading = item(word);
      const said =
        reading.phase === "waiting"
          ? "not dialed yet"
          : reading.phase === "up"
            ? "the call is up"
            : reading.phase === "cancelled"
              ? "taken off before it was dialed"
              : reading.phase === "ended"
                ? (reading.disposition ?? "the call (3)")
                : "";
      expect([word, meaning]).toEqual([word, expect.stringContaining(said)]);
      const byText = item(word, "SIP 607");
      const textDecides = byText.phase === "ended" && byText.disposition === "opted_out";
      expect([word, meaning.startsWith("the error text decides")]).toEqual([word, textDecides]);
    }
  });

  it.each([
    ["SIP code", SIP_DISPOSITIONS, (code: string) => `SIP ${code}`],
    ["Q.850 cause", Q850_DISPOSITIONS, (code: string) => `Q.850;cause=${code}`],
  ] as const)("has the codes of the table %j, all of them", (heading, known, text) => {
    const documented = Object.fromEntries(
      table(heading).map(([code, disposition]) => [/^\d+/.exec(code ?? "")?.[0], codesIn(disposition)[0]]),
    );
    expect(documented).toEqual({ ...known });
    for (const [code, disposition] of Object.entries(documented))
      expect(readErrorText(text(code))?.disposition).toBe(disposition);
  });

  it("has the phrases in the order in which they decide, and an example of each way to say them", () => {
    const documented = table("phrase");
    expect(documented.map(([, disposition]) => codesIn(disposition)[0])).toEqual(
      ERROR_PHRASES.map(([, disposition]) => disposition),
    );
    for (const [index, [phrases, disposition]] of documented.entries()) {
      for (const phrase of codesIn(phrases))
        expect([phrase, readErrorText(`it said: ${phrase}!`)?.disposition]).toEqual([
          phrase,
          codesIn(disposition)[0],
        ]);
      const unsaid = alternativesOf(ERROR_PHRASES[index]?.[0]).filter(
        (alternative) => !codesIn(phrases).some((phrase) => alternative.test(phrase)),
      );
      expect(unsaid).toEqual([]);
    }
  });

  it("says what calls come to by status and duration", () => {
    const durations: Record<string, (number | undefined)[]> = {
      any: [0, 1, 90, undefined],
      "0 s": [0],
      "longer, or not given": [0.4, 1, 3_600, undefined],
    };
    const documented = table("call status");
    expect(documented.flatMap(([statuses]) => codesIn(statuses))).toEqual([
      "failed",
      "error",
      "ended",
      "completed",
      "ended",
      "completed",
    ]);
    for (const [statuses = "", duration = "", disposition] of documented) {
      const words =
        statuses === "any other" ? ["waiting", "ringing", "connected", "", "hm"] : codesIn(statuses);
      for (const status of words) {
        for (const durationSeconds of durations[duration] ?? []) {
          const read = readCall({
            callId: "call",
            status,
            durationSeconds,
            startedAtMs: undefined,
            endedAtMs: undefined,
          });
          expect([status, durationSeconds, read?.disposition]).toEqual([
            status,
            durationSeconds,
            codesIn(disposition)[0],
          ]);
        }
      }
    }
  });

  it("shows which values of an analysis fit a rule", () => {
    for (const [value, equals, fits] of table("value in the analysis")) {
      const rule = {
        key: "outcome",
        equals: JSON.parse(codesIn(equals)[0] ?? ""),
        disposition: "callback_requested" as const,
      };
      const analysis = { outcome: JSON.parse(codesIn(value)[0] ?? "") };
      const read = readAnalysis([rule], {
        callId: "call",
        status: "ended",
        durationSeconds: 5,
        startedAtMs: undefined,
        endedAtMs: undefined,
        analysis,
      });
      expect([value, equals, read === undefined ? "no" : "yes"]).toEqual([value, equals, fits]);
    }
  });

  it("names the reasons for which a contact is done", () => {
    const [two, capped] = [
      policyOf(spec({ retry: { max_attempts: 2, delays: { busy: "1m" } } }), 1),
      policyOf(
        spec({ retry: { max_attempts: 9, delays: { busy: "1m" }, max_per_disposition: { busy: 1 } } }),
        1,
      ),
    ];
    const reasons = [
      after(endedAs("answered", 1), two),
      after(endedAs("unknown", 1), two),
      after(endedAs("busy", 2), two),
      after(endedAs("busy", 1), capped),
      after(endedAs("failed", 1), two),
    ].map((next) => (next.kind === "final" ? next.reason : "retry"));
    expect(table("reason in the report").map(([reason]) => codesIn(reason)[0])).toEqual(reasons);
  });

  it("has the phrases by which the platform refuses a call", () => {
    const text = readFileSync(new URL("../../../docs/dispositions.md", import.meta.url), "utf8");
    const [, listed = ""] =
      /has one of these phrases, whatever stands between the words: (.*)\./.exec(text) ?? [];
    expect(codesIn(listed)).toEqual(REFUSAL_PHRASES);
    for (const phrase of REFUSAL_PHRASES) {
      const said = {
        status: "failed",
        errorText: `Error: ${phrase.replaceAll(" ", "_").toUpperCase()}!`,
        callId: undefined,
        dialCount: 0,
        startedAtMs: undefined,
        completedAtMs: undefined,
      };
      expect([phrase, readRefusal(said) === undefined]).toEqual([phrase, false]);
    }
  });

  it("states the defaults of `retry` and `analysis` as they are", () => {
    const bare = policyOf(spec({}), 1);
    expect(bare).toMatchObject({ maxAttempts: 1, delays: {}, maxPerDisposition: {}, analysisRules: [] });
    const rules = [{ key: "k", equals: "v", disposition: "answered" }];
    expect(policyOf(spec({ analysis: { rules } }), 1).analysisWaitMs).toBe(600_000);
  });
});

/** The ways of saying it that a phrase's pattern allows: what stands between its bars. */
function alternativesOf(pattern: RegExp | undefined): RegExp[] {
  return (pattern?.source ?? "").split(/\|(?![^(]*\))/).map((source) => new RegExp(source));
}
