import http from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";

/** A span as it came, with its resource's and its own attributes as plain values. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  /** Empty: it begins its trace. */
  parentSpanId: string;
  name: string;
  kind: number;
  startMs: number;
  endMs: number;
  isError: boolean;
  attributes: Record<string, string | number | boolean>;
  resource: Record<string, string | number | boolean>;
  links: { traceId: string; spanId: string }[];
}

/** `hang`: it takes the connection and says nothing. `cut`: it drops it. `garbage`: it answers with what is no OTLP. */
type OtlpMood = "take" | "hang" | "cut" | "garbage" | "busy" | "refuse" | "reject_one";

/** A receiver of OTLP over HTTP in JSON: a real server on loopback, in the mood that it is told. */
export interface OtlpReceiver {
  readonly url: string;
  readonly spans: ReceivedSpan[];
  /** Everything that came, as it came. */
  readonly bodies: string[];
  readonly headers: http.IncomingHttpHeaders[];
  mood: OtlpMood;
  close(): Promise<void>;
}

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const headers: http.IncomingHttpHeaders[] = [];
  const answers: Record<OtlpMood, (response: http.ServerResponse, body: string) => void> = {
    take(response, body) {
      spans.push(...spansOf(body));
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    },
    hang() {},
    cut: (response) => void response.destroy(),
    garbage: (response) => void response.writeHead(200).end(Buffer.alloc(300_000, 0xff)),
    busy: (response) => void response.writeHead(503, { "retry-after": "1" }).end("busy"),
    refuse: (response) => void response.writeHead(400).end("no"),
    reject_one(response, body) {
      spans.push(...spansOf(body));
      response.end(JSON.stringify({ partialSuccess: { rejectedSpans: "1", errorMessage: "too old" } }));
    },
  };
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const sent = Buffer.concat(chunks);
      const body = (request.headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent).toString();
      bodies.push(body);
      headers.push(request.headers);
      answers[receiver.mood](response, body);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const receiver: OtlpReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    headers,
    mood: "take",
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return receiver;
}

interface Wire {
  key: string;
  value: { stringValue?: string; intValue?: string | number; doubleValue?: number; boolValue?: boolean };
}

function attributesOf(wire: Wire[] = []): Record<string, string | number | boolean> {
  return Object.fromEntries(
    wire.map(({ key, value: { stringValue, intValue, doubleValue, boolValue } }) => [
      key,
      stringValue ?? boolValue ?? Number(intValue ?? doubleValue),
    ]),
  );
}

interface WireSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  status?: { code?: number };
  attributes?: Wire[];
  links?: { traceId: string; spanId: string }[];
}

const ERROR = 2;

function spansOf(body: string): ReceivedSpan[] {
  const { resourceSpans } = JSON.parse(body) as {
    resourceSpans: { resource?: { attributes?: Wire[] }; scopeSpans: { spans: WireSpan[] }[] }[];
  };
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId ?? "",
        name: span.name,
        kind: span.kind,
        startMs: Number(BigInt(span.startTimeUnixNano) / 1_000_000n),
        endMs: Number(BigInt(span.endTimeUnixNano) / 1_000_000n),
        isError: span.status?.code === ERROR,
        attributes: attributesOf(span.attributes),
        resource: attributesOf(resource?.attributes),
        links: (span.links ?? []).map(({ traceId, spanId }) => ({ traceId, spanId })),
      })),
    ),
  );
}
