import { createPrivateKey, X509Certificate } from "node:crypto";
import fs from "node:fs";
import { createRequire } from "node:module";
import type * as Envconfig from "@temporalio/envconfig";

import { reasonWords } from "../domain/ground/reason-words.ts";
import type { TemporalAccess, TemporalTls } from "../temporal/server/access.ts";
import type { Environment } from "./setting.ts";
import { ADDRESS, GRPC_META_PREFIX, READ_BY_TEMPORAL } from "./temporal.ts";

export interface TemporalSettings {
  readonly address: string | undefined;
  readonly namespace: string;
  readonly access: TemporalAccess;
  readonly cliPath: string | undefined;
  /** Where else an executable is looked for. */
  readonly searchPath: string;
}

type Variables = Readonly<Record<string, string>>;

const DEFAULT_NAMESPACE = "default";

/** What only Temporal's own reader can put together: files, profiles and certificates. */
const FOR_ITS_READER = /^TEMPORAL_(?:PROFILE|CONFIG_FILE|TLS(?!_DISABLE)|GRPC_META_)/;

/**
 * Where Temporal is and how it is spoken to.
 *
 * @param values the settings that are well formed.
 * @param problems gets what is wrong with them together, each with its variable or place; never a secret.
 */
export function readTemporalSettings(
  values: Readonly<Record<string, unknown>>,
  environment: Environment,
  problems: string[],
): TemporalSettings {
  const variables = variablesOf(values, environment);
  const profile = readProfile(variables, problems);
  const { address, namespace = DEFAULT_NAMESPACE, apiKey, tls, grpcMeta } = profile;
  const files = new Pems(variables, problems);
  const access = {
    ...(tls !== undefined && tls.disabled !== true && { tls: files.read(tls) }),
    // As the SDK has it: who shows a key does so by TLS.
    ...(tls === undefined && apiKey !== undefined && { tls: {} }),
    ...(apiKey !== undefined && { apiKey }),
    ...(grpcMeta && Object.keys(grpcMeta).length > 0 && { metadata: grpcMeta }),
  };
  const isToldAlready = problems.some((problem) => problem.startsWith("TEMPORAL_ADDRESS "));
  if (address === undefined && Object.keys(access).length > 0 && !isToldAlready) {
    problems.push(
      `TEMPORAL_ADDRESS must be set where ${nameOfAccess(variables)} is: a server that is provided here needs none of it; for example TEMPORAL_ADDRESS=${READ_BY_TEMPORAL.TEMPORAL_ADDRESS.example}`,
    );
  }
  if (address !== undefined && !ADDRESS.test(address))
    problems.push(`address in ${placeOf(variables)} must be host:port; for example temporal.internal:7233`);
  const { TEMPORAL_CLI_PATH: cliPath } = values;
  return {
    address,
    namespace,
    access,
    cliPath: typeof cliPath === "string" ? cliPath : undefined,
    searchPath: environment["PATH"] ?? "",
  };
}

/** What Temporal's own reader gets to see: what is ours to check was checked, and nothing else of the environment. */
function variablesOf(values: Readonly<Record<string, unknown>>, environment: Environment): Variables {
  const variables: Record<string, string> = {};
  for (const name of Object.keys(READ_BY_TEMPORAL)) {
    const value = values[name];
    // To its reader even "false" would say that TLS is wanted.
    if (name === "TEMPORAL_TLS_DISABLE_HOST_VERIFICATION" || typeof value !== "string") continue;
    variables[name] = value;
  }
  for (const [name, value] of Object.entries(environment)) {
    const isPlace = name === "HOME" || name === "XDG_CONFIG_HOME" || name === "APPDATA";
    if (value && (isPlace || name.startsWith(GRPC_META_PREFIX))) variables[name] = value;
  }
  return variables;
}

function readProfile(variables: Variables, problems: string[]): Envconfig.ClientConfigProfile {
  const {
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    TEMPORAL_API_KEY: apiKey,
    TEMPORAL_CONFIG_FILE: file,
    TEMPORAL_PROFILE: name,
  } = variables;
  const own = {
    ...(address !== undefined && { address }),
    ...(namespace !== undefined && { namespace }),
    ...(apiKey !== undefined && { apiKey }),
  };
  // It takes a while to load, and most have nothing for it to do.
  if (!Object.keys(variables).some((variable) => FOR_ITS_READER.test(variable))) return own;
  if (file !== undefined && !isFile(file)) {
    problems.push(
      `TEMPORAL_CONFIG_FILE names ${file}, and there is no such file${fs.existsSync(file) ? ": it is a folder" : ""}`,
    );
    return own;
  }
  try {
    return envconfig().loadClientConfigProfile({
      overrideEnvVars: { ...variables },
      disableFile: file === undefined && name === undefined,
      configFileStrict: true,
    });
  } catch (error) {
    problems.push(
      `Temporal's settings can't be used: ${reasonWithoutContent(error)} (${placeOf(variables)})`,
    );
    return own;
  }
}

