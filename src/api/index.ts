/** The typed client of Outdial's HTTP API: `outdial/api`. */
export {
  createClient,
  type AnswerOf,
  type Client,
  type ClientOptions,
  type InputOf,
  type PagedName,
  type RequestOptions,
  type Sent,
} from "./client.ts";
export { ApiConnectionError, ApiProblem, type FieldProblem } from "./errors.ts";
export type { components, ListBody, Operations, ProblemCode } from "./generated.ts";
