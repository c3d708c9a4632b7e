import { Client, Connection } from "@temporalio/client";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";

import { checkLines } from "../../src/cli/doctor/doctor.ts";
import { checkTemporal } from "../../src/cli/doctor/temporal.ts";
import { coloursOf } from "../../src/cli/view/colours.ts";
import { readConfig } from "../../src/config.ts";
import { probeTemporal } from "../../src/temporal/probe.ts";
import { provideTemporalServer } from "../../src/temporal/server/index.ts";
import { temporalWords } from "../../src/temporal/words.ts";

/** What gRPC and Node say of their own parts. */
const RAW = /DEADLINE|metadata|ECONN|UNAVAILABLE|subchannel|connect |ENOTFOUND|\d+ [A-Z_]{5,}/;

async function listening(server: net.Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Takes connections, and never says anything. */
const silent = () => listening(net.createServer((socket) => socket.on("error", () => {})));

const nobody = async () => {
  const server = net.createServer();
  const address = await listening(server);
  await new Promise((resolve) => server.close(resolve));
  return address;
};

const website = () => listening(http.createServer((_request, response) => response.end("hello")));

function clientOf(address: string): Client {
  const connection = Connection.lazy({ address, interceptors: [] });
  onTestFinished(() => connection.close());
  return new Client({ connection });
}

test.each([
  ["takes connections and says nothing", silent, "there is no answer in time"],
  ["is not there", nobody, "nobody listens there"],
  ["speaks another protocol", website, "it can't be reached"],
])(
  "a Temporal that %s is told of in people's words, with its address and what to do",
  async (_, open, words) => {
    const address = await open();
    const error = await probeTemporal(clientOf(address), address).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    const { message } = error as Error;
    expect(message).toContain(`Temporal at ${address} does not answer (${words}): see that it runs`);
    expect(message).not.toMatch(RAW);
  },
);

test.each([
  [{ code: 16, details: "Request unauthorized." }, "it refuses the key"],
  [{ code: 7, details: "Request unauthorized." }, "the key may not do that, or not in this namespace"],
  [{ code: 5, details: "Namespace x is not found." }, "there is no such namespace, or nothing of that name"],
  [
    { code: 14, details: "Name resolution failed for target dns:nohost: getaddrinfo ENOTFOUND nohost" },
    "there is no host of that name",
  ],
  [
    {
      code: 14,
      details:
        "No connection established. Last error: Error: self-signed certificate DEPTH_ZERO_SELF_SIGNED_CERT",
    },
    "its certificate is signed by itself",
  ],
])("%j is %s", (status, words) => {
  const error = Object.assign(new Error(`${status.code} RAW: ${status.details}`), status);
  expect(temporalWords(error)).toBe(words);
  expect(temporalWords(new Error("around it", { cause: error }))).toBe(words);
});

test("doctor says ok of no Temporal that it did not reach, with a key or without", async () => {
  const address = await nobody();
  for (const key of [undefined, "a-key-of-temporal-cloud"]) {
    const config = readConfig({
      OUTDIAL_DATA_DIR: "/nowhere/at/all",
      TEMPORAL_ADDRESS: address,
      TEMPORAL_API_KEY: key,
    });
    const never = () => Promise.reject(new Error("not asked"));
    const checks = await checkTemporal(config, {
      openLedger: never,
      startSystem: never,
      openPlatform: never,
      runSandbox: never,
      lookAtProvider: never,
      lookForMissing: never,
      provideTemporalServer,
    });
    expect(checks).toMatchObject([{ name: "Temporal", status: "fail" }]);
    const text = checkLines(checks, coloursOf(false)).join("\n");
    expect(text).toContain(address);
    expect(text).not.toMatch(RAW);
    expect(text).not.toContain("a-key");
  }
});

test("doctor says of an executable that it starts nothing now, and whether it runs", async () => {
  const never = () => Promise.reject(new Error("not asked"));
  const ports = {
    openLedger: never,
    startSystem: never,
    openPlatform: never,
    runSandbox: never,
    lookAtProvider: never,
    lookForMissing: never,
    provideTemporalServer: never,
  };
  const withCli = (cliPath: string) =>
    checkTemporal(readConfig({ OUTDIAL_DATA_DIR: "/nowhere/at/all", TEMPORAL_CLI_PATH: cliPath }), ports);
  expect(await withCli(process.execPath)).toMatchObject([
    { status: "ok", detail: expect.stringContaining(`none runs now; a run starts ${process.execPath} (v`) },
  ]);
  expect(await withCli("/bin/false")).toMatchObject([{ status: "fail" }]);
});
