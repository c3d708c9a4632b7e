/** An address fit for records and logs: without credentials and fragment, and of its query only that there is one. */
export function redactUrl(url: string): string {
  if (!URL.canParse(url)) return "(no address)";
  const parsed = new URL(url);
  const query = parsed.search === "" ? "" : "?...";
  return `${parsed.protocol}//${parsed.host}${parsed.pathname}${query}`;
}
