/** The typed client of Outdial's HTTP API: `outdial/api`. */
export {
  createClient,
  type AnswerOf,
  type Client,
  type InputOf,
  type PagedName,
  type Sent,
} from "./client.ts";
export type { ClientOptions, MatchOptions, RequestOptions } from "./options.ts";
export { ApiConnectionError, ApiProblem, type FieldProblem } from "./errors.ts";
export type { components, ListBody, MatchedName, Operations, ProblemCode } from "./generated.ts";
