import fs from "node:fs";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import tls from "node:tls";
import { expect, it, onTestFinished } from "vitest";

import { openApi as openClient } from "../../../src/cli/api/client.ts";
import { checkApi } from "../../../src/cli/doctor/api.ts";
import { readConfig } from "../../../src/config.ts";
import { keepRenewed, readTls, TlsFilesError } from "../../../src/http/tls.ts";
import { createAuthority, type Issued } from "../../support/certificates.ts";
import { describeSomeLedger } from "../../support/ledgers.ts";
import { openApi } from "../support.ts";
import { SYSTEM_TOKEN } from "./support.ts";

function folderOf(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-tls-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  return folder;
}

/** The files that a system is told of, into which others are written over time. */
function filesIn(folder: string, { certFile, keyFile }: Issued) {
  const files = { certFile: path.join(folder, "in-use.pem"), keyFile: path.join(folder, "in-use.key") };
  fs.copyFileSync(certFile, files.certFile);
  fs.copyFileSync(keyFile, files.keyFile);
  return files;
}

/** Whose certificate is shown to who connects now. */
function shownAt(port: number, ca: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = tls.connect({ port, host: "127.0.0.1", ca }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
    socket.once("error", reject);
  });
}

describeSomeLedger("the API over TLS", (ledger) => {
  async function serve(altNames: readonly string[] = ["127.0.0.1"]) {
    const folder = folderOf();
    const authority = createAuthority(folder, "authority");
    const files = filesIn(folder, authority.issue("first", altNames));
    const pair = readTls(files);
    const { app, logged } = await openApi(ledger(), { token: SYSTEM_TOKEN, tls: pair });
    const note = (fields: object, message: string) =>
      void logged.push(`${message} ${JSON.stringify(fields)}`);
    const renewal = keepRenewed(app.server, files, { pair, log: { info: note, warn: note } });
    onTestFinished(() => renewal.stop());
    const url = await app.listen({ host: "127.0.0.1", port: 0 });
    const { port } = app.server.address() as AddressInfo;
    const client = (trust: { caFile?: string; ownCertFile?: string }) => {
      const { caFile, ownCertFile } = trust;
      const api = openClient({ url, token: SYSTEM_TOKEN, trust: { caFile, ownCertFile } });
      onTestFinished(() => api.close());
      return api;
    };
    return { folder, authority, files, url, port, renewal, logged, client };
  }

  it("is reached by commands that trust who signed its certificate, and by no others", async () => {
    const { url, authority, client } = await serve();
    expect(url).toMatch(/^https:/);
    expect(await client({ caFile: authority.caFile }).access.me()).toMatchObject({ kind: "system" });
    await expect(client({}).access.me()).rejects.toThrow(/is not trusted here .*set OUTDIAL_API_CA/);
    const stranger = createAuthority(folderOf(), "stranger");
    await expect(client({ caFile: stranger.caFile }).access.me()).rejects.toThrow("is not trusted here");
    await expect(client({ caFile: "/nowhere.pem" }).access.me()).rejects.toThrow(
      "OUTDIAL_API_CA names a file that can't be read",
    );
  });

  it("is reached on its own machine by its own certificate, whatever name that is for", async () => {
    const { files, authority, client } = await serve(["outdial.example.com"]);
    await expect(client({ caFile: authority.caFile }).access.me()).rejects.toThrow("is not trusted here");
    expect(await client({ ownCertFile: files.certFile }).access.me()).toMatchObject({ kind: "system" });
    const other = authority.issue("other", ["other.example.com"]);
    await expect(client({ ownCertFile: other.certFile }).access.me()).rejects.toThrow("is not trusted here");
  });

  it("takes a renewed certificate without a restart, and keeps the one it has where the new one fits nothing", async () => {
    const { authority, files, port, renewal, logged } = await serve();
    expect(await shownAt(port, authority.ca)).toBe("first");
    const second = authority.issue("second", ["127.0.0.1"]);
    fs.copyFileSync(second.certFile, files.certFile);
    renewal.look();
    renewal.look();
    expect(await shownAt(port, authority.ca)).toBe("first");
    expect(logged.filter((line) => line.includes("can't be used"))).toHaveLength(1);
    fs.copyFileSync(second.keyFile, files.keyFile);
    renewal.look();
    expect(await shownAt(port, authority.ca)).toBe("second");
    expect(logged.filter((line) => line.includes("renewed"))).toHaveLength(1);
  });

  it("is told by the doctor how long it lasts, and where it is missing", () => {
    const folder = folderOf();
    const authority = createAuthority(folder, "authority");
    const files = filesIn(folder, authority.issue("first"));
    const check = (environment: Record<string, string>, nowMs = Date.now()) =>
      checkApi(readConfig({ OUTDIAL_API_TOKEN: SYSTEM_TOKEN, ...environment }), nowMs);
    expect(check({})).toEqual([]);
    expect(check({ OUTDIAL_API_HOST: "0.0.0.0" })).toMatchObject([{ status: "warn", name: "API" }]);
    const served = { OUTDIAL_API_TLS_CERT: files.certFile, OUTDIAL_API_TLS_KEY: files.keyFile };
    // Those of tests last two days.
    expect(check(served)).toMatchObject([
      { status: "warn", detail: expect.stringContaining("ends in 1 day,") },
    ]);
    expect(check(served, Date.now() - 30 * 86_400_000)).toMatchObject([{ status: "ok" }]);
    expect(check(served, Date.now() + 3 * 86_400_000)).toMatchObject([{ status: "fail" }]);
    const [mixed] = check({ ...served, OUTDIAL_API_TLS_KEY: authority.issue("second").keyFile });
    expect(mixed).toMatchObject({ status: "fail", detail: expect.stringContaining("is not that of") });
    expect(() => readConfig({ OUTDIAL_API_TLS_CERT: files.certFile })).toThrow(/go together/);
    expect(() => readTls({ certFile: files.keyFile, keyFile: files.keyFile })).toThrow(TlsFilesError);
  });
});
