import type { FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";

import { organizationOf, requires } from "../auth.ts";
import type { Core } from "../core.ts";
import { ApiError, notFound, unprocessable } from "../errors.ts";
import { readForm, takeForms } from "../forms.ts";
import {
  documentParams,
  documentResponse,
  knowledgeBaseBody,
  knowledgeBaseDetailResponse,
  knowledgeBaseResponse,
  uploadForm,
} from "../schemas/knowledge-bases.ts";
import { idParams, messageResponse, rowsOf, wholeListQuery } from "../schemas/page.ts";
import type { KnowledgeBaseRecord, UploadedFile } from "../state/knowledge-bases.ts";
import { documentView, knowledgeBaseDetailView, knowledgeBaseView } from "../views/knowledge-bases.ts";
import type { Routes } from "../route-scope.ts";

/**
 * The contract gives no limit. Uploads are read and counted, never kept, so this costs no memory: it only ends one
 * that has no end.
 */
const LARGEST_FILE_MB = 512;
const LARGEST_FILE_BYTES = LARGEST_FILE_MB * 1024 * 1024;

/** Beside the file a form may have some fields, which are ignored. */
const FORM_LIMITS = { fileSize: LARGEST_FILE_BYTES, fields: 10, fieldSize: 10_000 };

/** Contract 4.9. */
export function knowledgeBaseRoutes(core: Core): Routes {
  return async (app) => {
    await knowledgeBaseRecordRoutes(core)(app);
    await app.register(documentRoutes(core));
  };
}

function knowledgeBaseRecordRoutes({ clock }: Core): Routes {
  return async (app) => {
    app.post(
      "/v1/knowledge-bases",
      {
        onRequest: requires("knowledge_bases:write"),
        schema: { body: knowledgeBaseBody, response: { 201: knowledgeBaseResponse } },
      },
      (request, reply) => {
        const { name, description } = request.body;
        const base = organizationOf(request).knowledgeBases.create(name, description ?? null);
        reply.code(201).send(knowledgeBaseView(base, clock));
      },
    );

    app.get(
      "/v1/knowledge-bases",
      {
        onRequest: requires("knowledge_bases:read"),
        schema: { querystring: wholeListQuery({}), response: { 200: z.array(knowledgeBaseResponse) } },
      },
      (request, reply) => {
        const all = organizationOf(request).knowledgeBases.all();
        reply.send(rowsOf(all, request.query.window, (base) => knowledgeBaseView(base, clock)));
      },
    );

    app.get(
      "/v1/knowledge-bases/:id",
      {
        onRequest: requires("knowledge_bases:read"),
        schema: { params: idParams, response: { 200: knowledgeBaseDetailResponse } },
      },
      (request, reply) => {
        const { knowledgeBases } = organizationOf(request);
        reply.send(knowledgeBaseDetailView(baseOf(request, request.params.id), knowledgeBases, clock));
      },
    );

    app.delete(
      "/v1/knowledge-bases/:id",
      {
        onRequest: requires("knowledge_bases:delete"),
        schema: { params: idParams, response: { 200: messageResponse } },
      },
      (request, reply) => {
        organizationOf(request).knowledgeBases.remove(baseOf(request, request.params.id));
        reply.send({ message: "Knowledge base deleted" });
      },
    );
  };
}

function documentRoutes({ clock, faults }: Core): FastifyPluginAsyncZod {
  return async (app) => {
    await takeForms(app, FORM_LIMITS);

    app.post(
      "/v1/knowledge-bases/:id/documents",
      {
        onRequest: requires("knowledge_bases:write"),
        schema: {
          consumes: ["multipart/form-data"],
          body: uploadForm,
          params: idParams,
          response: { 201: documentResponse },
        },
      },
      async (request, reply) => {
        const { knowledgeBases } = organizationOf(request);
        const base = baseOf(request, request.params.id);
        const file = await receiveFile(request);
        const trouble = faults.take(
          "document",
          ({ filename }) => filename === undefined || filename === file.filename,
        );
        const document = knowledgeBases.addDocument(base, file, trouble);
        return await reply.code(201).send(documentView(document, knowledgeBases, clock));
      },
    );

    app.delete(
      "/v1/knowledge-bases/:id/documents/:document_id",
      {
        onRequest: requires("knowledge_bases:delete"),
        schema: { params: documentParams, response: { 200: messageResponse } },
      },
      (request, reply) => {
        const base = baseOf(request, request.params.id);
        if (!organizationOf(request).knowledgeBases.removeDocument(base, request.params.document_id)) {
          throw notFound("Document");
        }
        reply.send({ message: "Document deleted" });
      },
    );
  };
}

/** Throws 404 unless the caller's organization has the knowledge base. */
function baseOf(request: FastifyRequest, id: string): KnowledgeBaseRecord {
  const base = organizationOf(request).knowledgeBases.find(id);
  if (base === null) {
    throw notFound("Knowledge base");
  }
  return base;
}

/**
 * Reads a form with one file to its end, whatever the field is called, and keeps nothing of it. Throws 422 for a
 * request without a file, with several, or with one that has no name, and 413 for one that is too large. An upload
 * that breaks off is no document.
 */
async function receiveFile(request: FastifyRequest): Promise<UploadedFile> {
  const files: UploadedFile[] = [];
  await readForm(request, async (part) => {
    if (part.type === "file") {
      let sizeBytes = 0;
      for await (const chunk of part.file) {
        sizeBytes += Buffer.isBuffer(chunk) ? chunk.length : 0;
      }
      if (part.file.truncated) {
        throw new ApiError(413, `A document may have ${LARGEST_FILE_MB} MB at most`);
      }
      if (files.length > 0) {
        throw unprocessable(["body", "file"], "One file at a time", "value_error");
      }
      files.push({ filename: part.filename, sizeBytes });
    }
  });
  const [received] = files;
  if (received === undefined || (received.filename ?? "") === "") {
    throw unprocessable(["body", "file"], "A file with a filename is required", "missing");
  }
  return received;
}