/** CommonJS, so that it can be loaded at once where it is needed, and not at all where it is not. */
function envconfig(): typeof Envconfig {
  return createRequire(import.meta.url)("@temporalio/envconfig") as typeof Envconfig;
}

function isFile(file: string): boolean {
  return fs.statSync(file, { throwIfNoEntry: false })?.isDirectory() === false;
}

/** A parser quotes the line that it stumbled over, which may be a key. */
function reasonWithoutContent(error: unknown): string {
  const message = reasonWords(error);
  return message.split("\n")[0] ?? message;
}

function placeOf({ TEMPORAL_CONFIG_FILE: file, TEMPORAL_PROFILE: name = "default" }: Variables): string {
  return `profile ${name} of ${file ?? "the usual temporal.toml"}`;
}

function nameOfAccess(variables: Variables): string {
  const { TEMPORAL_PROFILE: profile, TEMPORAL_CONFIG_FILE: file } = variables;
  const named = Object.keys(variables).find((name) => /^TEMPORAL_(?:API_KEY|TLS|GRPC_META)/.test(name));
  return (
    named ?? (profile === undefined && file === undefined ? "a key" : `a key or TLS of ${placeOf(variables)}`)
  );
}

/** Reads certificates and keys, and finds out what is wrong with them before a server says no more than "no". */
class Pems {
  readonly #variables: Variables;
  readonly #problems: string[];

  constructor(variables: Variables, problems: string[]) {
    this.#variables = variables;
    this.#problems = problems;
  }

  read({ serverName, serverCACert, clientCert, clientKey }: Envconfig.ClientConfigTLS): TemporalTls {
    const caCertificates = this.#text("SERVER_CA_CERT", serverCACert);
    if (caCertificates !== undefined) this.#certificate("SERVER_CA_CERT", caCertificates);
    const certificate = this.#text("CLIENT_CERT", clientCert);
    const key = this.#text("CLIENT_KEY", clientKey);
    if ((clientCert === undefined) !== (clientKey === undefined)) {
      const [given, missing] =
        clientCert === undefined
          ? (["CLIENT_KEY", "CLIENT_CERT"] as const)
          : (["CLIENT_CERT", "CLIENT_KEY"] as const);
      this.#problems.push(
        `TEMPORAL_TLS_${missing}_PATH must be set where ${this.#nameOf(given)} is: a certificate and its key go together; for example TEMPORAL_TLS_${missing}_PATH=${READ_BY_TEMPORAL[`TEMPORAL_TLS_${missing}_PATH`].example}`,
      );
    }
    if (certificate !== undefined && key !== undefined) this.#pair(certificate, key);
    return {
      ...(serverName !== undefined && { serverName }),
      ...(caCertificates !== undefined && { caCertificates }),
      ...(certificate !== undefined && key !== undefined && { client: { certificate, key } }),
    };
  }

  #text(kind: Kind, source: Envconfig.ConfigDataSource | undefined): string | undefined {
    if (source === undefined) return undefined;
    if ("data" in source)
      return typeof source.data === "string" ? source.data : Buffer.from(source.data).toString();
    try {
      return fs.readFileSync(source.path, "utf8");
    } catch (error) {
      this.#problems.push(
        `${this.#nameOf(kind)} names a file that can't be read (${source.path}: ${reasonWords(error)})`,
      );
      return undefined;
    }
  }

  #certificate(kind: Kind, text: string): X509Certificate | undefined {
    try {
      return new X509Certificate(text);
    } catch {
      this.#problems.push(`${this.#nameOf(kind)} has no certificate in PEM`);
      return undefined;
    }
  }

  #pair(certificate: string, key: string): void {
    const read = this.#certificate("CLIENT_CERT", certificate);
    try {
      const privateKey = createPrivateKey(key);
      if (read && !read.checkPrivateKey(privateKey))
        this.#problems.push(
          `${this.#nameOf("CLIENT_KEY")} has the key of another certificate than ${this.#nameOf("CLIENT_CERT")}`,
        );
    } catch {
      this.#problems.push(
        `${this.#nameOf("CLIENT_KEY")} has no key in PEM that can be read without a passphrase`,
      );
    }
  }

  /** The variable that gave it, or its place in the configuration file. */
  #nameOf(kind: Kind): string {
    const variable = [`TEMPORAL_TLS_${kind}_PATH`, `TEMPORAL_TLS_${kind}_DATA`].find(
      (name) => this.#variables[name] !== undefined,
    );
    return variable ?? `${kind.toLowerCase()} in ${placeOf(this.#variables)}`;
  }
}

type Kind = "SERVER_CA_CERT" | "CLIENT_CERT" | "CLIENT_KEY";
