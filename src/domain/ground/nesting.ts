/** Deeper than any person or system writes; what is deeper is meant to break whoever walks it. */
export const MAX_DEPTH = 64;

/** Whether JSON is nested deeper. Counted before it is parsed, by its brackets outside of texts. */
export function isDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  let inText = false;
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index];
    if (inText) {
      if (char === "\\") index += 1;
      else if (char === '"') inText = false;
    } else if (char === '"') inText = true;
    else if (char === "{" || char === "[") {
      depth += 1;
      if (depth > limit) return true;
    } else if (char === "}" || char === "]") depth -= 1;
  }
  return false;
}
