import type { IncomingMessage } from "node:http";
import { performance } from "node:perf_hooks";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import type { WebSocket } from "ws";

import type { Clock, Timer } from "./clock.ts";
import type { Show } from "./dialect.ts";
import type { Faults, FaultOf } from "./faults.ts";
import { batchItemResponse, batchStatusResponse } from "./schemas/batch-calls.ts";
import { SOFTWARE } from "./software.ts";
import type { BatchObserver } from "./state/batch-run.ts";
import { isOver } from "./state/batch-status.ts";
import { activeOf } from "./state/batches.ts";
import type { BatchRecord, ItemRecord } from "./state/batches.ts";
import type { BatchViews } from "./views/batch-call.ts";

/**
 * The batch campaign stream (contract 6.2). A connection gets a snapshot, then one message for each item or batch
 * that changed, worded as of the moment of sending:
 *   {"type":"status", ...BatchCallStatusResponse}
 *   {"type":"item_update","batch_call_id":...,"status":<of the batch>,"item":BatchCallItemResponse}
 *   {"type":"heartbeat","timestamp":...}
 * It is closed with code 1000 when nothing will change any more.
 */
export interface StreamOptions {
  /** Changes within so many real milliseconds become one message an item. 0: each change is sent at once. */
  readonly coalesceMs?: number;
  /** Real milliseconds between heartbeats. */
  readonly heartbeatMs?: number;
}

/** Quick beside any call, and few enough messages for 2,000 calls at speed 600. */
const DEFAULT_COALESCE_MS = 50;

/** Below the usual 60 s after which proxies cut idle connections. */
const DEFAULT_HEARTBEAT_MS = 15_000;

/** What may wait for a slow reader before it is cut off: some 3,000 messages. */
const MOST_BUFFERED_BYTES = 1024 * 1024;

/** Readers send nothing that matters. */
const LARGEST_INCOMING_BYTES = 64 * 1024;

interface Reader {
  readonly socket: WebSocket;
  sent: number;
  /** Cleared by each pong; a reader that leaves a ping unanswered until the next is gone. */
  awaitsPong: boolean;
}

interface Channel {
  readonly readers: Set<Reader>;
  readonly changedItems: Set<ItemRecord>;
  statusChanged: boolean;
  flush: Timer | null;
}

