import { expect, it, onTestFinished, vi } from "vitest";

import { openApi as openCliApi } from "../../../src/cli/api/client.ts";
import { followEvents } from "../../../src/cli/events/follow-events.ts";
import { writeEvent } from "../../../src/ledger/ground/write-events.ts";
import { openApi } from "../../http/support.ts";
import { freshPhones, running } from "../../ledger/support/scenario.ts";
import { withLedger } from "../../support/ledgers.ts";
import { PATIENCE_MS } from "../../support/until.ts";
import { startTcpProxy } from "../../support/tcp-proxy.ts";

const TOKEN = "a-token-of-this-test-0123456789";

withLedger((ledger) => {
  it("events are followed from now on, over a cut, each once, and nothing that the stream says of itself is one", async () => {
    const { app } = await openApi(ledger(), { token: TOKEN });
    const proxy = await startTcpProxy(await app.listen({ host: "127.0.0.1", port: 0 }));
    onTestFinished(() => proxy.close());
    const campaignId = await running(ledger(), freshPhones(1));
    const happen = (reason: string) =>
      ledger().transaction((tx) =>
        writeEvent(
          tx,
          {
            type: "campaign.amended",
            campaignId,
            data: { actor: "test", reason, version: 1, fields: [] },
          },
          Date.now(),
        ),
      );
    const ended = new AbortController();
    const away: string[] = [];
    const { next_after: after } = await openCliApi({
      url: proxy.through("http://127.0.0.1"),
      token: TOKEN,
    }).events.page({ limit: 500 });
    const events = followEvents(openCliApi({ url: proxy.through("http://127.0.0.1"), token: TOKEN }), {
      filter: { campaign: campaignId, types: "campaign.amended" },
      after,
      signal: ended.signal,
      onAway: (why) => void away.push(why),
      silentForMs: 2_000,
    });
    const reasonOf = async () => {
      const { value, done } = await events.next();
      if (done === true) throw new Error("it ended");
      return value.data["reason"];
    };
    await happen("first");
    expect(await reasonOf()).toBe("first");
    const second = reasonOf();
    await happen("second");
    expect(await second).toBe("second");
    expect(away).toEqual([]);
    const third = reasonOf();
    await proxy.cut("refused");
    await happen("third");
    await proxy.mend();
    expect(await third).toBe("third");
    expect(away).toHaveLength(1);
    // Nothing comes, and nothing ends: it is taken for cut by itself.
    const fourth = reasonOf();
    await proxy.cut("silent");
    await happen("fourth");
    await vi.waitUntil(() => away.some((why) => why.startsWith("nothing came by the stream")), PATIENCE_MS);
    await proxy.mend();
    expect(await fourth).toBe("fourth");
    ended.abort();
    expect((await events.next()).done).toBe(true);
  });
});
