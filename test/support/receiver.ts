import { createServer, type IncomingHttpHeaders } from "node:http";

/** One delivery as it came in. */
export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  /** What it was answered with; 0: the connection was cut. */
  status: number;
}

export interface Reply {
  /** 0: the connection is cut instead. */
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

/** A system elsewhere that takes webhooks: a real server on loopback, which answers as it is told. */
export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** How the next ones are answered; by default 204. */
  answer: (delivery: Omit<Received, "status">, n: number) => Reply;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const delivery = { headers: request.headers, body: Buffer.concat(chunks).toString() };
      const reply = receiver.answer(delivery, received.length);
      received.push({ ...delivery, status: reply.status });
      if (reply.status === 0) {
        request.socket.destroy();
        return;
      }
      response.writeHead(reply.status, reply.headers).end(reply.body);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the receiver has no port");
  const receiver: Receiver = {
    url: `http://127.0.0.1:${address.port}/hook`,
    received,
    answer: () => ({ status: 204 }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
  return receiver;
}
