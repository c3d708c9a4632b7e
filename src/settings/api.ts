import os from "node:os";
import path from "node:path";
import { z } from "zod";

import { isLoopback } from "../http/loopback.ts";
import type { TlsFiles } from "../http/tls.ts";
import { httpUrl, listed, number, setting, type Environment, type ValuesOf } from "./setting.ts";

const port = z.coerce
  .number({ error: "must be a port number" })
  .int()
  .min(0, "must be 0 to 65535")
  .max(65_535, "must be 0 to 65535");

const file = z
  .string()
  .min(1)
  .transform((name) => path.resolve(name));

export const API_SETTINGS = {
  OUTDIAL_API_HOST: setting({
    schema: z.string().min(1).default("127.0.0.1"),
    meaning: "Address that the HTTP API listens on. Anything but loopback needs OUTDIAL_API_TOKEN.",
    example: "0.0.0.0",
    default: "127.0.0.1",
  }),
  OUTDIAL_API_PORT: setting({
    schema: port.optional(),
    meaning: "Port that the HTTP API listens on; 0 takes any free one.",
    example: "8480",
    default: "8480; any free one where a command starts the system for itself",
  }),
  OUTDIAL_API_TOKEN: setting({
    schema: z
      .string()
      .min(16, "must have 16 characters or more")
      .regex(/^[\x20-\x7e]*$/, "must be made of printable ASCII characters: it travels in a header")
      .optional(),
    meaning: "Bearer token that the HTTP API asks for, and that commands show to it.",
    example: "a random text of 32 characters",
    secret: true,
  }),
  OUTDIAL_API_TLS_CERT: setting({
    schema: file.optional(),
    meaning:
      "File with the certificate that `outdial server` speaks TLS with, in PEM, its signers behind it. It and its key are read again when they are renewed.",
    example: "/etc/outdial/tls/cert.pem",
  }),
  OUTDIAL_API_TLS_KEY: setting({
    schema: file.optional(),
    meaning: "File with the private key of that certificate, in PEM, without a passphrase.",
    example: "/etc/outdial/tls/key.pem",
  }),
  OUTDIAL_API_CA: setting({
    schema: file.optional(),
    meaning:
      "File with the certificate of who signed the API's, in PEM, for commands: where nobody trusts it otherwise.",
    example: "/etc/outdial/tls/ca.pem",
  }),
  OUTDIAL_API_URL: setting({
    schema: httpUrl.optional(),
    meaning:
      "Where commands find the HTTP API of a running system. It is taken at its word; one that is found at a port must work on the database of DATABASE_URL.",
    example: "http://127.0.0.1:8480",
    default:
      "the address in the data folder's lock file, or of a run on the same database, else http://127.0.0.1:8480",
  }),
  OUTDIAL_CONTEXT: setting({
    schema: z.string().min(1).optional(),
    meaning:
      "Name of the context (`outdial context list`) whose address and token commands go by; OUTDIAL_API_URL goes before it.",
    example: "production",
    default:
      "the one that `outdial context use` named, where neither DATABASE_URL nor OUTDIAL_DATA_DIR is set",
  }),
} as const;

/** Whoever guesses it can make us ask the platform for calls, and nothing more; still, nobody shall guess it. */
const HOOK_TOKEN_LETTERS = 24;

const hookTokens = z
  .string()
  .default("")
  .transform((text) => listed(text, /\s+/))
  .refine((tokens) => tokens.every((token) => token.length >= HOOK_TOKEN_LETTERS), {
    message: `must have ${HOOK_TOKEN_LETTERS} characters or more in each token`,
  })
  .refine((tokens) => tokens.every((token) => /^[\w.~-]+$/.test(token)), {
    message: "must be made of letters, digits, -, _, . and ~: it stands in an address",
  });

export const HOOK_SETTINGS = {
  OUTDIAL_HOOK_TOKEN: setting({
    schema: hookTokens,
    meaning:
      "Token in the address that the platform's call webhooks are sent to; several, separated by spaces, while it is being changed. Absent: none are taken.",
    example: "a random text of 32 letters and digits",
    secret: true,
  }),
  OUTDIAL_DELIVERIES_PER_MINUTE: setting({
    schema: number
      .int("must be a whole number")
      .min(1, "must be 1 or more")
      .max(1_000_000, "must be 1000000 or less")
      .default(6_000),
    meaning:
      "How many deliveries one trigger takes a minute, and all of them together from one address; whoever sends more is told to come again later. A minute's worth may come at once.",
    example: "60000",
    default: "6000",
  }),
} as const;

/** A system that somebody gave a name, where a command goes by one (cli/contexts). */
export interface ApiContext {
  readonly name: string;
  /** Whoever does something grave there is asked first. */
  readonly isProtected: boolean;
  /** Whose campaigns are meant where nobody says it. */
  readonly brand: string | undefined;
  /** The command line names it: one beside it has to, too. */
  readonly isNamedHere: boolean;
  /** A program says it, and may ask somebody for a password. */
  readonly isTokenOfProgram: boolean;
  /** Read when it is shown to the system, and not before: a program may have to be run for it. */
  token(): string | undefined;
}

export interface ApiSettings {
  readonly host: string;
  readonly port: number | undefined;
  readonly token: string | undefined;
  readonly url: string | undefined;
  /** What a server speaks TLS with; undefined: it does not. */
  readonly tls: TlsFiles | undefined;
  /** Whom commands take for a signer of its certificate, too. */
  readonly caFile: string | undefined;
  /** Where contexts are kept. */
  readonly contextsFile: string;
  /** The one that the environment names. */
  readonly contextNamed: string | undefined;
  /** The one that a command goes by; never that of a process which serves. */
  readonly context: ApiContext | undefined;
  /** This command is about this machine, and others go by a context: what they are to do here has to say so. */
  readonly isContextElsewhere: boolean;
}

export function readApiSettings(
  values: ValuesOf<typeof API_SETTINGS>,
  environment: Environment,
  problems: string[],
): ApiSettings {
  const { OUTDIAL_API_HOST: host, OUTDIAL_API_PORT: port, OUTDIAL_API_TOKEN: token } = values;
  if (!isLoopback(host) && token === undefined) {
    problems.push(
      `OUTDIAL_API_TOKEN must be set where OUTDIAL_API_HOST (${host}) is not loopback; for example OUTDIAL_API_TOKEN=${API_SETTINGS.OUTDIAL_API_TOKEN.example}`,
    );
  }
  const { OUTDIAL_API_TLS_CERT: certFile, OUTDIAL_API_TLS_KEY: keyFile, OUTDIAL_API_CA: caFile } = values;
  if ((certFile === undefined) !== (keyFile === undefined)) {
    problems.push("OUTDIAL_API_TLS_CERT and OUTDIAL_API_TLS_KEY go together: set both, or neither");
  }
  const tls = certFile !== undefined && keyFile !== undefined ? { certFile, keyFile } : undefined;
  const configHome = environment["XDG_CONFIG_HOME"] || path.join(os.homedir(), ".config");
  return {
    host,
    port,
    token,
    url: values.OUTDIAL_API_URL,
    tls,
    caFile,
    contextsFile: path.resolve(configHome, "outdial", "contexts.json"),
    contextNamed: values.OUTDIAL_CONTEXT,
    context: undefined,
    isContextElsewhere: false,
  };
}
