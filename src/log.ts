import { pino, type Logger } from "pino";

import { maskValue } from "./platform/index.ts";

export interface LogOptions {
  level: "debug" | "info" | "warn" | "error" | "silent";
  /** A file to append to; absent: standard error. */
  file?: string;
}

/**
 * The process's logger: JSON lines. Whatever is logged has phone numbers and keys masked, in every field and
 * at every depth, and in the message.
 */
export function createLog({ level, file }: LogOptions): Logger {
  const destination = pino.destination(
    file === undefined ? { dest: 2, sync: true } : { dest: file, mkdir: true, mode: 0o600, sync: false },
  );
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => maskValue(fields) as Record<string, unknown>,
      },
      hooks: {
        logMethod(args, method) {
          method.apply(
            this,
            args.map((arg) => (typeof arg === "string" ? maskValue(arg) : arg)) as Parameters<typeof method>,
          );
        },
      },
    },
    destination,
  );
}
