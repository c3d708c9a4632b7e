import { randomUUID } from "node:crypto";
import fs from "node:fs";
import type { AddressInfo } from "node:net";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import tls from "node:tls";
import { Connection } from "@temporalio/client";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";

import { checkTemporal } from "../../src/cli/doctor/temporal.ts";
import type { CliPorts } from "../../src/cli/context.ts";
import { readConfig } from "../../src/config.ts";
import { openTemporal } from "../../src/temporal/connection.ts";
import { provideTemporalServer } from "../../src/temporal/server/index.ts";
import { createAuthority, type Authority, type Issued } from "../support/certificates.ts";
import { until } from "../support/until.ts";

/*
 * A Temporal server behind TLS that asks for its clients' certificates, as a cluster or its proxy does: the real server,
 * and before it a socket that takes TLS off.
 */

/** Of the server's certificate; nobody resolves it. */
const SERVER_NAME = "temporal.internal";

let folder: string;
let authority: Authority;
let stranger: Authority;
let server: Issued;
let client: Issued;
let impostor: Issued;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-temporal-tls-"));
  authority = createAuthority(path.join(folder, "ours"), "authority");
  stranger = createAuthority(path.join(folder, "others"), "stranger");
  server = authority.issue("server", [SERVER_NAME]);
  client = authority.issue("client");
  impostor = stranger.issue("impostor");
});
afterAll(() => {
  fs.rmSync(folder, { recursive: true, force: true });
});

interface Front {
  readonly address: string;
  /** Who came through, by the name in their certificates. */
  readonly clients: ReadonlySet<string>;
}

/** TLS before the real server. */
async function frontOf(certificate: Issued, clientsBy: Authority | undefined): Promise<Front> {
  const behind = new URL(`http://${inject("temporalAddress")}`);
  const clients = new Set<string>();
  const sockets = new Set<net.Socket>();
  const front = tls.createServer(
    {
      cert: certificate.cert,
      key: certificate.key,
      ALPNProtocols: ["h2"],
      ...(clientsBy && { ca: clientsBy.ca, requestCert: true, rejectUnauthorized: true }),
    },
    (socket) => {
      const name = socket.getPeerCertificate().subject?.CN;
      if (typeof name === "string") clients.add(name);
      const inner = net.connect(Number(behind.port), behind.hostname);
      for (const one of [socket, inner]) {
        sockets.add(one);
        one
          .on("error", () => {})
          .on("close", () => {
            sockets.delete(one);
            socket.destroy();
            inner.destroy();
          });
      }
      socket.pipe(inner).pipe(socket);
    },
  );
  await new Promise<void>((resolve) => {
    front.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => {
      front.close(resolve);
    });
  });
  return { address: `127.0.0.1:${(front.address() as AddressInfo).port}`, clients };
}

const right = () => ({
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: authority.caFile,
  TEMPORAL_TLS_SERVER_NAME: SERVER_NAME,
  TEMPORAL_TLS_CLIENT_CERT_PATH: client.certFile,
  TEMPORAL_TLS_CLIENT_KEY_PATH: client.keyFile,
});

function settingsOf(environment: Record<string, string>) {
  return readConfig({ OUTDIAL_DATA_DIR: path.join(folder, "data"), HOME: folder, ...environment });
}

/** What a worker or server does at its start. */
async function open(environment: Record<string, string>) {
  const { temporal, cacheDir, dataDir } = settingsOf(environment);
  const silent = { debug() {}, info() {}, warn() {}, error() {} };
  return openTemporal({ ...temporal, cacheDir, dataDir, log: silent, onProgress: () => {} });
}

const unused = () => {
  throw new Error("not for this check");
};
const ports: CliPorts = {
  openLedger: unused,
  startSystem: unused,
  openPlatform: unused,
  runSandbox: unused,
  lookAtProvider: unused,
  lookForMissing: unused,
  provideTemporalServer,
};

