import type { Caller } from "../caller.ts";
import { rows } from "../lists.ts";
import type { KnowledgeBase, KnowledgeBaseCreate, UploadedDocument } from "../operations/knowledge-bases.ts";
import type { CallOptions } from "../request.ts";
import type { Answering } from "../sent.ts";
import type { UploadSource } from "../upload.ts";

/** Documents that agents look things up in (contract 4.9). */
export interface KnowledgeBases {
  create(knowledgeBase: KnowledgeBaseCreate, options?: CallOptions): Promise<KnowledgeBase>;
  /** All of them, without their documents. */
  list(options?: CallOptions): Promise<readonly KnowledgeBase[]>;
  /** One with its documents and where their processing is. */
  get(knowledgeBaseId: string, options?: CallOptions): Promise<KnowledgeBase>;
  delete(knowledgeBaseId: string, options?: CallOptions): Promise<void>;
  /**
   * Uploads a file as a multipart form, without ever holding more than a few pieces of it. The platform then
   * processes it: look at the document's `status`. Bounded by `transferMs` instead of `wholeMs`.
   */
  addDocument(knowledgeBaseId: string, file: UploadSource, options?: CallOptions): Promise<UploadedDocument>;
  deleteDocument(knowledgeBaseId: string, documentId: string, options?: CallOptions): Promise<void>;
}

export function knowledgeBases(caller: Caller): Answering<KnowledgeBases> {
  const at = (knowledgeBaseId: string) => ({ kb_id: knowledgeBaseId });
  return {
    create: (body, options) => caller.call("knowledgeBases.create", { params: {}, body }, options),
    list: (options) => rows(caller, "knowledgeBases.list", { params: {} }, options),
    get: (id, options) => caller.call("knowledgeBases.get", { params: at(id) }, options),
    delete: (id, options) => caller.call("knowledgeBases.delete", { params: at(id) }, options),
    addDocument: (id, file, options) =>
      caller.call("knowledgeBases.addDocument", { params: at(id), file }, options),
    deleteDocument: (id, documentId, options) =>
      caller.call(
        "knowledgeBases.deleteDocument",
        { params: { kb_id: id, document_id: documentId } },
        options,
      ),
  };
}
