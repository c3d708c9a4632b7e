import { of, OF_SPEC } from "./operation.ts";

const does = of("declared");

export const DECLARED = {
  "POST /v1/declared/diff": does("compareDeclared", "Says what documents would change.", [
    "invalid_spec",
    "command_refused",
  ]),
  "POST /v1/declared/apply": does("applyDeclared", "Brings about what a document says.", [
    ...OF_SPEC,
    "command_refused",
    "campaign_exists",
  ]),
  "GET /v1/declared": does("listDeclared", "Lists what was declared."),
  "GET /v1/declared/documents": does("listDocuments", "Hands out what is there as documents."),
  "POST /v1/declared/prune": does("pruneDeclared", "Takes back what is declared no more.", [
    "not_found",
    "command_refused",
  ]),
};
