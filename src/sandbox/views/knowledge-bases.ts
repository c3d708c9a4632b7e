import type { z } from "zod";

import type { Clock } from "../clock.ts";
import type {
  documentResponse,
  knowledgeBaseDetailResponse,
  knowledgeBaseResponse,
} from "../schemas/knowledge-bases.ts";
import type { DocumentRecord, KnowledgeBaseRecord, KnowledgeBases } from "../state/knowledge-bases.ts";

/** KnowledgeBase (contract 2.7). */
export function knowledgeBaseView(
  base: KnowledgeBaseRecord,
  clock: Clock,
): z.output<typeof knowledgeBaseResponse> {
  return {
    id: base.id,
    name: base.name,
    description: base.description,
    document_count: base.documents.length,
    created_at: clock.iso(base.createdAt),
    updated_at: clock.iso(base.updatedAt),
  };
}

export function knowledgeBaseDetailView(
  base: KnowledgeBaseRecord,
  bases: KnowledgeBases,
  clock: Clock,
): z.output<typeof knowledgeBaseDetailResponse> {
  return {
    ...knowledgeBaseView(base, clock),
    documents: base.documents.map((document) => documentView(document, bases, clock)),
  };
}

export function documentView(
  document: DocumentRecord,
  bases: KnowledgeBases,
  clock: Clock,
): z.output<typeof documentResponse> {
  const status = bases.statusOf(document);
  return {
    id: document.id,
    filename: document.filename,
    file_type: document.fileType,
    file_size_bytes: document.sizeBytes,
    status,
    chunk_count: bases.chunksOf(document),
    error_message: status === "failed" ? document.error : null,
    created_at: clock.iso(document.createdAt),
  };
}
