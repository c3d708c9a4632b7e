/** Sends operations of the table in operations.ts: the one place where requests leave and answers arrive. */
import type { z } from "zod";
import { decode, type Download, downloadOf, refuseStatus, schemaOf } from "./answer.ts";
import type { ClockReading } from "./clock.ts";
import type { Page } from "./decoding.ts";
import type { EndpointName, RouteParams, BodyOf, operationTable, QueryOf } from "./endpoints.ts";
import { UnauthorizedError } from "./errors.ts";
import { closedError, wireError } from "./failures.ts";
import { openForms } from "./forms.ts";
import { maskText } from "./masking.ts";
import { operationOf } from "./operations.ts";
import type { Settings } from "./options.ts";
import { type Asked, type CallOptions, prepare, type Prepared, type RequestInput } from "./request.ts";
import { withRetry } from "./retry.ts";
import { openTransport } from "./transport.ts";
import { openTries, type Try } from "./tries.ts";
import type { UploadSource } from "./upload.ts";
import type { Endpoint } from "./endpoint.ts";

/** What an operation is asked with, by its row of the table. */
export interface Input<Name extends EndpointName> {
  readonly params: RouteParams<Name>;
  readonly query?: QueryOf<Name> | undefined;
  readonly body?: BodyOf<Name> | undefined;
  readonly file?: UploadSource;
}

/** What an operation's answer is decoded to, by its row of the table. */
export type AnswerOf<Name extends EndpointName> = (typeof operationTable)[Name]["answer"] extends {
  readonly of: infer Schema extends z.ZodType;
}
  ? z.output<Schema>
  : undefined;

/** The rows of a list. */
export type RowOf<Name extends EndpointName> = AnswerOf<Name> extends Page<infer Row> ? Row : never;

export interface Caller {
  /** Sends one operation and decodes its answer. Throws `PlatformError`. */
  call<Name extends EndpointName>(
    name: Name,
    input: Input<Name>,
    options?: CallOptions,
  ): Promise<AnswerOf<Name>>;
  /** The same for whoever knows the operation from the table alone. */
  send(name: EndpointName, input: Asked, options?: CallOptions): Promise<unknown>;
  /** Sends an operation that answers with bytes. */
  download(name: EndpointName, input: RequestInput, options?: CallOptions): Promise<Download>;
  clock(): ClockReading | undefined;
  software(): string | undefined;
  answers(): number;
  close(): Promise<void>;
}

/**
 * Sends once more what was refused for its key (401) where another key is in use by now: the key was rotated between
 * the request and its answer. Whoever is refused did nothing, so this repeats nothing.
 */
async function withNewerKey<T>(
  settings: Settings,
  { repeatable }: Prepared,
  send: () => Promise<T>,
): Promise<T> {
  const used = settings.apiKey();
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof UnauthorizedError) || !repeatable || settings.apiKey() === used) throw error;
    return await send();
  }
}

/** Opens a caller with a connection pool of its own. */
export function openCaller(settings: Settings): Caller {
  const transport = openTransport(settings);
  const tries = openTries(settings);
  const forms = openForms();
  const mask = (text: string): string => maskText(text, settings.secrets());
  let answers = 0;
  /** Refusals are answers; who is overloaded or broken gives none that can be used. */
  const refuse = async (endpoint: Endpoint, received: Parameters<typeof refuseStatus>[1]): Promise<void> => {
    if (received.status >= 400 && received.status < 500 && received.status !== 429) answers += 1;
    await refuseStatus(endpoint, received, mask);
  };

  async function perform<T>(
    name: EndpointName,
    input: Asked,
    options: CallOptions,
    exchange: (made: Try) => Promise<T>,
  ): Promise<T> {
    const entry = operationOf(name);
    const prepared = await prepare(settings, entry, input, options);
    const retry = prepared.repeatable ? settings.retry : { ...settings.retry, attempts: 1 };
    return forms.send(name, entry.endpoint, (endpoint) =>
      withRetry(retry, options.signal, (nth) => {
        if (transport.closed) throw closedError(endpoint);
        return withNewerKey(settings, prepared, () => tries.run(endpoint, prepared, nth, exchange));
      }),
    );
  }

  async function send(name: EndpointName, input: Asked, options: CallOptions = {}): Promise<unknown> {
    const schema = schemaOf(operationOf(name).answer, input.params ?? {});
    return perform(name, input, options, ({ endpoint, wire, limits, note }) =>
      transport.exchange(wire, limits, async (received) => {
        note(received);
        await refuse(endpoint, received);
        const answer = await decode(endpoint, received, settings.maxResponseBytes, schema);
        answers += 1;
        return answer;
      }),
    );
  }

  return {
    // The table's schema has decoded the answer, and `AnswerOf` is that very schema's output.
    call: async <Name extends EndpointName>(name: Name, input: Input<Name>, options?: CallOptions) =>
      (await send(name, input, options)) as AnswerOf<Name>,
    send,
    download: async (name, input, options = {}) =>
      perform(name, input, options, async ({ endpoint, wire, limits, note }) => {
        const received = await transport.open(wire, limits, {
          accept: async (answered) => {
            note(answered);
            await refuse(endpoint, answered);
            answers += 1;
          },
          lost: (failure) => wireError(endpoint, failure),
        });
        return downloadOf(received);
      }),
    clock: () => tries.clock(),
    software: () => tries.software(),
    answers: () => answers,
    close: () => transport.close(),
  };
}
