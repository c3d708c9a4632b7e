/*
 * Whoever is for several brands looks at one of them at a time: what lists several is asked for that one, as the API wants
 * it from them.
 */

/** What takes its brand from the query; a test holds it against the API. */
const LISTS =
  /^\/v1\/(?:audit|events|events\/stream|campaigns|contacts|past-calls|follow-ups|tags|people\/called|people\/[^/]+\/story|suppressions|suppressions\/sources|consents|blackouts|budgets|sequences|attention)$/;
const TRIED = /^\/v1\/(?:contacts\/validate|rehearsals)$/;

/** The address with the brand, where it takes one and names none. @param path with its query, without a host */
export function withBrand(method: string, path: string, brand: string | undefined): string {
  const [address = "", query = ""] = path.split("?");
  if (brand === undefined || !(method === "GET" ? LISTS : TRIED).test(address)) return path;
  const params = new URLSearchParams(query);
  if (!params.has("brand")) params.set("brand", brand);
  return `${address}?${params.toString()}`;
}
