/** One operation of the platform: a row of contract section 4, or what a raw request names. */
export interface Endpoint {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly route: string;
  /**
   * A read changes nothing on the platform, whatever its method; a write may. Only a read may be sent
   * again when it is not known whether the platform has acted on it.
   */
  readonly access: "read" | "write";
  /** It ends calls, or keeps some from beginning: it is not held back (limiter.ts). */
  readonly atOnce?: true;
  /** Another route that some deployments serve the same operation under (forms.ts says when it is asked). */
  readonly alternate?: `/v1/${string}`;
}
