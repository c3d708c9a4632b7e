/** A campaign comes to the same end on every dialect of the platform: who was reached, who was not, and how often. */
import { describe, expect, onTestFinished, test } from "vitest";
import type { CampaignReport } from "../../src/ledger/campaigns/reports.ts";
import type { SandboxOptions } from "../../src/sandbox/options.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import type { ForcedOutcome } from "../../src/sandbox/outcomes.ts";
import { withLedger } from "../support/ledgers.ts";
import { runCampaign } from "./support/campaign-by-hand.ts";
import { dialects } from "./support/dialects.ts";
import { openReshapingProxy, type Reshaping } from "./support/reshaping-proxy.ts";
import { openWorld, SPEED } from "./support/world.ts";

/** What becomes of each person, call by call. */
const PEOPLE: Readonly<Record<string, readonly ForcedOutcome[]>> = {
  "+14155558001": [{ outcome: "answered", talk_ms: 90_000 }],
  "+14155558002": [{ outcome: "answered", talk_ms: 30_000 }],
  "+14155558003": ["busy", { outcome: "answered", talk_ms: 60_000 }],
  "+14155558004": ["no_answer", "no_answer"],
  "+14155558005": ["voicemail"],
  "+14155558006": ["failed"],
  "+14155558007": ["unreachable"],
};

const PHONES = Object.keys(PEOPLE);

/** What a report says of people, without what differs between any two campaigns. */
function outcomesOf(report: CampaignReport) {
  const { contacts, attempts, dispositions, attemptDispositions, excludedReasons, talkSeconds } = report;
  return { contacts, attempts, dispositions, attemptDispositions, excludedReasons, talkSeconds };
}

function dialsOf({ dialLog }: Sandbox): readonly string[] {
  return dialLog
    .entries()
    .map((dial) => dial.phone)
    .sort();
}

describe("a campaign", () => {
  withLedger((ledger) => {
    async function run(how?: Reshaping, sandbox: SandboxOptions = {}) {
      const world = await openWorld(
        how === undefined
          ? { sandbox }
          : {
              baseUrlOf: async (sandbox) => {
                const proxy = await openReshapingProxy(sandbox.port, how);
                onTestFinished(() => proxy.close());
                return proxy.baseUrl;
              },
            },
      );
      for (const [phone, outcomes] of Object.entries(PEOPLE)) world.sandbox.outcomes.force(phone, outcomes);
      const report = await runCampaign(ledger(), world.platform, SPEED, PHONES);
      return {
        outcomes: outcomesOf(report),
        dials: dialsOf(world.sandbox),
        routes: world.sandbox.stats().routes,
        address: world.platform.address,
      };
    }

    const cameTo = ({ outcomes, dials }: Awaited<ReturnType<typeof run>>) => ({ outcomes, dials });

    let plain: Awaited<ReturnType<typeof run>> | undefined;

    test("reaches whom it can, retries whom it may, and dials nobody else", async () => {
      plain = await run();
      expect(plain.outcomes).toMatchObject({
        contacts: { total: PHONES.length, done: PHONES.length, open: 0, leased: 0 },
        dispositions: { answered: 3, no_answer: 1, voicemail: 1 },
        attempts: 9,
      });
      expect(plain.dials).toHaveLength(9);
    });

    test.each(Object.entries(dialects))("comes to the same end where the platform has %s", async (_, how) => {
      expect(cameTo(await run(how))).toEqual(cameTo(plain ?? (await run())));
    });

    test.each([
      ["/api", {}],
      ["/voice/eu-1", { basePath: "/voice/eu-1" }],
    ] as const)("comes to the same end in the dialect of published clients, under %s", async (path, how) => {
      const published = await run(undefined, { dialect: "published", ...how });
      expect(cameTo(published)).toEqual(cameTo(plain ?? (await run())));
      expect(new URL(published.address).pathname).toBe(path);
      // A bare list was asked for, so that it was read.
      expect(published.routes["GET /v1/calls"]?.statuses[200]).toBeGreaterThan(0);
    });
  });
});