describe("a Temporal server that asks for certificates", () => {
  it("is reached by clients and workers with the right one, by its name, through an authority of its own", async () => {
    const front = await frontOf(server, authority);
    const temporal = await open({ TEMPORAL_ADDRESS: front.address, ...right() });
    try {
      const info = await temporal.client.workflowService.getSystemInfo({});
      expect(info.serverVersion).toMatch(/^\d+\./);
      const workers = await temporal.connectWorkers();
      await workers.close();
      expect([...front.clients]).toEqual(["client"]);
    } finally {
      await temporal.close();
    }
  });

  it("is reached with a profile of Temporal's own tools, in its namespace", async () => {
    const front = await frontOf(server, authority);
    const namespace = `tls-${randomUUID()}`;
    const file = path.join(folder, "temporal.toml");
    fs.writeFileSync(
      file,
      `[profile.calls]
address = "${front.address}"
namespace = "${namespace}"
[profile.calls.tls]
server_name = "${SERVER_NAME}"
server_ca_cert_path = "${authority.caFile}"
client_cert_path = "${client.certFile}"
client_key_path = "${client.keyFile}"
`,
    );
    const profile = { TEMPORAL_CONFIG_FILE: file, TEMPORAL_PROFILE: "calls" };
    await expect(open(profile)).rejects.toThrow(`has no namespace ${namespace}`);
    const direct = await Connection.connect({ address: inject("temporalAddress") });
    await direct.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: { seconds: (24 * 60 * 60) as never },
    });
    await direct.close();
    const temporal = await open(profile);
    expect(temporal.namespace).toBe(namespace);
    await temporal.close();
    // A server needs seconds until all of it knows a new namespace.
    const checked = await until("the check to tell what it lacks", async () => {
      const checks = await checkTemporal(settingsOf(profile), ports);
      return checks.some(({ status }) => status === "warn") && checks;
    });
    expect(checked).toEqual([
      {
        name: "Temporal",
        status: "warn",
        detail: expect.stringContaining("can't find workflows by campaign, brand or state"),
        remedy: expect.stringContaining(
          `search-attribute create --namespace ${namespace} --type Keyword --name OutdialName --name OutdialBrand`,
        ),
      },
    ]);
  });

  it("is said by doctor to answer only once it did", async () => {
    const front = await frontOf(server, authority);
    const config = settingsOf({ TEMPORAL_ADDRESS: front.address, ...right() });
    expect(await checkTemporal(config, ports)).toEqual([
      {
        name: "Temporal",
        status: "ok",
        detail: expect.stringMatching(
          / answers \(server .*, namespace default, by TLS with a client's certificate\)/,
        ),
      },
    ]);
    // Nobody listens there, whatever the key is: that is no "ok".
    const away = settingsOf({ TEMPORAL_ADDRESS: "127.0.0.1:1", TEMPORAL_API_KEY: "a-key" });
    expect(await checkTemporal(away, ports)).toMatchObject([
      { status: "fail", detail: expect.stringContaining("nobody listens there") },
    ]);
  });

  it.each([
    [
      "an authority that nobody named",
      () => ({ TEMPORAL_TLS_SERVER_CA_CERT_PATH: "" }),
      /nobody whom this machine trusts vouches .*: set TEMPORAL_TLS_SERVER_CA_CERT_PATH/,
    ],
    [
      "another authority",
      () => ({ TEMPORAL_TLS_SERVER_CA_CERT_PATH: stranger.caFile }),
      /nobody whom this machine trusts vouches .*: set TEMPORAL_TLS_SERVER_CA_CERT_PATH/,
    ],
    [
      "a name that its certificate does not have",
      () => ({ TEMPORAL_TLS_SERVER_NAME: "elsewhere.internal" }),
      /its certificate is not for elsewhere\.internal: .*temporal\.internal.*: set TEMPORAL_TLS_SERVER_NAME/,
    ],
    [
      "its address for a name",
      () => ({ TEMPORAL_TLS_SERVER_NAME: "" }),
      /its certificate is not for 127\.0\.0\.1: .*: set TEMPORAL_TLS_SERVER_NAME/,
    ],
    [
      "no certificate of the client",
      () => ({ TEMPORAL_TLS_CLIENT_CERT_PATH: "", TEMPORAL_TLS_CLIENT_KEY_PATH: "" }),
      /asks for a client's certificate: .*: set TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH/,
    ],
    [
      "a client's certificate of another authority",
      () => ({
        TEMPORAL_TLS_CLIENT_CERT_PATH: impostor.certFile,
        TEMPORAL_TLS_CLIENT_KEY_PATH: impostor.keyFile,
      }),
      /refuses the client's certificate: .*: set TEMPORAL_TLS_CLIENT_CERT_PATH/,
    ],
    ["no TLS at all", () => ({ TEMPORAL_TLS: "false" }), /spoken to in the clear\): set TEMPORAL_TLS=true/],
  ])("says what is wrong with %s", async (_what, changes, told) => {
    const front = await frontOf(server, authority);
    const opening = open({ TEMPORAL_ADDRESS: front.address, ...right(), ...changes() });
    await expect(opening).rejects.toThrow(told);
    await expect(opening).rejects.toMatchObject({ name: "TemporalUnavailableError" });
    expect([...front.clients]).toEqual([]);
  });

  it("says that a server in the clear speaks no TLS", async () => {
    const opening = open({ TEMPORAL_ADDRESS: inject("temporalAddress"), ...right() });
    await expect(opening).rejects.toThrow(/does not speak TLS as gRPC does: .*: set TEMPORAL_TLS=false/);
  });
});

it("a Temporal server by TLS that asks for nobody's certificate is reached without one", async () => {
  const front = await frontOf(server, undefined);
  const { TEMPORAL_TLS_CLIENT_CERT_PATH: _cert, TEMPORAL_TLS_CLIENT_KEY_PATH: _key, ...rest } = right();
  const temporal = await open({ TEMPORAL_ADDRESS: front.address, ...rest, TEMPORAL_API_KEY: "a-key" });
  await temporal.client.workflowService.getSystemInfo({});
  await (await temporal.connectWorkers()).close();
  await temporal.close();
});
