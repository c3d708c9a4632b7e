import { STATUS_CODES } from "node:http";
import { errorCodes, type FastifyInstance, type FastifyReply, type FastifyServerOptions } from "fastify";

import { isPage, sendPage, type Dashboard } from "../dashboard.ts";
import type { HttpLog } from "../deps.ts";
import { problemOf } from "../problem-of.ts";
import { Problem } from "../problem.ts";

/** Senders come back within minutes by themselves; those that heed this come back sooner. */
const RETRY_AFTER_SECONDS = "10";

/** What is refused before there is a route, whose error handler could answer. */
export const answerAddressProblems: NonNullable<FastifyServerOptions["frameworkErrors"]> = (
  error,
  _request,
  reply,
) => {
  const tooLong = error instanceof errorCodes.FST_ERR_MAX_PARAM_LENGTH;
  const problem = new Problem({
    status: tooLong ? 414 : 400,
    code: "invalid_request",
    detail: tooLong
      ? "a part of the address is longer than any name or id: check the address"
      : "the address is not well-formed: write % and other special characters as %25 and the like",
  });
  void answer(reply, problem);
};

/** What is no HTTP, or comes too slowly: there is no request yet that could be answered. */
export const answerBadRequests: NonNullable<FastifyServerOptions["clientErrorHandler"]> = (error, socket) => {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  const problem = ofConnection(error.code);
  const body = JSON.stringify(problem.body());
  if (socket.writable) {
    const head = [
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ""}`,
      "Content-Type: application/problem+json",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Connection: close",
    ];
    socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
  }
  socket.destroySoon();
};

function ofConnection(code: string | undefined): Problem {
  const [status, detail] =
    code === "ERR_HTTP_REQUEST_TIMEOUT"
      ? [408, "the request did not come whole in time: send it again"]
      : code === "HPE_HEADER_OVERFLOW"
        ? [431, "the headers are larger than a request may have (16 KB): send fewer, or shorter ones"]
        : [400, "this is not a well-formed HTTP request: check its first line and its headers"];
  return new Problem({ status, code: "invalid_request", detail });
}

/** Those who come from outside, and have shown nothing yet, are not told where the ledger is; the log says it. */
function forOutsiders(problem: Problem): Problem {
  if (problem.code !== "ledger_unavailable") return problem;
  return new Problem({
    status: problem.status,
    code: problem.code,
    detail: "the ledger does not answer, and nothing was stored: send it again when Retry-After says",
  });
}

/** Which request an answer is of, as the log names it. */
const REQUEST_ID_HEADER = "x-request-id";

/** Which methods the routes that are registered from here on take at an address; none where there is no such address. */
function knowMethods(app: FastifyInstance): (url: string) => string[] {
  const routes: { parts: string[]; methods: string[] }[] = [];
  app.addHook("onRoute", ({ url, method }) => {
    routes.push({ parts: url.split("/"), methods: [method].flat() });
  });
  return (url) => {
    const asked = url.replace(/\/?(?:[?#].*)?$/s, "").split("/");
    const fits = (part: string, index: number) =>
      /^[:*]/.test(part) ? asked[index] !== "" : asked[index] === part;
    const found = routes.filter(({ parts }) => parts.length === asked.length && parts.every(fits));
    return [...new Set(found.flatMap(({ methods }) => methods))].toSorted();
  };
}

/** Writes every refusal and every failure as `application/problem+json` (RFC 9457), and logs those that are ours. */
export function answerProblems(app: FastifyInstance, log: HttpLog, dashboard: Dashboard): void {
  const methodsAt = knowMethods(app);
  app.setErrorHandler((error, request, reply) => {
    const problem = problemOf(error);
    if (problem.status >= 500) {
      log.error(
        {
          request: request.id,
          method: request.method,
          route: request.routeOptions.url,
          code: problem.code,
          error: problem.cause ?? problem,
        },
        "a request failed",
      );
    }
    if (problem.status === 503 && !reply.hasHeader("retry-after"))
      reply.header("retry-after", RETRY_AFTER_SECONDS);
    if (problem.status === 401) reply.header("www-authenticate", "Bearer");
    const { authenticatesItself } = request.routeOptions.config;
    return answer(reply, authenticatesItself ? forOutsiders(problem) : problem);
  });
  app.setNotFoundHandler((request, reply) => {
    // Which page it is, the dashboard finds by the address.
    if (isPage(request)) return sendPage(dashboard, request, reply);
    const methods = methodsAt(request.url);
    if (methods.length > 0) {
      reply.header("allow", methods.join(", "));
      throw new Problem({
        status: 405,
        code: "method_not_allowed",
        detail: `${request.method} is no method of this address, which takes ${methods.join(", ")}`,
      });
    }
    throw new Problem({
      status: 404,
      code: "not_found",
      detail: `there is no ${request.method} at this address: /openapi.json lists what there is`,
    });
  });
}

function answer(reply: FastifyReply, problem: Problem): FastifyReply {
  return reply
    .code(problem.status)
    .type("application/problem+json")
    .serializer((body: unknown) => JSON.stringify(body))
    .header(REQUEST_ID_HEADER, reply.request.id)
    .send(problem.body(reply.request.id));
}
