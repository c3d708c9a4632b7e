/*
 * Text that comes from elsewhere, and is kept and shown. PostgreSQL keeps no NUL, half a pair of UTF-16 is no
 * character, and a name is one line.
 */

const NO_CONTROLS = /^\P{Cc}*$/u;

export const CONTROLS_REFUSED = "must not hold control characters: write it in one line";

/** Whether a text is one line that can be kept as it is. */
export function isPlainText(text: string): boolean {
  return NO_CONTROLS.test(text) && text.isWellFormed();
}

/** What keeps a text from being kept as it is; line breaks and tabs do not. */
export function textFault(text: string): string | undefined {
  if (text.includes("\0")) return "holds a NUL character (\\u0000), which can't be stored";
  return text.isWellFormed() ? undefined : "holds half a character (a lone surrogate), which can't be stored";
}

/** The same of all texts in a value, and of its names, which are one line each. */
export function valueFault(value: unknown): string | undefined {
  if (typeof value === "string") return textFault(value);
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    if (!isPlainText(name))
      return "holds a name with a control character or half a character, which can't be stored";
    const fault = valueFault(inner);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
