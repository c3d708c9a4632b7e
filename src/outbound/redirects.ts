import type { OutboundAnswer } from "./outbound.ts";
import { redactUrl } from "./redaction.ts";

/**
 * Where a redirect leads that may be followed: with the same method and body, at the same origin, or from http to
 * https of the same host. Undefined: the answer is the answer.
 */
export function nextHop(from: URL, answer: OutboundAnswer): URL | undefined {
  if (answer.status !== 307 && answer.status !== 308) return undefined;
  const to = targetOf(from, answer);
  if (to === undefined || to.username !== "" || to.password !== "") return undefined;
  const secured =
    from.protocol === "http:" &&
    to.protocol === "https:" &&
    from.hostname === to.hostname &&
    from.port === "" &&
    to.port === "";
  return to.origin === from.origin || secured ? to : undefined;
}

/** The answer with its `location` whole but for its query, which may hold a secret: it goes to records and screens. */
export function withoutQuery(from: URL, answer: OutboundAnswer): OutboundAnswer {
  if (answer.headers["location"] === undefined) return answer;
  const { location: _location, ...headers } = answer.headers;
  const to = targetOf(from, answer);
  return { ...answer, headers: to === undefined ? headers : { ...headers, location: redactUrl(to.href) } };
}

/** Where an answer says that it leads. */
export function targetOf(from: URL, answer: OutboundAnswer): URL | undefined {
  const location = answer.headers["location"];
  return location !== undefined && URL.canParse(location, from.href) ? new URL(location, from) : undefined;
}