export class BatchStreams implements BatchObserver {
  readonly #clock: Clock;
  readonly #faults: Faults;
  readonly #views: BatchViews;
  readonly #show: Show;
  readonly #coalesceMs: number;
  readonly #heartbeatMs: number;
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: LARGEST_INCOMING_BYTES });
  readonly #channels = new Map<BatchRecord, Channel>();
  #beats = false;

  constructor(clock: Clock, faults: Faults, views: BatchViews, show: Show, options: StreamOptions) {
    this.#show = show;
    this.#clock = clock;
    this.#faults = faults;
    this.#views = views;
    this.#coalesceMs = options.coalesceMs ?? DEFAULT_COALESCE_MS;
    this.#heartbeatMs = options.heartbeatMs ?? DEFAULT_HEARTBEAT_MS;
    this.#server.on("headers", (headers) => headers.push(`x-powered-by: ${SOFTWARE}`));
  }

  /** Connections that are open now. */
  get readerCount(): number {
    return [...this.#channels.values()].reduce((sum, channel) => sum + channel.readers.size, 0);
  }

  /** Takes over an authenticated upgrade request. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer, batch: BatchRecord): void {
    this.#server.handleUpgrade(request, socket, head, (webSocket) => {
      this.#join(webSocket, batch);
    });
  }

  itemChanged(item: ItemRecord): void {
    const channel = this.#channels.get(item.batch);
    if (channel !== undefined) {
      channel.changedItems.add(item);
      this.#flushSoon(item.batch, channel);
    }
  }

  batchChanged(batch: BatchRecord): void {
    const channel = this.#channels.get(batch);
    if (channel !== undefined) {
      channel.statusChanged = true;
      this.#flushSoon(batch, channel);
    }
  }

  /** Closes what is open, as a `stream_close` fault in force says; messages that come later find it by themselves. */
  closeByFault(): void {
    for (const channel of this.#channels.values()) {
      for (const reader of channel.readers) {
        const fault = this.#faults.peek("stream_close");
        if (fault !== null && reader.sent >= (fault.after_messages ?? 0)) {
          this.#closeByFault(reader);
        }
      }
    }
  }

  /** Cuts every connection. */
  close(): void {
    for (const channel of this.#channels.values()) {
      for (const { socket } of channel.readers) {
        socket.terminate();
      }
    }
    this.#channels.clear();
    this.#server.close();
  }

  #join(socket: WebSocket, batch: BatchRecord): void {
    const channel = this.#channelOf(batch);
    const reader: Reader = { socket, sent: 0, awaitsPong: false };
    channel.readers.add(reader);
    socket.on("pong", () => {
      reader.awaitsPong = false;
    });
    socket.on("error", () => {
      // An oversize or broken frame from the reader; ws closes the connection by itself, and `close` follows.
    });
    socket.on("close", () => {
      channel.readers.delete(reader);
      if (channel.readers.size === 0 && this.#channels.get(batch) === channel) {
        this.#channels.delete(batch);
        this.#clock.cancel(channel.flush);
      }
    });
    this.#beatFromNow();
    this.#send(reader, this.#statusMessage(batch));
    this.#closeIfFinished(batch, channel);
  }

  #channelOf(batch: BatchRecord): Channel {
    let channel = this.#channels.get(batch);
    if (channel === undefined) {
      channel = { readers: new Set(), changedItems: new Set(), statusChanged: false, flush: null };
      this.#channels.set(batch, channel);
    }
    return channel;
  }

  #flushSoon(batch: BatchRecord, channel: Channel): void {
    if (this.#coalesceMs === 0) {
      this.#flush(batch, channel);
      return;
    }
    channel.flush ??= this.#clock.afterReal(this.#coalesceMs, () => {
      channel.flush = null;
      this.#flush(batch, channel);
    });
  }

  #flush(batch: BatchRecord, channel: Channel): void {
    const messages = [...channel.changedItems].map((item) => this.#itemMessage(item));
    if (channel.statusChanged) {
      messages.push(this.#statusMessage(batch));
    }
    channel.changedItems.clear();
    channel.statusChanged = false;
    for (const reader of channel.readers) {
      for (const message of messages) {
        this.#send(reader, message);
      }
    }
    this.#closeIfFinished(batch, channel);
  }

  #statusMessage(batch: BatchRecord): string {
    const status = this.#show(batchStatusResponse, this.#views.status(batch));
    return JSON.stringify({ type: "status", ...Object(status) });
  }

  #itemMessage(item: ItemRecord): string {
    return JSON.stringify({
      type: "item_update",
      batch_call_id: item.batch.id,
      status: item.batch.status,
      item: this.#show(batchItemResponse, this.#views.item(item)),
    });
  }

  #send(reader: Reader, message: string): void {
    const { socket } = reader;
    if (socket.readyState !== socket.OPEN || this.#faults.peek("stream_silence") !== null) {
      return;
    }
    if (socket.bufferedAmount > MOST_BUFFERED_BYTES) {
      socket.terminate();
      return;
    }
    const close = this.#faults.peek("stream_close");
    if (close !== null && reader.sent >= (close.after_messages ?? 0)) {
      this.#closeByFault(reader);
      return;
    }
    const mode = this.#faults.take("stream_garble")?.mode;
    socket.send(mode === undefined ? message : garble(message, mode));
    reader.sent += 1;
  }

  #closeByFault(reader: Reader): void {
    const fault = this.#faults.take("stream_close");
    if (fault?.abrupt === true) {
      reader.socket.terminate();
    } else if (fault !== null) {
      reader.socket.close(fault.code ?? 1011, "internal error");
    }
  }

  #closeIfFinished(batch: BatchRecord, channel: Channel): void {
    if ((isOver(batch.status) && activeOf(batch) === 0) || !batch.known) {
      for (const { socket } of channel.readers) {
        socket.close(1000, "batch call is over");
      }
    }
  }

  /** Beats while there are readers; nothing ticks without. */
  #beatFromNow(): void {
    if (this.#beats || this.#channels.size === 0) {
      return;
    }
    this.#beats = true;
    const beat = this.#clock.afterReal(this.#heartbeatMs, () => {
      this.#beats = false;
      // A process that was held up has not read the pongs that came meanwhile: it judges nobody.
      this.#beat(performance.now() - beat.dueMs < this.#heartbeatMs / 2);
      // Not from inside the timer: beats that were missed are not made up for.
      queueMicrotask(() => {
        this.#beatFromNow();
      });
    });
  }

  #beat(judges: boolean): void {
    if (this.#faults.peek("stream_silence") !== null) {
      return;
    }
    const message = JSON.stringify({ type: "heartbeat", timestamp: this.#clock.iso(this.#clock.now()) });
    for (const channel of this.#channels.values()) {
      for (const reader of channel.readers) {
        if (reader.awaitsPong && judges) {
          reader.socket.terminate();
        } else {
          reader.awaitsPong = true;
          reader.socket.ping();
          this.#send(reader, message);
        }
      }
    }
  }
}

/** Above what any client should take in one frame. */
const OVERSIZE_BYTES = 4 * 1024 * 1024;

/** An id that no record has. */
const STRANGE_ID = "deadbeef-dead-4eef-8ead-beefdeadbeef";

/** What the reader gets instead of a message. */
function garble(message: string, mode: FaultOf<"stream_garble">["mode"]): string {
  switch (mode) {
    case "not_json":
      return `<html>${message.slice(0, 20)}`;
    case "oversize":
      return `${message.slice(0, -1)},"padding":"${"x".repeat(OVERSIZE_BYTES)}"}`;
    case "wrong_ids":
      return message.replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, STRANGE_ID);
    case "false_status":
      return message
        .replaceAll(/"status":"[a-z_]+"/g, `"status":"completed"`)
        .replaceAll(/"(pending|active)":\d+/g, `"$1":0`);
  }
}
