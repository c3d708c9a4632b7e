import type { AddressInfo, Socket } from "node:net";

import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterEach, describe, expect, it } from "vitest";

import { itemOf, testNotice, type Notice, type NoticeItem } from "../../src/domain/notices/notice.ts";
import { createOutbound } from "../../src/outbound/client.ts";
import { sendMail, type SmtpServer } from "../../src/outbound/mail.ts";
import { sendNotice } from "../../src/outbound/notices.ts";
import { startRawServer } from "./receiver.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

interface Taken {
  from: string;
  to: string[];
  user: string | undefined;
  raw: string;
}

/** A mail server on loopback, by the authors of the client. */
async function mailServer(
  options: SMTPServerOptions = {},
): Promise<{ port: number; taken: Taken[]; cut: () => void }> {
  const taken: Taken[] = [];
  const sockets = new Set<Socket>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        taken.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          user: session.user,
          raw: Buffer.concat(chunks).toString("utf8"),
        });
        done(null, "kept");
      });
    },
    ...options,
  });
  server.on("error", () => {});
  server.server.on("connection", (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  closing.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve(undefined));
      }),
  );
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    taken,
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

const plain = (port: number, user = ""): SmtpServer => ({
  url: `smtp://${user}127.0.0.1:${port}?starttls=never`,
  from: "outdial@example.com",
});

const MAIL = {
  id: "6a2f41a3-c54c-fce8-32d2-0324e1c32e22",
  subject: "Outdial: new: breaker open (acme)",
  text: "To do\n",
};
const TO = { to: ["ops@example.com", "law@example.com"] };

const ITEM: NoticeItem = {
  word: "problem",
  id: 17,
  kind: "breaker_open",
  subject: "spring",
  brand: "acme",
  summary: "campaign Spring paused itself",
  remedy: "look at it, then `outdial campaign resume`",
  sinceMs: Date.parse("2026-03-02T12:00:00Z"),
  times: 3,
};

const noticeOf = (item: Partial<NoticeItem>): Notice => ({
  ...testNotice("office", MAIL.id, Date.parse("2026-03-02T12:15:00Z")),
  isTest: false,
  items: [itemOf({ ...ITEM, ...item }, (text) => text)],
  counts: [{ word: "problem", kind: "breaker_open", n: 1 }],
});

