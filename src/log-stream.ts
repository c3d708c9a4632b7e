import fs from "node:fs";
import path from "node:path";

/*
 * Where the lines of a log go. A log is told what happens; it never decides what happens:
 *
 * 1. Writing never throws, never waits and never ends the process, whatever becomes of the disk or of whoever reads.
 * 2. What can't be written is lost and counted, and the log says so itself once it can be written again.
 * 3. What waits to be written is bounded.
 */

/** What is kept for a reader who pauses: some thousand lines. */
const MOST_WAITING_BYTES = 1024 * 1024;

/** As much goes into one request. */
const MOST_AT_ONCE_BYTES = 64 * 1024;

/** A pipe that is full is read on within a moment, or its reader has stopped: neither is worth asking more often. */
const FULL_PIPE_WAIT_MS = 100;

/** A file that can't be opened is tried again with a line that comes this much later. */
const REOPEN_AFTER_MS = 10_000;

/** At the end of the process a full pipe is waited for this often. */
const LAST_TRIES = 10;

export interface LogStreamOptions {
  /** A file to append to, made with its folders for its owner alone; or a descriptor that is open. */
  to: string | number;
  /** Told once of each stretch in which lines are lost, when it begins. */
  onTrouble: (error: Error) => void;
  /** Told when it is over. */
  onRecovered: (lostLines: number, error: Error) => void;
}

export interface LogStream {
  write(line: string): void;
}

interface Trouble {
  error: Error;
  lost: number;
}

/** Those that may have lines left when the process ends. */
const open = new Set<LinesOut>();

export function openLogStream(options: LogStreamOptions): LogStream {
  if (open.size === 0) process.on("exit", writeWhatIsLeft);
  const stream = new LinesOut(options);
  open.add(stream);
  return stream;
}

function writeWhatIsLeft(): void {
  for (const stream of open) stream.end();
}

class LinesOut implements LogStream {
  readonly #options: LogStreamOptions;
  #fd: number | undefined;
  #waiting: string[] = [];
  #waitingBytes = 0;
  #busy = false;
  #reopenAtMs = 0;
  #trouble: Trouble | undefined;
  /** What was written last broke off within a line: the next one begins on a line of its own. */
  #torn = false;
  /** What a full pipe did not take yet. */
  #again: Buffer | undefined;

  constructor(options: LogStreamOptions) {
    this.#options = options;
    this.#fd = typeof options.to === "number" ? options.to : undefined;
  }

  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.#waitingBytes + bytes > MOST_WAITING_BYTES) {
      this.#lose(1, new Error("more is logged than can be written"));
      return;
    }
    this.#waiting.push(line);
    this.#waitingBytes += bytes;
    this.#goOn();
  }

  /** What waits is written now, as far as that goes without waiting for anybody. */
  end(): void {
    try {
      const fd = this.#fd ?? (this.#busy ? undefined : this.#openFile());
      if (fd === undefined) return;
      let left = Buffer.concat([this.#again ?? Buffer.alloc(0), Buffer.from(this.#waiting.join(""))]);
      this.#waiting = [];
      for (let tries = 0; left.length > 0 && tries < LAST_TRIES;) {
        try {
          left = left.subarray(fs.writeSync(fd, left));
        } catch (error) {
          if (!isFullPipe(error)) return;
          tries += 1;
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PIPE_WAIT_MS / 2);
        }
      }
    } catch {
      // The process ends, and there is nobody left to tell.
    }
  }

  #goOn(): void {
    if (this.#busy || this.#waiting.length === 0) return;
    if (this.#fd === undefined) {
      try {
        this.#fd = this.#openFile();
      } catch (error) {
        this.#loseWaiting(errorOf(error));
        return;
      }
      if (this.#fd === undefined) {
        this.#loseWaiting(this.#trouble?.error ?? new Error("it is not open"));
        return;
      }
    }
    const lines = this.#take();
    const text = `${this.#torn ? "\n" : ""}${lines.join("")}`;
    this.#busy = true;
    this.#put(this.#fd, Buffer.from(text), lines.length);
  }

  /** Undefined where it is too early to try again. @throws what the file system says. */
  #openFile(): number | undefined {
    const { to } = this.#options;
    if (typeof to === "number") return to;
    if (performance.now() < this.#reopenAtMs) return undefined;
    this.#reopenAtMs = performance.now() + REOPEN_AFTER_MS;
    fs.mkdirSync(path.dirname(to), { recursive: true, mode: 0o700 });
    return fs.openSync(to, "a", 0o600);
  }

  #take(): string[] {
    let bytes = 0;
    let count = 0;
    for (const line of this.#waiting) {
      if (count > 0 && bytes + Buffer.byteLength(line) > MOST_AT_ONCE_BYTES) break;
      bytes += Buffer.byteLength(line);
      count += 1;
    }
    this.#waitingBytes -= bytes;
    return this.#waiting.splice(0, count);
  }

  #put(fd: number, data: Buffer, lines: number): void {
    this.#again = undefined;
    fs.write(fd, data, (error, written) => {
      if (error) {
        if (isFullPipe(error)) {
          this.#again = data;
          // The process may end meanwhile: whoever does not read is not waited for.
          setTimeout(() => this.#put(fd, data, lines), FULL_PIPE_WAIT_MS).unref();
          return;
        }
        this.#lose(lines, error);
      } else if (written < data.length) {
        this.#torn = true;
        this.#put(fd, data.subarray(written), lines);
        return;
      } else {
        this.#torn = false;
        this.#recover();
      }
      this.#busy = false;
      this.#goOn();
    });
  }

  #lose(lines: number, error: Error): void {
    const isNew = this.#trouble === undefined;
    this.#trouble ??= { error, lost: 0 };
    this.#trouble.lost += lines;
    if (isNew) this.#options.onTrouble(error);
  }

  #loseWaiting(error: Error): void {
    const lines = this.#waiting.length;
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#lose(lines, error);
  }

  #recover(): void {
    if (!this.#trouble) return;
    const { lost, error } = this.#trouble;
    this.#trouble = undefined;
    this.#options.onRecovered(lost, error);
  }
}

function errorOf(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** A pipe or terminal that takes nothing at the moment. */
function isFullPipe(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "EAGAIN" || code === "EBUSY";
}
