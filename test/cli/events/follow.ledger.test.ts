import { expect, it, onTestFinished, vi } from "vitest";

import { openApi as openCliApi } from "../../../src/cli/api/client.ts";
import { followEvents } from "../../../src/cli/events/follow-events.ts";
import type { Ledger } from "../../../src/ledger/ground/connection.ts";
import { writeEvent } from "../../../src/ledger/ground/write-events.ts";
import { openApi } from "../../http/support.ts";
import { freshPhones, running } from "../../ledger/support/scenario.ts";
import { withLedger } from "../../support/ledgers.ts";
import { PATIENCE_MS } from "../../support/until.ts";
import { startTcpProxy } from "../../support/tcp-proxy.ts";

const TOKEN = "a-token-of-this-test-0123456789";

/** Somebody who follows one campaign over a way that can be cut. */
async function following(ledger: Ledger, silentForMs?: number) {
  const { app } = await openApi(ledger, { token: TOKEN });
  const proxy = await startTcpProxy(await app.listen({ host: "127.0.0.1", port: 0 }));
  onTestFinished(() => proxy.close());
  const campaignId = await running(ledger, freshPhones(1));
  const api = openCliApi({ url: proxy.through("http://127.0.0.1"), token: TOKEN });
  const { next_after: after } = await api.events.page({ limit: 500 });
  const ended = new AbortController();
  const away: string[] = [];
  const events = followEvents(api, {
    filter: { campaign: campaignId, types: "campaign.amended" },
    after,
    signal: ended.signal,
    onAway: (why) => void away.push(why),
    ...(silentForMs !== undefined && { silentForMs }),
  });
  return {
    proxy,
    away,
    happen: (reason: string) => {
      const data = { actor: "test", reason, version: 1, fields: [] };
      return ledger.transaction((tx) =>
        writeEvent(tx, { type: "campaign.amended", campaignId, data }, Date.now()),
      );
    },
    next: async () => {
      const { value, done } = await events.next();
      if (done === true) throw new Error("it ended");
      return value.data["reason"];
    },
    end: async () => {
      ended.abort();
      expect((await events.next()).done).toBe(true);
    },
  };
}

withLedger((ledger) => {
  it("events are followed, over a cut, each once, and nothing that the stream says of itself is one", async () => {
    const { proxy, away, happen, next, end } = await following(ledger());
    await happen("first");
    expect(await next()).toBe("first");
    const second = next();
    await happen("second");
    expect(await second).toBe("second");
    expect(away).toEqual([]);
    const third = next();
    await proxy.cut("refused");
    await happen("third");
    await proxy.mend();
    expect(await third).toBe("third");
    await end();
  });

  it("a stream by which nothing comes, and which nothing ends, is taken up again", async () => {
    const { proxy, away, happen, next, end } = await following(ledger(), 2_000);
    await happen("first");
    expect(await next()).toBe("first");
    const second = next();
    await happen("second");
    expect(await second).toBe("second");
    // That one came by the stream, which is open.
    const third = next();
    await proxy.cut("silent");
    await happen("third");
    await vi.waitUntil(
      () => away.some((why) => why.startsWith("nothing came of the answer for")),
      PATIENCE_MS,
    );
    await proxy.mend();
    expect(await third).toBe("third");
    await end();
  });
});
