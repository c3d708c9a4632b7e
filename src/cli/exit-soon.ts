/** What a command left open is not waited for beyond this. */
const LINGER_MS = 5_000;

/** Ends the process with its exit code, should something keep it alive although its work is done. */
export function exitSoon(): void {
  setTimeout(() => process.exit(), LINGER_MS).unref();
}
