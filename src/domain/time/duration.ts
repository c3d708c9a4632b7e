const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

const PART = /(\d+(?:\.\d+)?)(ms|s|m|h|d)/y;

/**
 * Reads a duration such as `30m`, `1h30m` or `2d` into milliseconds.
 *
 * @returns the milliseconds, or undefined where the text is not a duration.
 */
export function parseDurationMs(text: string): number | undefined {
  const compact = text.trim();
  if (compact === "") return undefined;
  let totalMs = 0;
  PART.lastIndex = 0;
  while (PART.lastIndex < compact.length) {
    const part = PART.exec(compact);
    if (!part) return undefined;
    totalMs += Number(part[1]) * UNIT_MS[part[2] as keyof typeof UNIT_MS];
  }
  return Math.round(totalMs);
}

/**
 * The milliseconds of a duration that a schema has let through.
 *
 * @throws where it is none all the same: whoever keeps such a text has not read it.
 */
export function msOfDuration(text: string): number {
  const durationMs = parseDurationMs(text);
  if (durationMs === undefined) throw new Error(`not a duration: ${text}`);
  return durationMs;
}

/** Writes milliseconds as one count of the largest unit that they are whole ones of: `90m`, `31d`. Reading it gives the same. */
export function exactDuration(durationMs: number): string {
  for (const unit of ["d", "h", "m", "s"] as const)
    if (durationMs % UNIT_MS[unit] === 0) return `${durationMs / UNIT_MS[unit]}${unit}`;
  return `${durationMs}ms`;
}

/** Writes milliseconds the way people say them: `45s`, `1h30m`, `2d`. Below one second: `250ms`. */
export function formatDurationMs(durationMs: number): string {
  if (durationMs < 1_000) return `${Math.round(durationMs)}ms`;
  let leftSeconds = Math.round(durationMs / 1_000);
  const parts: string[] = [];
  for (const [unit, seconds] of [
    ["d", 86_400],
    ["h", 3_600],
    ["m", 60],
    ["s", 1],
  ] as const) {
    const count = Math.floor(leftSeconds / seconds);
    if (count > 0) parts.push(`${count}${unit}`);
    leftSeconds -= count * seconds;
    if (parts.length === 2) break;
  }
  return parts.join("");
}
