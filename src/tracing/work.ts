import { AsyncLocalStorage } from "node:async_hooks";

import { readTraceParent, writeTraceParent, type TraceParent } from "./trace-parent.ts";

/*
 * What this process has in hand, for whoever writes a line of the log, a span or a row: a request of the API, a row of the
 * outbox, an activity. It follows whatever is awaited within it.
 *
 * 1. Nothing is decided by it: without it the same happens, and less is known afterwards.
 * 2. Its trace is begun late. An activity reads from the ledger which trace its batch, enrolment or follow-up belongs to,
 *    and joins that before its own span is asked for.
 * 3. What does not come from the trace that it has joined is linked, and links are bounded: a batch of a hundred people
 *    whom a hundred deliveries asked for is one span.
 */

/** Whose work it is: ids of ours, which name nobody. Lines of the log carry them, and spans as `outdial.batch.id`. */
export interface WorkIds {
  campaignId?: string | undefined;
  batchId?: string | undefined;
  attemptId?: number | undefined;
  enrolmentId?: string | undefined;
  followUpId?: string | undefined;
  actionId?: string | undefined;
  deliveryId?: string | undefined;
  scheduleId?: string | undefined;
  scheduleRunId?: string | undefined;
  automationId?: string | undefined;
}

/** `server`: somebody asked us. `consumer`: something that was accepted before. `internal`: a step of ours. `client`: we ask. */
export type SpanKind = "server" | "consumer" | "internal" | "client";

export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface SpanBegin {
  name: string;
  kind: SpanKind;
  /** Unix milliseconds. */
  startedAtMs: number;
  /** Absent: it begins a trace. */
  parent: TraceParent | undefined;
  /** The parent is what a request said before anybody knew whose it is: it names a trace, and has no say in its recording. */
  isParentSent?: boolean;
  links: readonly TraceParent[];
}

export interface Span {
  readonly traceParent: TraceParent;
  link(trace: TraceParent): void;
  /** Adds attributes; those that are undefined are left out. `failure`: a word that says what went wrong. */
  end(endedAtMs: number, attributes: SpanAttributes, failure: string | undefined): void;
}

/** Begins spans. It never throws and never waits. */
export interface Tracer {
  begin(span: SpanBegin): Span;
}

interface WorkInput {
  name: string;
  kind: SpanKind;
  ids?: WorkIds;
  attributes?: SpanAttributes;
  /** The trace that it came with. */
  traceParent?: string | undefined;
  /** That is what a request said, of whoever sent it. */
  isTraceParentSent?: boolean;
  /** Absent: it has no span, and neither has what it asks for; its ids are known all the same. */
  tracer?: Tracer | undefined;
  /** Whether it begins a trace where it belongs to none. */
  begins: boolean;
}

/** More links than these tell nobody anything. */
const MOST_LINKS = 16;

const inHand = new AsyncLocalStorage<Work>();

export class Work {
  readonly #input: WorkInput;
  readonly #startedAtMs = Date.now();
  #ids: WorkIds;
  #attributes: SpanAttributes;
  #parent: TraceParent | undefined;
  readonly #isParentSent: boolean;
  readonly #links = new Map<string, TraceParent>();
  #span: Span | undefined;
  #isOver = false;

  constructor(input: WorkInput) {
    this.#input = input;
    this.#ids = { ...inHand.getStore()?.ids, ...input.ids };
    this.#attributes = { ...input.attributes };
    const given = readTraceParent(input.traceParent);
    this.#parent = given ?? inHand.getStore()?.traceParent;
    this.#isParentSent = given !== undefined && input.isTraceParentSent === true;
  }

  get ids(): WorkIds {
    return this.#ids;
  }

  /** Where spans of what it does belong, and rows that it writes; undefined where nothing is traced. */
  get traceParent(): TraceParent | undefined {
    return this.#begin()?.traceParent;
  }

  /** As `traceParent`, where no trace can be joined any more: a line of the log begins none that is to be another's part. */
  get settledTraceParent(): TraceParent | undefined {
    const isSettled = this.#span !== undefined || this.#parent !== undefined || this.#input.kind === "server";
    return isSettled ? this.traceParent : undefined;
  }

  note(ids: WorkIds, attributes: SpanAttributes = {}): void {
    for (const [name, id] of Object.entries(ids))
      if (id !== undefined) this.#ids = { ...this.#ids, [name]: id };
    this.#attributes = { ...this.#attributes, ...attributes };
  }

