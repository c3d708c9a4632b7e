/*
 * The cookies of the dashboard. Their values are of our own making, letters that need no quotes and no escapes; what is
 * not made of these is not ours.
 */

/** One that a request shows, by its name. Several of one name, as a neighbouring site may plant them, are none. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const values = valuesIn(header, name);
  const [value] = values;
  return values.length === 1 && value !== undefined && /^[\w.~-]+$/.test(value) ? value : undefined;
}

/** Whether a request shows any cookie of a name, be it several, or one that is not of ours. */
export function showsCookie(header: string | undefined, name: string): boolean {
  return valuesIn(header, name).length > 0;
}

function valuesIn(header: string | undefined, name: string): string[] {
  return (header ?? "").split(";").flatMap((part) => {
    const end = part.indexOf("=");
    return end > 0 && part.slice(0, end).trim() === name ? [part.slice(end + 1).trim()] : [];
  });
}

export interface CookieScope {
  path: string;
  sameSite: "Strict" | "Lax";
  /** The browser is to send it over TLS alone. */
  isSecure: boolean;
}

/** A header that sets a cookie no script can read. @param maxAgeMs 0: it goes */
export function setCookie(name: string, value: string, scope: CookieScope & { maxAgeMs: number }): string {
  const { path, sameSite, isSecure, maxAgeMs } = scope;
  const parts = [`${name}=${value}`, `Max-Age=${Math.floor(maxAgeMs / 1_000)}`, `Path=${path}`];
  return [...parts, "HttpOnly", `SameSite=${sameSite}`, ...(isSecure ? ["Secure"] : [])].join("; ");
}

export function clearCookie(name: string, scope: CookieScope): string {
  return setCookie(name, "", { ...scope, maxAgeMs: 0 });
}
