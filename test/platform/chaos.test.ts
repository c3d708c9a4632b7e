import type { ServerResponse } from "node:http";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Platform, PlatformError } from "../../src/platform/index.ts";
import { clientOf, json, settled, startPlatform } from "./fake-platform.ts";

const WRITES = 150;

/** What the server does with a write, and what its sender does meanwhile. */
interface Plan {
  readonly answer: (response: ServerResponse) => void;
  readonly afterMs: number;
  readonly timeoutMs: number | undefined;
  readonly abortAfterMs: number | undefined;
}

const answers: readonly Plan["answer"][] = [
  (response) => json(response, 200, {}),
  (response) => json(response, 200, {}, { connection: "close" }),
  (response) => json(response, 503, {}),
  (response) => response.destroy(),
  (response) => response.socket?.resetAndDestroy(),
  (response) => {
    response.writeHead(200, { "content-length": "99" });
    response.write("{");
    setTimeout(() => response.destroy(), 2);
  },
];

/** Plans out of a seed: numbers from 0 to 1 by mulberry32. */
function plansOf(seed: number): Plan[] {
  let state = seed;
  const random = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return Array.from({ length: WRITES }, () => ({
    answer: answers[Math.floor(random() * answers.length)] ?? ((response) => json(response, 200, {})),
    afterMs: random() * 25,
    timeoutMs: random() < 0.5 ? 1 + random() * 40 : undefined,
    abortAfterMs: random() < 0.5 ? random() * 30 : undefined,
  }));
}

async function outcomeOf(platform: Platform, id: number, { timeoutMs, abortAfterMs }: Plan): Promise<string> {
  const abort = new AbortController();
  const timer = abortAfterMs === undefined ? undefined : setTimeout(() => abort.abort(), abortAfterMs);
  try {
    await platform.batchCalls.start(String(id), { signal: abort.signal, timeoutMs });
    return "happened";
  } catch (error) {
    return error instanceof PlatformError ? error.effect : String(error);
  } finally {
    clearTimeout(timer);
  }
}

test("a write that is said not to have happened never reached the platform, whatever the network does", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const plans = plansOf(seed);
      const reached: number[] = [];
      const server = await startPlatform(() => {});
      server.server.removeAllListeners("request");
      server.server.on("request", (request, response) => {
        const id = Number(request.url?.split("/").at(-2));
        reached.push(id);
        setTimeout(() => plans[id]?.answer(response), plans[id]?.afterMs);
      });
      const platform = clientOf(server, { maxConnections: 4 });
      const outcomes = await Promise.all(plans.map((plan, id) => outcomeOf(platform, id, plan)));
      // What was given up on its way may still arrive.
      await settled("what reaches the server", () => reached.length);

      const idsOf = (outcome: string) => plans.map((_, id) => id).filter((id) => outcomes[id] === outcome);
      expect(idsOf("did_not_happen").filter((id) => reached.includes(id))).toEqual([]);
      expect(idsOf("happened").filter((id) => !reached.includes(id))).toEqual([]);
      expect(new Set(reached).size).toBe(reached.length);
      const known = new Set(["happened", "did_not_happen", "may_have_happened"]);
      expect(outcomes.filter((outcome) => !known.has(outcome))).toEqual([]);
      await platform.close();
    }),
    { numRuns: 6 },
  );
});
