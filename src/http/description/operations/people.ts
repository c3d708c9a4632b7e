import { OF_PLATFORM, of } from "./operation.ts";

const does = of("people");

export const PEOPLE = {
  "GET /v1/contacts": does(
    "findContacts",
    "Lists the contacts with a number in all campaigns, newest first.",
  ),
  "GET /v1/tags": does("listTags", "Lists what people are marked with."),
  "DELETE /v1/tags": does("removeTag", "Takes a mark off a person.", ["unknown_tag"]),
  "GET /v1/people/:phone/export": does("exportPerson", "Hands out everything that is known of a person."),
  "GET /v1/people/:phone/calls": does(
    "listCallsOfPerson",
    "Hands out what the platform holds of each call to and from a person.",
    OF_PLATFORM,
  ),
  "GET /v1/people/:phone/calls/:call_id/recording": does(
    "readRecordingOfPerson",
    "Hands out the recording of a call to or from a person.",
    ["not_found", "command_refused", "busy", ...OF_PLATFORM],
  ),
  "POST /v1/people/:phone/forget": does(
    "forgetPerson",
    "Forgets a person: nobody calls the number from the answer on.",
    ["command_refused"],
  ),
  "GET /v1/forgettings": does("listForgettings", "Lists who asked to be forgotten, newest first."),
  "GET /v1/forgettings/:id": does("readForgetting", "Shows how far a forgetting is, and its certificate.", [
    "not_found",
  ]),
  "GET /v1/data-keys": does(
    "listDataKeys",
    "Lists the keys of sensitive values by their ids, and how much each seals.",
  ),
  "GET /v1/retention": does("readRetention", "Shows how long what is held of people is kept."),
  "PUT /v1/retention": does("setRetention", "Says how long what is held of people is kept."),
  "GET /v1/people/called": does("listOftenCalled", "Lists who was called more than once of late."),
  "GET /v1/people/:phone/story": does("readStory", "Shows all that is known of a number, page by page.", [
    "unknown_number",
  ]),
  "POST /v1/consents": does("addConsents", "Keeps what was said of consent to be called."),
  "GET /v1/consents": does("listConsents", "Shows what was said of a number's consent."),
  "POST /v1/consents/withdraw": does("withdrawConsent", "Notes that somebody takes consent back."),
};
