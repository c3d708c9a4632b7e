/** The types of asking for what the table of operations has. */
import type { z } from "zod";
import type { Page } from "./decoding.ts";
import type { BodyOf, EndpointName, operationTable, QueryOf, RouteParams } from "./endpoints.ts";
import type { Asked, CallOptions } from "./request.ts";
import type { WithResponse } from "./sent.ts";
import type { UploadSource } from "./upload.ts";

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

/** Asks for what the table has, by name. Throws `PlatformError`. */
export interface Asking {
  /** Sends one operation and decodes its answer. */
  ask(name: EndpointName, input: Asked, options?: CallOptions): Promise<WithResponse<unknown>>;
  /** The content of the answer alone. */
  send(name: EndpointName, input: Asked, options?: CallOptions): Promise<unknown>;
}
