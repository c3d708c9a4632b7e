import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { provideTemporalServer, type TemporalServerOptions } from "../../../src/temporal/server/index.ts";
import { serverArguments } from "../../../src/temporal/server/options.ts";
import { parseAddress } from "../../../src/temporal/server/readiness.ts";
import { temporaryFolder } from "./temporary-folder.ts";

async function options(part: Partial<TemporalServerOptions>): Promise<TemporalServerOptions> {
  const folder = await temporaryFolder();
  return { cacheDir: path.join(folder, "cache"), searchPath: folder, onProgress: () => undefined, ...part };
}

test.each(["", "localhost", "localhost:", "http://localhost:7233", "localhost:99999", "a b:1", "::1:7233"])(
  "an address of %j is refused with an example",
  async (address) => {
    await expect(provideTemporalServer(await options({ address }))).rejects.toThrow("which is not host:port");
  },
);

test("addresses are host and port, IPv6 in brackets", () => {
  expect(parseAddress("temporal.example:7233")).toEqual({ host: "temporal.example", port: 7_233 });
  expect(parseAddress("[::1]:20001")).toEqual({ host: "::1", port: 20_001 });
});

test("an address where nobody listens gives the reason and the remedy, and starts nothing", async () => {
  const folder = await temporaryFolder();
  const wrong = await options({ address: "127.0.0.1:1", dataDir: path.join(folder, "data") });
  await expect(provideTemporalServer(wrong)).rejects.toThrow(
    /no Temporal server answers at TEMPORAL_ADDRESS=127\.0\.0\.1:1 \(nobody listens there\): start that server, correct/,
  );
  expect(await readdir(folder)).toEqual([]);
});

test("an executable asked for by path that cannot be used is an error, not a reason to take another", async () => {
  const folder = await temporaryFolder();
  const dataDir = path.join(folder, "data");
  await mkdir(path.join(folder, "bin"));
  const missing = await options({ dataDir, cliPath: "/nowhere/temporal" });
  await expect(provideTemporalServer(missing)).rejects.toThrow(
    "TEMPORAL_CLI_PATH=/nowhere/temporal cannot be used (it is not an executable file): correct or unset it",
  );
  const cliPath = path.join(folder, "bin", "temporal");
  await writeFile(cliPath, "#!/bin/sh\necho 'temporal version 1.1.0 (Server 1.25.0, UI 2.30.3)'\n");
  await chmod(cliPath, 0o755);
  await expect(provideTemporalServer(await options({ dataDir, cliPath }))).rejects.toThrow(
    "holds server 1.25.0",
  );
});

test("a server that ends at once is told with its last words, and nothing stays recorded as running", async () => {
  const folder = await temporaryFolder();
  const cliPath = path.join(folder, "temporal");
  const script = `#!/bin/sh
[ "$1" = --version ] && echo 'temporal version 1.9.1 (Server 1.32.0, UI 2.54.1)' && exit
echo 'Error: no space left on device' >&2
exit 1
`;
  await writeFile(cliPath, script, { mode: 0o755 });
  const dataDir = path.join(folder, "data");
  const failure = provideTemporalServer(await options({ dataDir, cliPath }));
  await expect(failure).rejects.toThrow(
    /did not start: it ended at once: Error: no space left on device \(log: /,
  );
  expect((await readdir(dataDir)).sort()).toEqual([
    "temporal.json",
    "temporal.lock",
    "temporal.log",
    "temporal.start.lock",
  ]);
});

test("a server whose port was taken in the last moment is started on another", async () => {
  const folder = await temporaryFolder();
  const cliPath = path.join(folder, "temporal");
  const script = `#!/bin/sh
[ "$1" = --version ] && echo 'temporal version 1.9.1 (Server 1.32.0, UI 2.54.1)' && exit
echo "started" >> ${folder}/starts
echo "Error: can't set frontend port: listen tcp: bind: address already in use" >&2
exit 1
`;
  await writeFile(cliPath, script, { mode: 0o755 });
  await expect(provideTemporalServer(await options({ cliPath }))).rejects.toThrow("address already in use");
  expect(await readFile(path.join(folder, "starts"), "utf8")).toBe("started\n".repeat(3));
});

test("the server is told its ports, data and settings, and not to call home", () => {
  const ports = { port: 20_001, uiPort: 20_002 };
  const settings = { "frontend.namespaceRPS": 5_000, "system.name": "x y", "limit.on": true };
  const args = serverArguments(
    { namespace: "default", dynamicConfig: settings, metricsPort: 9_090 },
    ports,
    "/data/temporal.db",
  );
  expect(args.join(" ")).toBe(
    "server start-dev --ip 127.0.0.1 --port 20001 --log-level warn --namespace default --db-filename /data/temporal.db " +
      "--ui-port 20002 --metrics-port 9090 " +
      "--search-attribute OutdialName=Keyword --search-attribute OutdialBrand=Keyword " +
      "--search-attribute OutdialPerson=Keyword --search-attribute OutdialState=Keyword --dynamic-config-value frontend.enableServerVersionCheck=false " +
      '--dynamic-config-value frontend.namespaceRPS=5000 --dynamic-config-value system.name="x y" ' +
      "--dynamic-config-value limit.on=true",
  );
  expect(serverArguments({}, { port: 20_001, uiPort: undefined }, undefined).join(" ")).toBe(
    "server start-dev --ip 127.0.0.1 --port 20001 --log-level warn --headless " +
      "--search-attribute OutdialName=Keyword --search-attribute OutdialBrand=Keyword " +
      "--search-attribute OutdialPerson=Keyword --search-attribute OutdialState=Keyword " +
      "--dynamic-config-value frontend.enableServerVersionCheck=false",
  );
});
