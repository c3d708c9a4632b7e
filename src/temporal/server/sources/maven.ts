import { createHash } from "node:crypto";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { publishDirectory, publishExecutable, sha256OfFile } from "../cache.ts";
import { SourceUnavailableError } from "../errors.ts";
import type { ExecutableSource } from "../executables.ts";
import { testServerJars as pin } from "../pins.ts";
import { findExecutables } from "../process.ts";

/** Measured: ten seconds for 38 MB of jars and the plugin. */
const DOWNLOAD_TIMEOUT_MS = 300_000;

/** The script in the cache. Its jars are beside it, in a folder with `.jars` at the end of its name. */
export function mavenCacheName(): string {
  return `temporal-test-server-maven-${pin.version}`;
}

/** The time-skipping server for Java, with the machine's own Maven (so with its settings and mirrors) and Java. */
export const mavenSource: ExecutableSource = {
  name: `Maven (${pin.artifact} ${pin.version})`,
  async candidates({ cacheDir, searchPath, run, onProgress }) {
    const [maven] = await findExecutables("mvn", searchPath);
    if (maven === undefined) throw new SourceUnavailableError("there is no mvn on PATH");
    const [java] = await findExecutables("java", searchPath);
    if (java === undefined) throw new SourceUnavailableError("there is no java on PATH");
    onProgress(
      `downloading ${pin.artifact} ${pin.version} with Maven (about 40 MB, ten seconds on a good line)`,
    );
    const jars = await publishDirectory(cacheDir, `${mavenCacheName()}.jars`, async (stagingDir) => {
      const pom = path.join(stagingDir, "pom.xml");
      await writeFile(pom, projectFile());
      const target = path.join(stagingDir, "jars");
      await mkdir(target);
      // -C: a wrong checksum of the repository is an error, not a warning.
      const goal = `${pin.dependencyPlugin}:copy-dependencies`;
      const args = [
        "-q",
        "-B",
        "-C",
        "-f",
        pom,
        goal,
        `-DoutputDirectory=${target}`,
        "-DincludeScope=runtime",
      ];
      await run(maven, args, { timeoutMs: DOWNLOAD_TIMEOUT_MS, cwd: stagingDir });
      await requireJars(target);
      return target;
    });
    const script = await publishExecutable(cacheDir, mavenCacheName(), async (stagingDir) => {
      const file = path.join(stagingDir, "script");
      await writeFile(file, startScript(java, jars));
      return file;
    });
    return [script];
  },
};

/** @throws SourceUnavailableError where the jars are not exactly the pinned ones. */
async function requireJars(folder: string): Promise<void> {
  const names = (await readdir(folder)).sort();
  const all = createHash("sha256");
  for (const name of names) all.update(`${await sha256OfFile(path.join(folder, name))}  ${name}\n`);
  const digest = all.digest("hex");
  if (digest === pin.sha256OfAll) return;
  throw new SourceUnavailableError(
    `the ${names.length} jars are not the pinned ones and were not used: SHA-256 of all ${digest} instead of ${pin.sha256OfAll}`,
  );
}

function projectFile(): string {
  const [groupId, artifactId] = pin.artifact.split(":");
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>outdial</groupId><artifactId>time-skipping-server</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies><dependency>
    <groupId>${groupId}</groupId><artifactId>${artifactId}</artifactId><version>${pin.version}</version>
  </dependency></dependencies>
</project>
`;
}

/** `exec`, so that ending the script's process ends the server. */
function startScript(java: string, jars: string): string {
  return `#!/bin/sh\nexec ${quote(java)} -cp ${quote(`${jars}/*`)} ${pin.mainClass} "$@"\n`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
