import type { Caller } from "../caller.ts";
import type { Page } from "../decoding.ts";
import { iterate, rows } from "../lists.ts";
import type {
  BatchCall,
  BatchCallCreate,
  BatchCallItem,
  BatchCallItemsQuery,
  BatchCallsQuery,
} from "../operations/batch-calls.ts";
import type { WalkOptions } from "../paging.ts";
import type { CallOptions } from "../request.ts";
import type { Answering, Sent } from "../sent.ts";

/** Lists of contacts that the platform calls (contract 4.4, 3.3). */
export interface BatchCalls {
  /** Creates a batch; nobody is dialed until it is started (contract 3.3). */
  create(batch: BatchCallCreate, options?: CallOptions): Promise<BatchCall>;
  get(batchCallId: string, options?: CallOptions): Promise<BatchCall>;
  /** One page of all batches. */
  list(query?: BatchCallsQuery, options?: CallOptions): Promise<Page<BatchCall>>;
  iterate(query?: BatchCallsQuery, options?: WalkOptions): AsyncGenerator<BatchCall, void, undefined>;
  /** The batches that are running now, in one answer. */
  active(options?: CallOptions): Promise<readonly BatchCall[]>;
  /** One page of a batch's items. */
  items(
    batchCallId: string,
    query?: BatchCallItemsQuery,
    options?: CallOptions,
  ): Promise<Page<BatchCallItem>>;
  iterateItems(
    batchCallId: string,
    query?: BatchCallItemsQuery,
    options?: WalkOptions,
  ): AsyncGenerator<BatchCallItem, void, undefined>;
  /** Allowed only while the batch is not running (contract 3.3); 409 otherwise. */
  delete(batchCallId: string, options?: CallOptions): Promise<void>;
  /** Starts dialing; the platform may queue the batch for pickup. What it answers is not shown, but for the id. */
  start(batchCallId: string, options?: CallOptions): Promise<BatchCall>;
  /** No new call starts; active calls finish. */
  pause(batchCallId: string, options?: CallOptions): Promise<BatchCall>;
  /** Dials on where a pause stopped. */
  resume(batchCallId: string, options?: CallOptions): Promise<BatchCall>;
  /** Pending items become cancelled; active calls are not said to end. */
  cancel(batchCallId: string, options?: CallOptions): Promise<BatchCall>;
}

export function batchCalls(caller: Caller): Answering<BatchCalls> {
  const at = (batchCallId: string) => ({ batch_id: batchCallId });
  const act =
    (name: `batchCalls.${"start" | "pause" | "resume" | "cancel"}`) =>
    (batchCallId: string, options?: CallOptions): Sent<BatchCall> =>
      caller.call(name, { params: at(batchCallId) }, options);
  return {
    create: (body, options) => caller.call("batchCalls.create", { params: {}, body }, options),
    get: (batchCallId, options) => caller.call("batchCalls.get", { params: at(batchCallId) }, options),
    list: (query, options) => caller.call("batchCalls.list", { params: {}, query }, options),
    iterate: (query, options) => iterate(caller, "batchCalls.list", { params: {}, query }, options),
    active: (options) => rows(caller, "batchCalls.active", { params: {} }, options),
    items: (batchCallId, query, options) =>
      caller.call("batchCalls.items", { params: at(batchCallId), query }, options),
    iterateItems: (batchCallId, query, options) =>
      iterate(caller, "batchCalls.items", { params: at(batchCallId), query }, options),
    delete: (batchCallId, options) => caller.call("batchCalls.delete", { params: at(batchCallId) }, options),
    start: act("batchCalls.start"),
    pause: act("batchCalls.pause"),
    resume: act("batchCalls.resume"),
    cancel: act("batchCalls.cancel"),
  };
}
