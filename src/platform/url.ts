import { InvalidRequestError } from "./errors.ts";

export type QueryValue = string | number | boolean | undefined;

/** Where the platform is: the origin that a connection pool is opened to, and the path that it is mounted under. */
export interface BaseUrl {
  readonly origin: string;
  /** Empty, or a path that begins with a slash and does not end with one. */
  readonly prefix: string;
}

/**
 * Reads `baseUrl` or `wsUrl`. A path prefix and a trailing slash are allowed; anything that could hide or
 * leak a secret (user info, query, fragment) is refused, and the value itself is never repeated.
 */
export function parseBaseUrl(option: "baseUrl" | "wsUrl", value: unknown): BaseUrl {
  const schemes = option === "baseUrl" ? ["http:", "https:"] : ["ws:", "wss:"];
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !schemes.includes(url.protocol) || url.hostname === "") {
    throw invalidOption(option, `must be an ${schemes.join("// or ")}// address`);
  }
  if (url.username !== "" || url.password !== "") throw invalidOption(option, "must not contain credentials");
  if (url.search !== "" || url.hash !== "") {
    throw invalidOption(option, "must not contain a query or a fragment");
  }
  return { origin: `${url.protocol}//${url.host}`, prefix: url.pathname.replace(/\/+$/, "") };
}

/** The stream's base for a REST base: the same address with ws for http and wss for https. */
export function deriveWsUrl(baseUrl: string): string {
  return baseUrl.trim().replace(/^http/i, "ws");
}

/** An `InvalidRequestError` about one of the client's own options. */
export function invalidOption(option: string, message: string): InvalidRequestError {
  return new InvalidRequestError({
    endpoint: undefined,
    problem: "invalid platform client options",
    effect: "did_not_happen",
    fieldErrors: [{ field: option, message }],
  });
}

/** True where a value may be a path segment: a server would read `.` and `..` as a step in the path. */
export function isPathSegment(value: string): boolean {
  return value !== "" && value !== "." && value !== ".." && value.length <= 255;
}

/** Fills a route template. Values are percent-encoded, so an id can't leave its segment. */
export function expandRoute(route: string, params: Readonly<Record<string, string>>): string {
  return route.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
}

/** `?a=1&b=2`, or nothing. What is undefined is left out. */
export function queryString(query: Readonly<Record<string, QueryValue>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.append(name, String(value));
  }
  const text = search.toString();
  return text === "" ? "" : `?${text}`;
}
