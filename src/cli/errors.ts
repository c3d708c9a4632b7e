import { CommanderError } from "commander";

import { ConfigError } from "../config.ts";
import { ImportError } from "../contacts/import-errors.ts";
import { reasonWords } from "../domain/ground/reason-words.ts";
import type { FieldProblem } from "../http/wire/problem.ts";
import { answeredBy, ApiProblemError, ApiUnreachableError } from "./api/errors.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { InterruptedError } from "./interrupts.ts";
import { saidAndRemedy } from "./said.ts";
import { usageText } from "./usage-text.ts";

interface CliErrorOptions extends ErrorOptions {
  /** For programs; by default `invalid_input` or `failed`, as it ends. */
  code?: string;
  /** Further facts for programs. */
  facts?: Readonly<Record<string, unknown>>;
}

/** What a command ends with: one message that names the problem and the remedy, and an exit code. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly exitCode: ExitCode;
  readonly code: string;
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(message: string, exitCode: ExitCode = EXIT.failed, options: CliErrorOptions = {}) {
    const { code, facts, ...rest } = options;
    super(message, rest);
    this.exitCode = exitCode;
    this.code = code ?? (exitCode === EXIT.badInput ? "invalid_input" : "failed");
    this.facts = facts ?? {};
  }
}

/** Problems that lie in what was given, not in how things are. */
const BAD_INPUT: ReadonlySet<string> = new Set([
  "invalid_request",
  "invalid_spec",
  "invalid_trigger",
  "invalid_route",
  "invalid_list",
  "caller_refused",
  "platform_key_refused",
  "import_differs",
  "idempotency_key_reused",
]);

/** Errors whose message is already written for a person, by their names: how they end, and their word for programs. */
const SELF_EXPLAINED: Readonly<Record<string, readonly [ExitCode, code: string]>> = {
  BackupError: [EXIT.failed, "backup"],
  DataDirError: [EXIT.failed, "data_folder"],
  LedgerLockedError: [EXIT.failed, "ledger_locked"],
  LedgerTooNewError: [EXIT.failed, "ledger_too_new"],
  LedgerBehindError: [EXIT.failed, "ledger_behind"],
  MigrationRefusedError: [EXIT.failed, "migration_refused"],
  LedgerUnavailableError: [EXIT.failed, "ledger_unavailable"],
  LedgerFullError: [EXIT.failed, "ledger_full"],
  StatementRefusedError: [EXIT.failed, "ledger_refuses"],
  WrongPlatformError: [EXIT.failed, "wrong_platform"],
  SilentError: [EXIT.failed, "unreachable"],
  DeploymentError: [EXIT.failed, "deployment"],
  TemporalUnavailableError: [EXIT.failed, "temporal_unavailable"],
  // What of the system's errors is about what was given.
  ListenError: [EXIT.badInput, "listen_address"],
  PlatformNotConfiguredError: [EXIT.badInput, "platform_not_configured"],
  PlatformProfileError: [EXIT.badInput, "platform_profile"],
  InvalidRequestError: [EXIT.badInput, "invalid_request"],
  SandboxOptionsError: [EXIT.badInput, "invalid_input"],
  TlsFilesError: [EXIT.badInput, "invalid_settings"],
  UnknownZoneError: [EXIT.badInput, "invalid_input"],
};

export interface Explained {
  /** For programs: one of the API's codes of problems, or one of the command line's own. */
  code: string;
  /** The whole of it, as it is shown. */
  message: string;
  exitCode: ExitCode;
  /** Nobody foresaw it: where it happened helps whoever mends it. */
  unexpected: boolean;
  errors: readonly FieldProblem[];
  facts: Readonly<Record<string, unknown>>;
}

/** The one message for an error, whatever threw it. */
export function explain(error: unknown): Explained {
  if (error instanceof CliError) return told(error.message, error.exitCode, error.code, error);
  if (error instanceof ConfigError) return told(error.message, EXIT.badInput, "invalid_settings");
  if (error instanceof ImportError) {
    const facts = { list_code: error.code, ...(error.line !== undefined && { line: error.line }) };
    return told(error.message, EXIT.badInput, "invalid_list", { facts });
  }
  if (error instanceof ApiProblemError) {
    const { title: _title, detail: _detail, code, errors, ...facts } = error.body;
    const exitCode = BAD_INPUT.has(code) ? EXIT.badInput : EXIT.failed;
    return told(problemText(error), exitCode, code, { errors: errors ?? [], facts });
  }
  if (error instanceof ApiUnreachableError) return told(error.message, EXIT.failed, "no_running_system");
  if (error instanceof CommanderError) return told(usageText(error.message), EXIT.badInput, "usage");
  if (error instanceof InterruptedError) return told(INTERRUPTED, EXIT.interrupted, "interrupted");
  if (!(error instanceof Error)) return unforeseen(String(error));
  const ours = SELF_EXPLAINED[error.name];
  if (ours !== undefined) return told(error.message, ...ours);
  return systemError(error) ?? unforeseen(reasonWords(error));
}

const INTERRUPTED = "interrupted: the same command carries on";

function told(
  message: string,
  exitCode: ExitCode,
  code: string,
  more: { errors?: readonly FieldProblem[]; facts?: Readonly<Record<string, unknown>> } = {},
): Explained {
  return { code, message, exitCode, unexpected: false, errors: more.errors ?? [], facts: more.facts ?? {} };
}

function unforeseen(what: string): Explained {
  if (answeredBy.note !== undefined) {
    const message = `what the system answered can't be used, since ${answeredBy.note} (${what}): use the same version of both`;
    return told(message, EXIT.failed, "unreadable");
  }
  const message = `this failed for a reason that nobody foresaw (${what}): what was acknowledged before still stands`;
  return { ...told(message, EXIT.failed, "unexpected"), unexpected: true };
}

