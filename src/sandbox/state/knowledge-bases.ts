import type { Clock } from "../clock.ts";
import type { IdSequence } from "../ids.ts";
import { Random } from "../random.ts";
import type { DOCUMENT_STATUSES } from "../schemas/knowledge-bases.ts";
import type { Kept } from "./kept.ts";

export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number];

/** A document, without what is in it: that was read and counted, and is kept nowhere. Times are the clock's `now()`. */
export interface DocumentRecord {
  readonly id: string;
  readonly filename: string;
  /** The file name's extension, in lower case; empty without one. */
  readonly fileType: string;
  readonly sizeBytes: number;
  readonly createdAt: number;
  /** Simulated milliseconds of processing; null: it never ends. */
  readonly processingMs: number | null;
  /** What processing fails with; null: it succeeds. */
  readonly error: string | null;
}

/** Plain data. */
export interface KnowledgeBaseRecord {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly createdAt: number;
  updatedAt: number;
  documents: DocumentRecord[];
}

export interface UploadedFile {
  readonly filename: string;
  readonly sizeBytes: number;
}

/** What a fault says of a document. */
export interface DocumentTrouble {
  readonly outcome: "failed" | "stuck";
  readonly error?: string | undefined;
}

/** From upload until processing begins, simulated. */
const PENDING_MS = 1_000;

/** The bounds of how long processing takes, and what each begun megabyte adds; simulated. */
const PROCESSING_MS = [2_000, 8_000] as const;
const PROCESSING_MS_PER_MEGABYTE = 250;
const BYTES_PER_MEGABYTE = 1_000_000;

/** A chunk is some 500 tokens of four characters. */
const BYTES_PER_CHUNK = 2_000;

const READABLE = new Set(["pdf", "docx", "txt", "md", "html", "htm", "csv", "json", "pptx", "xlsx"]);

interface SavedKnowledgeBases {
  readonly created: number;
  readonly uploaded: number;
  readonly bases: readonly KnowledgeBaseRecord[];
}

/** The knowledge bases of an organization, oldest first (contract 4.9). */
export class KnowledgeBases implements Kept<SavedKnowledgeBases> {
  readonly #seed: number;
  readonly #clock: Clock;
  readonly #ids: IdSequence;
  readonly #documentIds: IdSequence;
  readonly #bases = new Map<string, KnowledgeBaseRecord>();
  #created = 0;
  #uploaded = 0;

  constructor(seed: number, clock: Clock, ids: IdSequence, documentIds: IdSequence) {
    this.#seed = seed;
    this.#clock = clock;
    this.#ids = ids;
    this.#documentIds = documentIds;
  }

  create(name: string, description: string | null): KnowledgeBaseRecord {
    const now = this.#clock.now();
    const id = this.#ids.at(this.#created);
    const base: KnowledgeBaseRecord = {
      id,
      name,
      description,
      createdAt: now,
      updatedAt: now,
      documents: [],
    };
    this.#created += 1;
    this.#bases.set(id, base);
    return base;
  }

  find(id: string): KnowledgeBaseRecord | null {
    return this.#bases.get(id) ?? null;
  }

  all(): KnowledgeBaseRecord[] {
    return [...this.#bases.values()];
  }

  remove(base: KnowledgeBaseRecord): void {
    this.#bases.delete(base.id);
  }

  /** Takes a document in, and settles what its processing comes to. */
  addDocument(
    base: KnowledgeBaseRecord,
    file: UploadedFile,
    trouble: DocumentTrouble | null,
  ): DocumentRecord {
    const now = this.#clock.now();
    const dot = file.filename.lastIndexOf(".");
    const fileType = dot === -1 ? "" : file.filename.slice(dot + 1).toLowerCase();
    const id = this.#documentIds.at(this.#uploaded);
    const drawnMs = new Random(this.#seed, "document", id).between(...PROCESSING_MS);
    const megabytes = Math.ceil(file.sizeBytes / BYTES_PER_MEGABYTE);
    const document: DocumentRecord = {
      id,
      filename: file.filename,
      fileType,
      sizeBytes: file.sizeBytes,
      createdAt: now,
      processingMs: trouble?.outcome === "stuck" ? null : drawnMs + megabytes * PROCESSING_MS_PER_MEGABYTE,
      error:
        trouble?.outcome === "failed"
          ? (trouble.error ?? "The document could not be processed")
          : unreadable(fileType, file.sizeBytes),
    };
    this.#uploaded += 1;
    base.documents.push(document);
    base.updatedAt = now;
    return document;
  }

  /** False if there is none. */
  removeDocument(base: KnowledgeBaseRecord, documentId: string): boolean {
    const before = base.documents.length;
    base.documents = base.documents.filter(({ id }) => id !== documentId);
    base.updatedAt = this.#clock.now();
    return base.documents.length < before;
  }

  /** Processing is a matter of time alone, so it needs no timer. */
  statusOf(document: DocumentRecord): DocumentStatus {
    const { createdAt, processingMs, error } = document;
    const sinceMs = this.#clock.simulated(this.#clock.now() - createdAt);
    if (sinceMs < PENDING_MS) {
      return "pending";
    }
    if (processingMs === null || sinceMs < PENDING_MS + processingMs) {
      return "processing";
    }
    return error === null ? "ready" : "failed";
  }

  chunksOf(document: DocumentRecord): number {
    return this.statusOf(document) === "ready" ? Math.ceil(document.sizeBytes / BYTES_PER_CHUNK) : 0;
  }

  dump(): SavedKnowledgeBases {
    return { created: this.#created, uploaded: this.#uploaded, bases: this.all() };
  }

  restore(saved: SavedKnowledgeBases): void {
    this.#created = saved.created;
    this.#uploaded = saved.uploaded;
    for (const base of saved.bases) {
      this.#bases.set(base.id, base);
    }
  }
}

function unreadable(fileType: string, sizeBytes: number): string | null {
  if (sizeBytes === 0) {
    return "The document is empty";
  }
  return READABLE.has(fileType) ? null : `Files of type "${fileType}" cannot be read`;
}
