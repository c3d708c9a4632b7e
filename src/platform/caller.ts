/** Sends operations of the table in operations.ts: the one place where requests leave and answers arrive. */
import { z } from "zod";
import type { AnswerOf, Asking, Input } from "./asking.ts";
import { decode, type Download, downloadOf, refuseStatus, schemaOf } from "./answer.ts";
import type { ClockReading } from "./clock.ts";
import type { Page } from "./decoding.ts";
import type { EndpointName } from "./endpoints.ts";
import { UnauthorizedError } from "./errors.ts";
import type { Received } from "./exchange.ts";
import { closedError, requestIdOf, wireError } from "./failures.ts";
import { openForms } from "./forms.ts";
import { ListPage } from "./list-page.ts";
import { pageIn, walkOf } from "./lists.ts";
import { maskText } from "./masking.ts";
import { operationOf } from "./operations.ts";
import type { Settings } from "./options.ts";
import {
  type Asked,
  type CallOptions,
  prepare,
  type Prepared,
  prepareRaw,
  type RawRequest,
  type RequestInput,
  retryOf,
} from "./request.ts";
import { withRetry } from "./retry.ts";
import { ListSending, Sending, type WithResponse } from "./sent.ts";
import { openTransport } from "./transport.ts";
import { openTries, type Try } from "./tries.ts";
import type { Endpoint } from "./endpoint.ts";

/** The promise of an operation's answer. */
export type SendingOf<Name extends EndpointName> =
  AnswerOf<Name> extends Page<infer Row> ? ListSending<Row> : Sending<AnswerOf<Name>>;

export interface Caller extends Asking {
  /**
   * Sends one operation and decodes its answer; the promise of a page can be walked on from (sent.ts). Rejects with
   * a `PlatformError`.
   */
  call<Name extends EndpointName>(name: Name, input: Input<Name>, options?: CallOptions): SendingOf<Name>;
  /** Sends an operation that answers with bytes. */
  download(name: EndpointName, input: RequestInput, options?: CallOptions): Sending<Download>;
  /** Sends what is in no table, and reads JSON. */
  request(raw: RawRequest, options?: CallOptions): Sending<unknown>;
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
    return forms.send(name, entry.endpoint, (endpoint) => attempt(endpoint, prepared, options, exchange));
  }

  function attempt<T>(
    endpoint: Endpoint,
    prepared: Prepared,
    options: CallOptions,
    exchange: (made: Try) => Promise<T>,
  ): Promise<T> {
    const retry = retryOf(settings, prepared, options);
    return withRetry(retry, options.signal, (nth) => {
      if (transport.closed) throw closedError(endpoint);
      return withNewerKey(settings, prepared, () => tries.run(endpoint, prepared, nth, exchange));
    });
  }

  const reading =
    (schema: z.ZodType) =>
    ({ endpoint, wire, limits, note }: Try): Promise<WithResponse<unknown>> =>
      transport.exchange(wire, limits, async (received) => {
        note(received);
        await refuse(endpoint, received);
        const data = await decode(endpoint, received, settings.maxResponseBytes, schema);
        answers += 1;
        return told(received, data);
      });

  const ask: Caller["ask"] = async (name, input, options = {}) =>
    perform(name, input, options, reading(schemaOf(operationOf(name).answer, input.params ?? {})));

  const asking: Asking = {
    ask,
    send: async (name, input, options) => (await ask(name, input, options)).data,
  };

  return {
    ...asking,
    // The table's schema has decoded the answer, and `AnswerOf` is that very schema's output.
    call: <Name extends EndpointName>(name: Name, input: Input<Name>, options?: CallOptions) =>
      sending(asking, name, input, options) as SendingOf<Name>,
    download: (name, input, options = {}) =>
      new Sending(
        perform(name, input, options, async ({ endpoint, wire, limits, note }) => {
          const received = await transport.open(wire, limits, {
            accept: async (answered) => {
              note(answered);
              await refuse(endpoint, answered);
              answers += 1;
            },
            lost: (failure) => wireError(endpoint, failure),
          });
          return told(received, downloadOf(received));
        }),
      ),
    request: (raw, options = {}) => {
      const asked = async () => {
        const { endpoint, prepared } = prepareRaw(settings, raw, options);
        return attempt(endpoint, prepared, options, reading(anything));
      };
      return new Sending(asked());
    },
    clock: () => tries.clock(),
    software: () => tries.software(),
    answers: () => answers,
    close: () => transport.close(),
  };
}

/** An answer of which nothing is known. */
const anything = z.unknown();

function told<Data>({ status, headers }: Received, data: Data): WithResponse<Data> {
  return { data, status, headers, requestId: requestIdOf(headers) };
}

/** The promise of an answer, by the kind that the table has of it. */
function sending(
  asking: Asking,
  name: EndpointName,
  input: Asked,
  options: CallOptions | undefined,
): Sending<unknown> {
  const { answer } = operationOf(name);
  const asked = asking.ask(name, input, options);
  if (answer.kind !== "page") return new Sending(asked);
  const position = { list: walkOf(asking, name, input, answer, options ?? {}), options: options ?? {} };
  return new ListSending(
    asked.then((told) => ({ ...told, data: new ListPage(pageIn(told.data), position) })),
  );
}
