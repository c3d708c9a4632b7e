import type { Download } from "../answer.ts";
import type { Caller } from "../caller.ts";
import type { Page } from "../decoding.ts";
import { iterate } from "../lists.ts";
import type {
  Call,
  CallsQuery,
  PhoneCallCreate,
  TestCallCreate,
  WebCallCreate,
} from "../operations/calls.ts";
import type { WalkOptions } from "../paging.ts";
import type { CallOptions } from "../request.ts";
import type { Answering } from "../sent.ts";

/** Calls (contract 4.2, 3.2). */
export interface Calls {
  /**
   * Calls a phone at once. There is no key that would make it safe to repeat: where the error's `effect` is
   * `may_have_happened`, look at the list of calls before calling again.
   */
  phone(call: PhoneCallCreate, options?: CallOptions): Promise<Call>;
  /** Opens a browser call; `access_token`, `room_name` and `room_url` let a real-time client join. */
  web(call: WebCallCreate, options?: CallOptions): Promise<Call>;
  /** Opens a test call, for which the agent may be a draft. */
  test(call: TestCallCreate, options?: CallOptions): Promise<Call>;
  /** One call, with transcript, recording URL and analysis once it is processed. */
  get(callId: string, options?: CallOptions): Promise<Call>;
  /** One page. */
  list(query?: CallsQuery, options?: CallOptions): Promise<Page<Call>>;
  iterate(query?: CallsQuery, options?: WalkOptions): AsyncGenerator<Call, void, undefined>;
  /**
   * Ends an active call, which starts its processing (contract 3.2). The contract shows no field of the answer: what of
   * the call it does not say is undefined.
   */
  end(callId: string, options?: CallOptions): Promise<Call>;
  delete(callId: string, options?: CallOptions): Promise<void>;
  /**
   * The recording's bytes, typically OGG, as a stream that never has more than a few chunks in memory. Resolves
   * with the answer's headers; `signal` and `timeoutMs` hold until the stream's end. A redirect to a storage
   * elsewhere is not followed: the key would go with it.
   */
  recording(callId: string, options?: CallOptions): Promise<Download>;
}

export function calls(caller: Caller): Answering<Calls> {
  const at = (callId: string) => ({ call_id: callId });
  return {
    phone: (body, options) => caller.call("calls.phone", { params: {}, body }, options),
    web: (body, options) => caller.call("calls.web", { params: {}, body }, options),
    test: (body, options) => caller.call("calls.test", { params: {}, body }, options),
    get: (callId, options) => caller.call("calls.get", { params: at(callId) }, options),
    list: (query, options) => caller.call("calls.list", { params: {}, query }, options),
    iterate: (query, options) => iterate(caller, "calls.list", { params: {}, query }, options),
    end: (callId, options) => caller.call("calls.end", { params: at(callId) }, options),
    delete: (callId, options) => caller.call("calls.delete", { params: at(callId) }, options),
    recording: (callId, options) => caller.download("calls.recording", { params: at(callId) }, options),
  };
}
