import { failureWord, workInHand } from "./work.ts";

/*
 * Spans of what we ask of others, by OpenTelemetry's conventions for HTTP
 * (https://opentelemetry.io/docs/specs/semconv/http/http-spans/): method, template, status. Never a path, a query, a header
 * or a body: numbers, names and secrets stand in all of them. A request that nothing in hand is the reason of has no span.
 */

/** A try of a request to the platform that has ended, as its client tells it. */
interface Try {
  method: string;
  route: string;
  attempt: number;
  status: number | undefined;
  durationMs: number;
  waitedMs: number;
  isHeldBack: boolean;
  error: string | undefined;
}

/** Tells requests to the platform at an address. */
export function traceTries(address: string | undefined): (event: Try) => void {
  const { hostname, port } = address !== undefined && URL.canParse(address) ? new URL(address) : NOWHERE;
  return ({ method, route, attempt, status, durationMs, waitedMs, isHeldBack, error }) => {
    const endedAtMs = Date.now();
    workInHand()?.tell({
      name: `${method} ${route}`,
      kind: "client",
      startedAtMs: endedAtMs - durationMs,
      endedAtMs,
      attributes: {
        "http.request.method": method,
        "url.template": route,
        "server.address": hostname || undefined,
        "server.port": port === "" ? undefined : Number(port),
        "http.response.status_code": status,
        "http.request.resend_count": attempt > 1 ? attempt - 1 : undefined,
        "outdial.request.waited_ms": Math.round(waitedMs),
        "outdial.request.held_back": isHeldBack || undefined,
      },
      failure: error ?? (status !== undefined && status >= 400 ? String(status) : undefined),
    });
  };
}

const NOWHERE = { hostname: "", port: "" };

interface Asked {
  method: string;
  url: string;
  isAddressSecret?: boolean;
}

/** The same of requests to addresses that people configured: of those the host alone is told, unless it is a secret. */
export function traced<Request extends Asked, Answer extends { status: number }>(
  request: (asked: Request) => Promise<Answer>,
): (asked: Request) => Promise<Answer> {
  return async (asked) => {
    const work = workInHand();
    const startedAtMs = Date.now();
    const tell = (status: number | undefined, failure: string | undefined) =>
      work?.tell({
        name: asked.method,
        kind: "client",
        startedAtMs,
        endedAtMs: Date.now(),
        attributes: {
          "http.request.method": asked.method,
          "server.address": hostOf(asked),
          "http.response.status_code": status,
        },
        failure,
      });
    try {
      const answer = await request(asked);
      tell(answer.status, answer.status >= 400 ? String(answer.status) : undefined);
      return answer;
    } catch (error) {
      tell(undefined, failureWord(error));
      throw error;
    }
  };
}

function hostOf({ url, isAddressSecret }: Asked): string | undefined {
  return isAddressSecret !== true && URL.canParse(url) ? new URL(url).hostname : undefined;
}
