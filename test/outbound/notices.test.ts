import { expect, it, onTestFinished } from "vitest";

import { testNotice } from "../../src/domain/notices/notice.ts";
import { createOutbound } from "../../src/outbound/client.ts";
import { sendNotice, type NoticePorts } from "../../src/outbound/notices.ts";
import { startReceiver } from "./receiver.ts";

it("what a receiver says of an address that is a secret is told to nobody, but for a word of its own", async () => {
  const answers = ["no such place: /services/T0/B0/SECRET", "invalid_token\n"];
  const receiver = await startReceiver((response, _received, nth) => {
    response.writeHead(404).end(answers[nth - 1]);
  });
  const outbound = createOutbound({ allow: ["127.0.0.1"] });
  onTestFinished(async () => {
    await outbound.close();
    await receiver.close();
  });
  const address = `http://127.0.0.1:${receiver.port}/services/T0/B0/SECRET`;
  const ports: Omit<NoticePorts, "smtp"> = {
    outbound,
    secrets: { read: () => [address] },
    now: () => 0,
  };
  const send = () =>
    sendNotice(
      { ...ports, smtp: undefined } as unknown as NoticePorts,
      { to: { slack: { url: { secret: "slack-ops" } } } },
      testNotice("ops", "11111111-1111-4111-8111-111111111111", 0),
    );
  expect(await send()).toMatchObject({ ok: false, error: `127.0.0.1:${receiver.port} answered 404` });
  expect(await send()).toMatchObject({
    ok: false,
    error: `127.0.0.1:${receiver.port} answered 404 (invalid_token)`,
  });
});
