import http from "node:http";

/*
 * An HTTP proxy before the sandbox that stops requests on their way: before they have their effect, or after it and
 * before their answer arrives. Whoever sent one waits, until it dies or the test ends.
 */

/** Where a request is stopped. */
export type Moment = "before" | "after";

/** A request as it passes. */
export interface Passing {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

export interface Gate {
  readonly url: string;
  close(): Promise<void>;
}

export interface GateRules {
  /** Asked once for each request, in the order in which they come. Undefined: it passes. */
  momentOf(request: Passing): Moment | undefined;
  /** Told of each answer that the sandbox gave, also where it is kept back. */
  onAnswer(request: Passing, body: string): void;
  /** Told when a request waits: what came before it has had its effect. */
  onHeld(request: Passing): void;
}

/** @param target the address behind it */
export async function startGate(target: string, rules: GateRules): Promise<Gate> {
  const { hostname, port } = new URL(target);
  const server = http.createServer((incoming, outgoing) => {
    void pass(incoming, outgoing).catch(() => outgoing.destroy());
  });
  const pass = async (incoming: http.IncomingMessage, outgoing: http.ServerResponse) => {
    const body = await textOf(incoming);
    const { method = "GET", url: path = "/", headers } = incoming;
    const request: Passing = { method, path, body };
    const moment = rules.momentOf(request);
    if (moment === "before") return rules.onHeld(request);
    const behind = http.request({ hostname, port, method, path, headers });
    const answered = new Promise<http.IncomingMessage>((resolve, reject) => {
      behind.on("response", resolve).on("error", reject);
    });
    behind.end(body);
    const answer = await answered;
    const text = await textOf(answer);
    rules.onAnswer(request, text);
    if (moment === "after") return rules.onHeld(request);
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(text);
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the gate has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function textOf(stream: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}
