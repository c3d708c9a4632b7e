import { expect, test } from "vitest";

import type { Api } from "../../../src/cli/api/client.ts";
import { ApiProblemError } from "../../../src/cli/api/errors.ts";
import type { Voice } from "../../../src/cli/context.ts";
import { follow } from "../../../src/cli/campaigns/run/follow.ts";
import { INTERRUPTED_REASON } from "../../../src/cli/campaigns/run/run-decision.ts";
import { coloursOf } from "../../../src/cli/view/colours.ts";
import { openScreen } from "../../../src/cli/view/screen.ts";
import type { ProgressWire } from "../../../src/http/wire/campaigns.ts";
import { progressOf } from "../support.ts";

type Look = ProgressWire | Error;

/** A campaign that goes through these looks, and what was said meanwhile. The last look stays. */
function watched(looks: Look[], onPause: () => void = () => {}) {
  const said: string[] = [];
  const paused: unknown[] = [];
  const campaigns = {
    async progress() {
      const look = looks.length > 1 ? looks.shift() : looks[0];
      if (look === undefined || look instanceof Error) throw look ?? new Error("no look was prepared");
      return look;
    },
    async pause(_id: string, input: unknown) {
      paused.push(input);
      onPause();
      return { state: "paused", command_id: "c", in_flight: { batches: 1, calls_up: 4, uncertain: 0 } };
    },
  };
  const voice: Voice = {
    screen: openScreen({ write: (text) => said.push(text) }, { live: false }),
    colours: coloursOf(false),
    inWords: true,
    tell: () => {},
    present: () => {},
    json: () => {},
  };
  return { api: { campaigns } as unknown as Api, voice, said, paused };
}

const controller = () => new AbortController();
const COMPLETED = progressOf({ state: "completed", live_batches: 0 });

test("a campaign is watched to its end", async () => {
  const { api, voice, said } = watched([progressOf(), progressOf(), COMPLETED]);
  const end = await follow({ api, voice, campaignId: "c", signal: controller().signal, pauseOnSignal: true });
  expect(end).toMatchObject({ interrupted: false, progress: { state: "completed" } });
  expect(said.map((line) => line.split(":")[0])).toEqual(["running", "completed"]);
});

test("the first Ctrl-C pauses it, recognisably, and waits until no call is up", async () => {
  const interrupt = controller();
  const looks: Look[] = [progressOf()];
  const { api, voice, said, paused } = watched(looks, () => {
    looks.push(progressOf({ state: "paused", state_reason: INTERRUPTED_REASON, live_batches: 1 }));
    looks.push(progressOf({ state: "paused", state_reason: INTERRUPTED_REASON, live_batches: 0 }));
  });
  const following = follow({ api, voice, campaignId: "c", signal: interrupt.signal, pauseOnSignal: true });
  interrupt.abort();
  expect(await following).toMatchObject({ interrupted: true, progress: { live_batches: 0 } });
  expect(paused).toEqual([{ reason: INTERRUPTED_REASON }]);
  expect(said.join("")).toContain("no new call begins; 4 calls up");
});

test("whoever only watches leaves the campaign alone", async () => {
  const interrupt = controller();
  const { api, voice, paused } = watched([progressOf()]);
  interrupt.abort();
  const end = await follow({ api, voice, campaignId: "c", signal: interrupt.signal, pauseOnSignal: false });
  expect(end).toMatchObject({ interrupted: true, progress: { state: "running" } });
  expect(paused).toEqual([]);
});

test("a pause by somebody is waited out, one by another interrupted run is not", async () => {
  const byHand = watched([progressOf({ state: "paused", state_reason: "lunch" }), progressOf(), COMPLETED]);
  const end = await follow({ ...byHand, campaignId: "c", signal: controller().signal, pauseOnSignal: true });
  expect(end.progress.state).toBe("completed");
  expect(byHand.said.join("")).toContain("outdial campaign resume spring");
  const byRun = watched([progressOf({ state: "paused", state_reason: INTERRUPTED_REASON })]);
  const left = await follow({ ...byRun, campaignId: "c", signal: controller().signal, pauseOnSignal: true });
  expect(left).toMatchObject({ interrupted: false, progress: { state: "paused" } });
});

test("a ledger that is away for a moment does not end the run", async () => {
  const away = new ApiProblemError({
    title: "x",
    status: 503,
    code: "ledger_unavailable",
    detail: "the ledger does not answer",
  });
  const { api, voice, said } = watched([progressOf(), away, COMPLETED]);
  const end = await follow({ api, voice, campaignId: "c", signal: controller().signal, pauseOnSignal: true });
  expect(end.progress.state).toBe("completed");
  expect(said.join("")).toContain("the ledger does not answer; asking again");
});

test("without a terminal, too, a line says why nobody is dialed", async () => {
  const why = "stopped by the breaker: 9 of 10 calls failed";
  const { api, voice, said } = watched([progressOf({ state: "paused", state_reason: why }), COMPLETED]);
  await follow({ api, voice, campaignId: "c", signal: controller().signal, pauseOnSignal: true });
  expect(said[0]).toContain(`paused (${why}):`);
});

test("what is said to resume it names the system, the campaign and whose it is", async () => {
  const paused = progressOf({ state: "paused", state_reason: "lunch" });
  const { api, voice, said } = watched([paused, COMPLETED]);
  await follow({
    api,
    voice,
    campaignId: "c",
    signal: controller().signal,
    pauseOnSignal: true,
    place: { dataDir: "/srv/my lists", brand: "acme" },
  });
  expect(said.join("")).toContain(
    "`outdial campaign resume spring --brand acme --data-dir '/srv/my lists'` goes on",
  );
});

test("whoever watches a campaign that waits for approval is told how to see its first calls and approve, not to resume it", async () => {
  const reason = "canary: its first 5 calls are made; listen to them, then approve of them";
  const { api, voice, said } = watched([
    progressOf({ state: "paused", state_reason: reason }),
    progressOf(),
    COMPLETED,
  ]);
  const place = { dataDir: "/srv/lists", brand: "acme" };
  await follow({ api, voice, campaignId: "c", signal: controller().signal, pauseOnSignal: true, place });
  const [, hint] = said;
  expect(hint).toBe(
    "`outdial campaign canary spring --brand acme --data-dir /srv/lists` shows its first calls, `outdial campaign approve spring --brand acme --data-dir /srv/lists` goes on; Ctrl-C leaves\n",
  );
  expect(said.join("")).not.toContain("campaign resume");
  expect(said.filter((line) => line.includes("approve spring"))).toHaveLength(1);
});
