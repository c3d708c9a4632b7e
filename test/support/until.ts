/** A machine that has much else to do needs minutes for what takes seconds; what never comes is no less told then. */
export const PATIENCE_MS = 300_000;

/**
 * Waits for something to become true; says what it waited for when it does not.
 *
 * @param describe what is there instead, for whoever has to find out why
 */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
  boundMs = PATIENCE_MS,
  describe?: () => Promise<string>,
): Promise<T> {
  const deadlineMs = Date.now() + boundMs;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (Date.now() > deadlineMs) {
      const instead = describe ? `:\n${await describe()}` : "";
      throw new Error(`waited ${boundMs} ms in vain for ${what}${instead}`);
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 25);
    });
  }
}
