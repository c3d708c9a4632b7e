import type { Page } from "./decoding.ts";
import type { AnswerHeaders } from "./exchange.ts";
import type { Gathered, ListPage } from "./list-page.ts";

/** An answer with what stood around it. */
export interface WithResponse<Data> {
  readonly data: Data;
  readonly status: number;
  /** By lower-case name. */
  readonly headers: AnswerHeaders;
  /** The platform's id of the request, where it sends one. */
  readonly requestId: string | undefined;
}

/** The promise of an answer: of its content, or of its status and headers as well. */
export interface Sent<Data> extends Promise<Data> {
  /** Of a list that took several requests, the first one's. Rejects as the promise itself does. */
  withResponse(): Promise<WithResponse<Data>>;
}

/** The promise of a page, and all rows from that page on: `for await` of it asks page by page. */
export interface Listing<Row> extends Sent<ListPage<Row>>, AsyncIterable<Row> {
  /** Page by page, this one first. */
  pages(): AsyncGenerator<ListPage<Row>, void, undefined>;
  /** At most so many rows, and whether they are all that there are. */
  gather(bound: { readonly atMost: number }): Promise<Gathered<Row>>;
}

/** A resource whose methods resolve with answers, with what else its promises are able to do. */
export type Answering<Resource> = {
  readonly [Method in keyof Resource]: Resource[Method] extends (...input: infer Input) => Promise<infer Data>
    ? (...input: Input) => Data extends Page<infer Row> ? Listing<Row> : Sent<Data>
    : Resource[Method];
};

/**
 * The promise of an answer. It is made of another promise, so that whoever wants the headers gets them from the same
 * request; a failure that one of the two has been told is nobody's unhandled one.
 */
export class Sending<Data> extends Promise<Data> implements Sent<Data> {
  /** What is made of it by `then` is a plain promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  readonly told: Promise<WithResponse<Data>>;

  constructor(told: Promise<WithResponse<Data>>) {
    super((resolve, reject) => {
      told.then(({ data }) => resolve(data), reject);
    });
    this.told = told;
  }

  withResponse(): Promise<WithResponse<Data>> {
    // Whoever asks so handles the failure there.
    this.catch(() => {});
    return this.told;
  }

  /** The same answer with other content. */
  as<Other>(change: (data: Data) => Other): Sending<Other> {
    return new Sending(this.withResponse().then((answer) => ({ ...answer, data: change(answer.data) })));
  }
}

/** The promise of a page. */
export class ListSending<Row> extends Sending<ListPage<Row>> implements Listing<Row> {
  async *pages(): AsyncGenerator<ListPage<Row>, void, undefined> {
    yield* (await this).pages();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    yield* await this;
  }

  async gather(bound: { readonly atMost: number }): Promise<Gathered<Row>> {
    return (await this).gather(bound);
  }
}
