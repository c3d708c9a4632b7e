import { of } from "./operation.ts";

const does = of("suppressions");

export const SUPPRESSIONS = {
  "POST /v1/suppressions": does("addSuppressions", "Keeps numbers from being called."),
  "DELETE /v1/suppressions": does("removeSuppression", "Takes back that a number is not called.", [
    "not_suppressed",
    "on_a_list",
    "several_words",
  ]),
  "GET /v1/suppressions": does("listSuppressions", "Lists numbers that are not called."),
  "POST /v1/suppressions/import": does(
    "importSuppressions",
    "Keeps the numbers of a list from being called.",
    ["invalid_list", "digest_mismatch"],
  ),
  "GET /v1/suppressions/sources": does(
    "listSources",
    "Lists the sources whose lists are replaced as a whole.",
  ),
  "GET /v1/suppressions/sources/:name": does("readSource", "Shows a source, and what each list changed."),
  "PUT /v1/suppressions/sources/:name": does("putSource", "Declares a source.", ["command_refused"]),
  "DELETE /v1/suppressions/sources/:name": does("removeSource", "Takes a source and its list back.", [
    "unknown_source",
    "command_refused",
  ]),
  "POST /v1/suppressions/sources/:name/list": does(
    "replaceSourceList",
    "Puts a source's newest list in the old one's place.",
    ["invalid_list", "digest_mismatch", "list_shrinks", "list_is_older", "command_refused"],
  ),
  "POST /v1/suppressions/sources/:name/check": does(
    "checkSource",
    "Asks a scrubbing service of some numbers.",
    ["command_refused"],
  ),
  "POST /v1/blackouts": does("addBlackout", "Keeps everybody from being called on some days.", [
    "blackout_over",
    "command_refused",
  ]),
  "GET /v1/blackouts": does("listBlackouts", "Lists days on which nobody is called."),
  "DELETE /v1/blackouts/:id": does("removeBlackout", "Takes days off back."),
  "GET /v1/presets": does("listPresets", "Lists rules of law that campaigns may follow."),
  "GET /v1/presets/:name": does("readPreset", "Shows one set of rules with its sources.", ["unknown_preset"]),
};
