import type { AddressInfo } from "node:net";

import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";

import { until } from "../support/engine.ts";
import { given } from "../support/ledgers.ts";
import { createDatabase } from "../support/postgres.ts";
import { startReceiver, type Receiver } from "../support/receiver.ts";
import { closedPort, openStage, type Stage } from "./support/stage.ts";

interface Body {
  id: string;
  type: string;
  data: { entries: { word: string; id: number; kind: string; summary: string }[] };
}

describe.skipIf(inject("postgresUrl") === undefined)("what waits for people", () => {
  let stage: Stage;
  let receiver: Receiver;
  let smtp: SMTPServer;
  const mails: string[] = [];

  beforeAll(async () => {
    stage = await openStage();
    receiver = await startReceiver();
    smtp = new SMTPServer({
      disabledCommands: ["STARTTLS"],
      authOptional: true,
      onData(stream, _session, done) {
        let raw = "";
        stream.on("data", (chunk: Buffer) => (raw += chunk.toString("utf8")));
        stream.on("end", () => {
          mails.push(raw);
          done();
        });
      },
    });
    await new Promise<void>((resolve) => {
      smtp.listen(0, "127.0.0.1", resolve);
    });
  });
  afterAll(async () => {
    await stage.close();
    await receiver.close();
    await new Promise<void>((resolve) => {
      smtp.close(() => resolve());
    });
  });

  const bodies = () => receiver.received.map(({ body }) => JSON.parse(body) as Body);
  const delivered = (word: string, kind: string) =>
    receiver.received
      .filter(({ status }) => status === 204)
      .flatMap(({ body }) => (JSON.parse(body) as Body).data.entries)
      .find((entry) => entry.word === word && entry.kind === kind);

  it("comes to them by webhook and mail, over the death of its process, until somebody sees to it", async () => {
    const { port } = smtp.server.address() as AddressInfo;
    const apiPort = await closedPort();
    const settings = stage.settings(stage.dataDir(), {
      DATABASE_URL: await createDatabase(given(inject("postgresUrl"))),
      OUTDIAL_API_PORT: String(apiPort),
      OUTDIAL_API_URL: `http://127.0.0.1:${apiPort}`,
      OUTDIAL_LOG_LEVEL: "info",
      OUTDIAL_SECRET_ALERTS: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
      OUTDIAL_OUTBOUND_ALLOW: "127.0.0.1",
      OUTDIAL_SMTP_URL: `smtp://127.0.0.1:${port}?starttls=never`,
      OUTDIAL_SMTP_FROM: "outdial@example.com",
    });
    const hook = stage.file(
      "ops.yaml",
      `kind: attention-route\nname: ops\nto:\n  webhook: { url: "${receiver.url}", secret: alerts }\n`,
    );
    const mail = stage.file("office.yaml", "name: office\nto:\n  email: { to: [ops@example.com] }\n");
    // A server without a worker: nobody plans.
    const server = stage.start(["server"], settings);
    await server.waitFor(/the server runs/);
    expect(await stage.outdial(["apply", "-f", hook], settings)).toMatchObject({ code: 0 });
    expect(await stage.outdial(["attention", "route", "put", mail], settings)).toMatchObject({ code: 0 });
    const tested = await stage.outdial(["attention", "test"], settings);
    expect(tested, tested.stderr).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/office: delivered .*\nops: delivered/),
    });
    expect(mails).toHaveLength(1);
    expect(bodies()).toMatchObject([{ type: "attention.test" }]);
    const doctor = await stage.outdial(["doctor"], settings);
    expect(doctor.stdout).toContain("attention route ops");

    // The receiver is away when it is told first, and its process dies then.
    receiver.answer = () => ({ status: 503 });
    const spec = stage.spec("nobody plans");
    const created = await stage.outdial(["campaign", "create", spec, "--contacts", stage.list(5)], settings);
    expect(created, created.stderr).toMatchObject({ code: 0 });
    const started = await stage.outdial(["campaign", "start", "nobody plans"], settings);
    expect(started, started.stderr).toMatchObject({ code: 0 });
    const first = await until("the stalled campaign", () =>
      bodies().find(({ data }) => data.entries.some(({ kind }) => kind === "campaign_stalled")),
    );
    expect(first.data.entries).toMatchObject([
      { word: "problem", summary: expect.stringMatching(/nobody plans.*no worker/) },
    ]);
    await until("the mail", () => mails.length === 2);
    expect(mails[1]).toContain("Subject: Outdial: new: campaign stalled (default)");
    await server.kill();
    receiver.answer = () => ({ status: 204 });
    const again = stage.start(["server"], settings);
    await again.waitFor(/the server runs/);
    const entry = await until("what was written down before", () => delivered("problem", "campaign_stalled"));
    expect(bodies().filter(({ id }) => id === first.id).length).toBeGreaterThan(1);

    const acked = await stage.outdial(
      ["attention", "ack", String(entry.id), "--by", "ann", "--for", "4h"],
      settings,
    );
    expect(acked, acked.stderr).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("looked after by ann"),
    });
    await until("that somebody sees to it", () => delivered("acknowledged", "campaign_stalled"));
    const list = await stage.outdial(["attention", "list"], settings);
    expect(list.stdout).toContain("seen to by ann until");

    // A route that does not deliver is no success.
    receiver.answer = () => ({ status: 500 });
    expect(await stage.outdial(["attention", "test", "--route", "ops"], settings)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("ops: not delivered"),
    });
    await again.kill();
  });
});