/** Several problems stand on lines of their own. */
function problemText(error: ApiProblemError): string {
  const { message, errors } = error;
  if (error.code === "invalid_request" && errors.length > 0) return requestText(message, errors);
  if (errors.length < 2) return message;
  const intro = message.slice(0, message.indexOf(": ") + 1) || "there are problems:";
  return `${intro}\n${errors.map(({ field, message }) => `  ${field}: ${message}`).join("\n")}`;
}

/** Of a request that a command made: what it was made from, as it was given. */
function requestText(message: string, errors: readonly FieldProblem[]): string {
  const intro = [": ", " "]
    .map((between) => errors.map((one) => `${one.field}${between}${one.message}`).join("; "))
    .flatMap((told) => (message.endsWith(told) ? [message.slice(0, -told.length).replace(/: $/, "")] : []))
    .at(0);
  if (intro === undefined) return message;
  const lines = [...new Set(errors.map((one) => `${givenName(one.field)}: ${one.message}`))];
  const [only] = lines;
  const isAboutRequest = /^the \w+ is not as it must be$/.test(intro);
  if (lines.length === 1 && only !== undefined)
    return intro === "" || isAboutRequest ? only : `${intro}: ${only}`;
  const about = intro === "" || isAboutRequest ? "what was given is not as it must be" : intro;
  return `${about}:\n${lines.map((line) => `  ${line}`).join("\n")}`;
}

/** Numbers stand in a list of their own, each with what was said of all of them. */
function givenName(field: string): string {
  const [, listed] = /^phones[.[](\d+)\]?$/.exec(field) ?? [];
  const [, index = listed, inner = listed && "phone"] = /^entries[.[](\d+)\]?\.(\w+)$/.exec(field) ?? [];
  if (inner === undefined) return GIVEN_NAMES[field] ?? field;
  return inner === "phone" && index !== "0" ? `phone ${Number(index) + 1}` : inner;
}

const GIVEN_NAMES: Readonly<Record<string, string>> = { ref: "name or id" };

/** What the operating system says, in words and with what to do. */
function systemError(error: Error): Explained | undefined {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const where = "path" in error && typeof error.path === "string" ? error.path : "";
  switch (code) {
    case "ENOENT":
      return told(
        `there is no file or folder ${where}`.trim() + ": check the path",
        EXIT.badInput,
        "file_not_found",
      );
    case "EISDIR":
      return told(`${where || "this"} is a folder: name a file`, EXIT.badInput, "file_unusable");
    case "ENOTDIR":
      return told(
        `${where || "a path"} leads through a file: check the path`,
        EXIT.badInput,
        "file_unusable",
      );
    case "EEXIST":
      return told(`${where || "the file"} is there already: name another`, EXIT.badInput, "file_unusable");
    case "EROFS":
    case "EACCES":
    case "EPERM":
      if (isOfListening(error)) return portError(error, "may not be listened on by this user");
      return told(
        `no permission for ${where || "a file"}: change its owner or mode, or name another`,
        EXIT.failed,
        "no_permission",
      );
    case "ENOSPC":
    case "EDQUOT":
      return told(
        `${reasonWords(error)}${where && ` (${where})`}: make room, then run the same command again`,
        EXIT.failed,
        "disk_full",
      );
    case "EADDRINUSE":
      return portError(error, "is taken by another program");
    case "EADDRNOTAVAIL":
      return told(
        `this machine has no address ${hostOf(error)}: correct OUTDIAL_API_HOST`,
        EXIT.badInput,
        "address_unusable",
      );
    case "ENOTFOUND":
    case "EAI_AGAIN":
      if (isOfListening(error))
        return told(
          `${reasonWords(error)} (${hostOf(error)}): correct OUTDIAL_API_HOST`,
          EXIT.badInput,
          "address_unusable",
        );
      return undefined;
    default:
      return undefined;
  }
}

function isOfListening(error: Error): boolean {
  const call = "syscall" in error ? error.syscall : undefined;
  // A name to listen at is looked up; what we connect to says itself what failed.
  return call === "listen" || call === "getaddrinfo";
}

function portError(error: Error, what: string): Explained {
  const port = "port" in error ? ` ${String(error.port)}` : "";
  return told(
    `the port${port} ${what}: end the program that has it, or choose another with OUTDIAL_API_PORT`,
    EXIT.failed,
    "port_taken",
  );
}

function hostOf(error: Error): string {
  if ("address" in error && typeof error.address === "string") return error.address;
  return "hostname" in error && typeof error.hostname === "string" ? error.hostname : "";
}

/** What to do where the message itself does not say it. */
const REMEDIES: Readonly<Record<number, string>> = {
  [EXIT.failed]: "`outdial doctor` says what is missing; OUTDIAL_LOG_LEVEL=debug shows where it happened",
  [EXIT.badInput]: "correct what is named, then run the same command again",
  [EXIT.notFinished]: "run the same command again",
  [EXIT.interrupted]: "the same command carries on",
};

const USAGE = "the same command with --help says what it takes";

/**
 * The one object that a command with `--json` ends with on standard error where it fails. Further fields may come;
 * these stay.
 */
export function failureJson(explained: Explained): { error: Record<string, unknown> } {
  const { code, message, exitCode, errors, facts } = explained;
  const { problem, remedy } = saidAndRemedy(message);
  return {
    error: {
      ...facts,
      code,
      message: problem,
      remedy: remedy ?? (code === "usage" ? USAGE : (REMEDIES[exitCode] ?? "")),
      exit_code: exitCode,
      ...(errors.length > 0 && { errors }),
      // Most refusals are about one field: who reads them need not look into a list.
      ...(errors.length === 1 && { field: errors[0]?.field }),
    },
  };
}
