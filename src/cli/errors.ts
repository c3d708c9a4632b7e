import { ConfigError } from "../config.ts";
import { ImportError } from "../contacts/import-errors.ts";
import { ApiProblemError, ApiUnreachableError } from "./api/errors.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";

/** What a command ends with: one message that names the problem and the remedy, and an exit code. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = EXIT.failed, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** Problems that lie in what was given, not in how things are. */
const BAD_INPUT: ReadonlySet<string> = new Set([
  "invalid_request",
  "invalid_spec",
  "invalid_trigger",
  "invalid_list",
  "caller_refused",
  "platform_key_refused",
  "import_differs",
  "idempotency_key_reused",
]);

/** Errors whose message is already written for a person: what is wrong, and the remedy. */
const SELF_EXPLAINED: ReadonlySet<string> = new Set([
  "DataDirError",
  "LedgerLockedError",
  "LedgerTooNewError",
  "LedgerUnavailableError",
  "LedgerFullError",
  "WrongPlatformError",
  "TemporalUnavailableError",
]);

/** What of the system's errors is about what was given. */
const SETTINGS_ERRORS: ReadonlySet<string> = new Set([
  "PlatformNotConfiguredError",
  "PlatformProfileError",
  "InvalidRequestError",
  "SandboxOptionsError",
]);

export interface Explained {
  message: string;
  exitCode: ExitCode;
  /** Nobody foresaw it: where it happened helps whoever mends it. */
  unexpected: boolean;
}

/** The one message for an error, whatever threw it. */
export function explain(error: unknown): Explained {
  if (error instanceof CliError) return told(error.message, error.exitCode);
  if (error instanceof ConfigError || error instanceof ImportError) return told(error.message, EXIT.badInput);
  if (error instanceof ApiProblemError) {
    return told(problemText(error), BAD_INPUT.has(error.code) ? EXIT.badInput : EXIT.failed);
  }
  if (error instanceof ApiUnreachableError) return told(error.message, EXIT.failed);
  if (!(error instanceof Error)) return { message: String(error), exitCode: EXIT.failed, unexpected: true };
  if (SELF_EXPLAINED.has(error.name)) return told(error.message, EXIT.failed);
  if (SETTINGS_ERRORS.has(error.name)) return told(error.message, EXIT.badInput);
  return systemError(error) ?? { message: error.message, exitCode: EXIT.failed, unexpected: true };
}

function told(message: string, exitCode: ExitCode): Explained {
  return { message, exitCode, unexpected: false };
}

/** Several problems stand on lines of their own. */
function problemText({ message, errors }: ApiProblemError): string {
  if (errors.length < 2) return message;
  const intro = message.slice(0, message.indexOf(": ") + 1) || "there are problems:";
  return `${intro}\n${errors.map(({ field, message }) => `  ${field}: ${message}`).join("\n")}`;
}

/** What the operating system says, in words and with what to do. */
function systemError(error: Error): Explained | undefined {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const where = "path" in error && typeof error.path === "string" ? ` ${error.path}` : "";
  switch (code) {
    case "ENOENT":
      return told(`there is no file or folder${where}: check the path`, EXIT.badInput);
    case "EISDIR":
      return told(`${where.trim() || "this"} is a folder: name a file`, EXIT.badInput);
    case "ENOTDIR":
      return told(`${where.trim() || "a path"} leads through a file: check the path`, EXIT.badInput);
    case "EROFS":
    case "EACCES":
    case "EPERM":
      return told(
        `no permission for${where || " a file"}: change its owner or mode, or name another`,
        EXIT.failed,
      );
    case "ENOSPC":
      return told(
        `the disk is full${where && ` (${where.trim()})`}: make room, then run the same command again`,
        EXIT.failed,
      );
    case "EADDRINUSE":
      return told(
        `the port is taken (${error.message}): end the program that has it, or choose another with OUTDIAL_API_PORT`,
        EXIT.failed,
      );
    default:
      return undefined;
  }
}