describe("a mail", () => {
  it("arrives with its sender, its receivers and an id that is the same in every try", async () => {
    const { port, taken } = await mailServer();
    for (let n = 0; n < 2; n += 1)
      expect(await sendMail(plain(port), TO, MAIL)).toEqual({
        ok: true,
        answer: expect.stringContaining("kept"),
        trouble: undefined,
      });
    expect(taken).toHaveLength(2);
    for (const { from, to, raw } of taken) {
      expect({ from, to }).toEqual({ from: "outdial@example.com", ...TO });
      expect(raw).toContain(`Message-ID: <${MAIL.id}@outdial>`);
      expect(raw).toContain(`Subject: ${MAIL.subject}`);
      expect(raw).toContain("Auto-Submitted: auto-generated");
    }
  });

  it("shows user and password to a server that asks for them, with what an address has to escape", async () => {
    const { port, taken } = await mailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) =>
        username === "ops@example.com" && password === "p:a/s%"
          ? done(null, { user: username })
          : done(new Error("Invalid login")),
    });
    expect(await sendMail(plain(port, "ops%40example.com:p%3Aa%2Fs%25@"), TO, MAIL)).toMatchObject({
      ok: true,
    });
    expect(taken).toMatchObject([{ user: "ops@example.com" }]);
    const refused = await sendMail(plain(port, "ops%40example.com:wrong-password@"), TO, MAIL);
    expect(refused).toMatchObject({ ok: false, isFinal: true });
    expect(JSON.stringify(refused)).not.toContain("wrong-password");
  });

  it("is not handed to a server without TLS, unless that is said", async () => {
    const { port, taken } = await mailServer();
    const sent = await sendMail({ url: `smtp://127.0.0.1:${port}`, from: "a@example.com" }, TO, MAIL);
    expect(sent).toMatchObject({ ok: false, isFinal: true, error: expect.stringMatching(/STARTTLS|TLS/i) });
    expect(taken).toEqual([]);
  });

  it("is not handed to a server whose certificate nobody vouches for", async () => {
    // The server's own certificate is of nobody.
    const { port, taken } = await mailServer({ secure: true, disabledCommands: [] });
    const sent = await sendMail({ url: `smtps://127.0.0.1:${port}`, from: "a@example.com" }, TO, MAIL);
    expect(sent).toMatchObject({ ok: false });
    expect(taken).toEqual([]);
  });

  it("that a server refuses for good says so, with the server's words", async () => {
    const { port } = await mailServer({
      onMailFrom: (_address, _session, done) =>
        done(Object.assign(new Error("not from you"), { responseCode: 553 })),
    });
    expect(await sendMail(plain(port), TO, MAIL)).toMatchObject({
      ok: false,
      isFinal: true,
      error: expect.stringContaining("553 not from you"),
    });
  });

  it("that a server does not take now is for a later try", async () => {
    const { port } = await mailServer({
      onData: (stream, _session, done) => {
        stream.on("data", () => {});
        stream.on("end", () => done(Object.assign(new Error("come back later"), { responseCode: 451 })));
      },
    });
    expect(await sendMail(plain(port), TO, MAIL)).toMatchObject({
      ok: false,
      isFinal: false,
      error: expect.stringContaining("come back later"),
    });
  });

  it("that one of its receivers does not get names that one", async () => {
    const { port, taken } = await mailServer({
      onRcptTo: ({ address }, _session, done) =>
        address === "law@example.com"
          ? done(Object.assign(new Error("nobody"), { responseCode: 550 }))
          : done(),
    });
    const sent = await sendMail(plain(port), TO, MAIL);
    expect(sent).toMatchObject({ ok: true, trouble: expect.stringContaining("law@example.com") });
    expect(taken).toMatchObject([{ to: ["ops@example.com"] }]);
  });

  it("to a server that cuts the line in the middle of it, or is not there, is for a later try", async () => {
    const { port, cut } = await mailServer({ onData: (stream) => void stream.once("data", () => cut()) });
    const long = { ...MAIL, text: "x".repeat(400_000) };
    expect(await sendMail(plain(port), TO, long)).toMatchObject({ ok: false, isFinal: false });
    expect(await sendMail(plain(9), TO, MAIL)).toMatchObject({ ok: false, isFinal: false });
  });

  it("to a server that never speaks ends within its bound", async () => {
    const silent = await startRawServer(() => {});
    closing.push(() => silent.close());
    const beganMs = performance.now();
    expect(await sendMail(plain(silent.port), TO, MAIL)).toMatchObject({ ok: false, isFinal: false });
    expect(performance.now() - beganMs).toBeLessThan(15_000);
  }, 30_000);

  it("can't be given headers or receivers by what an entry says", async () => {
    const { port, taken } = await mailServer();
    const notice = noticeOf({
      brand: "acme",
      summary: "a\r\nBcc: thief@example.com\r\n\r\nhello <b>bold</b>",
    });
    const subject = `x\r\nBcc: thief@example.com`;
    const ports = {
      outbound: createOutbound({ allow: [] }),
      secrets: { read: () => [] },
      smtp: plain(port),
      now: Date.now,
    };
    closing.push(() => ports.outbound.close());
    expect(await sendNotice(ports, { to: { email: TO } }, notice)).toMatchObject({ ok: true });
    expect(await sendMail(plain(port), TO, { ...MAIL, subject })).toMatchObject({ ok: true });
    for (const { to, raw } of taken) {
      expect(to).toEqual(TO.to);
      const head = raw.slice(0, raw.indexOf("\r\n\r\n"));
      expect(head).not.toMatch(/^Bcc:/im);
      expect(head).toMatch(/Content-Type: text\/plain/i);
    }
    expect(taken[0]?.raw).toContain("<b>bold</b>");
    // As mail programs read it: long lines are broken on the way.
    const text = (taken[0]?.raw ?? "").replaceAll("=\r\n", "");
    expect(text).toContain("since 2026-03-02 12:00 UTC, 3 times, entry 17");
  });

  it("without a server or a sender says what to set", async () => {
    expect(await sendMail({ url: undefined, from: undefined }, TO, MAIL)).toMatchObject({
      ok: false,
      isFinal: true,
      error: expect.stringContaining("OUTDIAL_SMTP_URL"),
    });
    expect(await sendMail({ url: "smtps://127.0.0.1:9", from: undefined }, TO, MAIL)).toMatchObject({
      error: expect.stringContaining("OUTDIAL_SMTP_FROM"),
    });
  });
});
