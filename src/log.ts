import { pino, type Logger } from "pino";

import { openLogStream } from "./log-stream.ts";
import { maskValue } from "./platform/index.ts";
import { workFields } from "./tracing/work.ts";

export interface LogOptions {
  level: "debug" | "info" | "warn" | "error" | "silent";
  /** A file to append to; absent: standard error. */
  file?: string;
  /** Told once when lines begin to be lost: the disk is full, or the file can't be opened. */
  onTrouble?: (error: Error) => void;
}

const STANDARD_ERROR = 2;

/**
 * The process's logger: JSON lines. Whatever is logged has phone numbers and keys masked, in every field and
 * at every depth, and in the message. Lines that can't be written are lost, and nothing else is.
 */
export function createLog({ level, file, onTrouble = () => {} }: LogOptions): Logger {
  const stream =
    level === "silent"
      ? { write: () => {} }
      : openLogStream({
          to: file ?? STANDARD_ERROR,
          onTrouble,
          onRecovered: (lostLines, { message }) =>
            log.warn(
              { lostLines, error: message },
              "lines of this log are missing: they could not be written",
            ),
        });
  const log = pino(
    {
      level,
      base: { pid: process.pid },
      // Of what is in hand; what a line says itself goes before it.
      mixin: workFields,
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
    stream,
  );
  return log;
}
