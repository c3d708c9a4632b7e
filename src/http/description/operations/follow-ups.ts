import { of } from "./operation.ts";

const does = of("follow-ups");

export const FOLLOW_UPS = {
  "GET /v1/follow-ups": does("listFollowUps", "Lists what follows calls, newest first.", [
    "unknown_campaign",
  ]),
  "GET /v1/follow-ups/:id": does("readFollowUp", "Shows what follows one call, with its actions."),
  "GET /v1/actions/:id": does("readAction", "Shows one action."),
  "POST /v1/actions/:id/retry": does("retryAction", "Tries an action that failed once more.", [
    "command_refused",
  ]),
  "POST /v1/actions/:id/skip": does("skipAction", "Goes on without an action.", ["command_refused"]),
  "POST /v1/actions/:id/replay": does("replayAction", "Does an action that was done once more.", [
    "command_refused",
  ]),
};
