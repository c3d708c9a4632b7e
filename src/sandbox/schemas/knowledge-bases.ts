import { z } from "zod";

/** Contract 4.9. */
export const knowledgeBaseBody = z.object({
  name: z.string().min(1).max(255),
  description: z.string().max(10_000).nullish(),
});

/** What becomes of a document: `failed` for one that is empty or of a type that cannot be read. */
export const DOCUMENT_STATUSES = ["pending", "processing", "ready", "failed"] as const;

/** A document of a knowledge base (contract 2.7). `chunk_count` is 0 until it is ready. */
export const documentResponse = z.object({
  id: z.string(),
  filename: z.string(),
  file_type: z.string(),
  file_size_bytes: z.int(),
  status: z.enum(DOCUMENT_STATUSES),
  chunk_count: z.int(),
  error_message: z.string().nullable(),
  created_at: z.string(),
});

/** KnowledgeBase (contract 2.7) as lists show it. */
export const knowledgeBaseResponse = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  document_count: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
});

export const knowledgeBaseDetailResponse = knowledgeBaseResponse.extend({
  documents: z.array(documentResponse),
});

/** The form of an upload, for its description: the route reads it as a stream, so there is no body to check. */
export const uploadForm = z.unknown().meta({
  type: "object",
  properties: { file: { type: "string", format: "binary" } },
  required: ["file"],
});

export const documentParams = z.object({ id: z.string().min(1), document_id: z.string().min(1) });

/** Faults of document processing; a part of the faults in faults.ts. Documents uploaded from now on are struck. */
export const documentFaults = [
  z.strictObject({
    kind: z.literal("document"),
    /** `stuck` ones stay in processing. */
    outcome: z.enum(["failed", "stuck"]),
    /** Only documents of this name; of any without it. */
    filename: z.string().optional(),
    error: z.string().min(1).max(500).optional(),
    times: z.int().min(1).optional(),
  }),
] as const;