  join(given: string | undefined): void {
    const trace = readTraceParent(given);
    if (trace === undefined || this.#input.tracer === undefined) return;
    if (this.#span === undefined && this.#parent === undefined) this.#parent = trace;
    else this.#link(trace);
  }

  link(given: string | undefined): void {
    const trace = readTraceParent(given);
    if (trace) this.#link(trace);
  }

  /** A step of it that has ended. */
  tell(step: {
    name: string;
    kind: SpanKind;
    startedAtMs: number;
    endedAtMs: number;
    attributes: SpanAttributes;
    failure: string | undefined;
  }): void {
    const { tracer } = this.#input;
    const parent = this.traceParent;
    if (tracer === undefined || parent === undefined) return;
    const { name, kind, startedAtMs } = step;
    harmless(() => {
      const span = tracer.begin({ name, kind, startedAtMs, parent, links: [] });
      span.end(step.endedAtMs, { ...attributesOf(this.#ids), ...step.attributes }, step.failure);
    });
  }

  /** Whatever is awaited in `perform` has this in hand. */
  run<Result>(perform: () => Result): Result {
    return inHand.run(this, perform);
  }

  /** Only the first end counts. A step that begins a trace and neither asked nor kept anything in it leaves none. */
  end(failure?: string): void {
    if (this.#isOver) return;
    const isWorthASpan = this.#parent !== undefined || failure !== undefined || this.#input.kind === "server";
    const span = isWorthASpan ? this.#begin() : this.#span;
    harmless(() => span?.end(Date.now(), { ...attributesOf(this.#ids), ...this.#attributes }, failure));
    this.#isOver = true;
  }

  #link(trace: TraceParent): void {
    const own = this.#span?.traceParent ?? this.#parent;
    if (this.#links.size >= MOST_LINKS || trace.traceId === own?.traceId) return;
    if (this.#links.has(trace.traceId)) return;
    this.#links.set(trace.traceId, trace);
    harmless(() => this.#span?.link(trace));
  }

  #begin(): Span | undefined {
    const { tracer, name, kind } = this.#input;
    if (this.#isOver || (this.#parent === undefined && !this.#input.begins)) return this.#span;
    this.#span ??= harmless(() =>
      tracer?.begin({
        name,
        kind,
        startedAtMs: this.#startedAtMs,
        parent: this.#parent,
        isParentSent: this.#isParentSent,
        links: [...this.#links.values()],
      }),
    );
    return this.#span;
  }
}

/** What can't be traced is told as a warning of the process: nothing that was done is taken for failed for it. */
function harmless<Result>(tracing: () => Result): Result | undefined {
  try {
    return tracing();
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : new Error("something could not be traced"));
    return undefined;
  }
}

/** Does something as one piece of work, which ends with it. */
export async function doWork<Result>(input: WorkInput, perform: () => Promise<Result>): Promise<Result> {
  const work = new Work(input);
  try {
    const result = await work.run(perform);
    work.end();
    return result;
  } catch (error) {
    work.end(failureWord(error));
    throw error;
  }
}

/** What is in hand here; undefined: nothing that anybody follows. */
export function workInHand(): Work | undefined {
  return inHand.getStore();
}

/** Whose work this is, as far as it turned out by now. */
export function noteWork(ids: WorkIds, traceParent?: string): void {
  const work = inHand.getStore();
  work?.note(ids);
  work?.join(traceParent);
}

/** Others for whom it is done, too. */
export function linkWork(traceParents: readonly (string | undefined)[]): void {
  const work = inHand.getStore();
  for (const traceParent of traceParents) work?.link(traceParent);
}

/** What a row is to keep that somebody else goes on with; null: nothing is traced. */
export function traceToKeep(): string | null {
  const trace = inHand.getStore()?.traceParent;
  return trace ? writeTraceParent(trace) : null;
}

/** What each line of the log says of what is in hand. */
export function workFields(): Readonly<Record<string, string | number>> {
  const work = inHand.getStore();
  if (!work) return {};
  const fields: Record<string, string | number> = {};
  const trace = work.settledTraceParent;
  if (trace) {
    fields["trace_id"] = trace.traceId;
    fields["span_id"] = trace.spanId;
  }
  for (const [name, id] of Object.entries(work.ids)) if (id !== undefined) fields[name] = id;
  return fields;
}

/** `batchId` is `outdial.batch.id` on a span. */
function attributesOf(ids: WorkIds): SpanAttributes {
  return Object.fromEntries(
    Object.entries(ids).map(([name, id]: [string, string | number | undefined]) => [
      `outdial.${name.replace(/Id$/, "").replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}.id`,
      id,
    ]),
  );
}

/** What went wrong, in a word of ours or of a library: never a message, in which anything may stand. */
export function failureWord(error: unknown): string {
  const name = error instanceof Error ? error.name : "";
  return /^[A-Za-z][\w.]{0,60}$/.test(name) ? name : "error";
}
