import { z } from "zod";
import { id, number, readings, record, text } from "../decoding.ts";
import { wordRule } from "../rules.ts";
import { array, get, nothing, object, type OperationsOf, post, remove } from "./operation.ts";

const createRules = z.strictObject({ name: wordRule, description: z.string().optional() });

/** Contract 4.9. */
export type KnowledgeBaseCreate = z.input<typeof createRules>;

const documentFields = {
  filename: text,
  file_type: text,
  file_size_bytes: number,
  status: text,
  chunk_count: number,
  created_at: text,
};

const document = record({ id: "document_id" }, { id, ...documentFields });

/** Contract 2.7. `status` is whatever word the platform uses for where its processing is. */
export type KnowledgeBaseDocument = z.output<typeof document>;

export const knowledgeBase = record(
  { id: "knowledge_base_id" },
  {
    id,
    name: text,
    description: text,
    documents: z
      .array(document)
      .nullish()
      .transform((rows) => rows ?? undefined)
      .register(readings, { as: "list", row: document }),
    created_at: text,
    updated_at: text,
  },
);

/** Contract 2.7. `documents` come with a single knowledge base only. */
export type KnowledgeBase = z.output<typeof knowledgeBase>;

export const uploaded = record({ id: "document_id" }, { id: text, ...documentFields });

/** What an upload is answered with: an object (contract 4.9), usually the document. */
export type UploadedDocument = z.output<typeof uploaded>;

export const knowledgeBaseOperations = {
  "knowledgeBases.create": post("/v1/knowledge-bases", {
    summary: "Create a knowledge base",
    body: createRules,
    answer: object(knowledgeBase),
  }),
  "knowledgeBases.list": get("/v1/knowledge-bases", {
    summary: "List knowledge bases",
    answer: array(knowledgeBase, "id", "knowledge_bases"),
  }),
  "knowledgeBases.get": get("/v1/knowledge-bases/{kb_id}", {
    summary: "Show a knowledge base with its documents",
    answer: object(knowledgeBase),
  }),
  "knowledgeBases.delete": remove("/v1/knowledge-bases/{kb_id}", {
    summary: "Delete a knowledge base with its documents",
    answer: nothing,
    asks: "deletes",
  }),
  "knowledgeBases.addDocument": post("/v1/knowledge-bases/{kb_id}/documents", {
    summary: "Upload a document into a knowledge base",
    body: "multipart",
    answer: object(uploaded),
  }),
  "knowledgeBases.deleteDocument": remove("/v1/knowledge-bases/{kb_id}/documents/{document_id}", {
    summary: "Delete a document from a knowledge base",
    answer: nothing,
    asks: "deletes",
  }),
} as const satisfies OperationsOf<"knowledgeBases">;
