import { of } from "./operation.ts";

const does = of("access");

export const ACCESS = {
  "GET /v1/me": does("readMe", "Shows who asks, and what they may."),
  "GET /v1/session/ways": does("listSignInWays", "Says how people may sign in."),
  "POST /v1/session": does("beginSession", "Signs a browser in, by a token or a code.", ["sign_in_code"]),
  "GET /v1/session": does("readSession", "Shows who is signed in, and until when."),
  "DELETE /v1/session": does("endSession", "Signs out, everywhere."),
  "POST /v1/session/codes": does("createSignInCode", "Makes a link's code, which signs in once.", [
    "command_refused",
  ]),
  "GET /v1/sessions": does("listSessions", "Lists who is signed in in browsers, newest first."),
  "DELETE /v1/sessions": does("endSessionsOf", "Ends all sessions of somebody, at once."),
  "DELETE /v1/sessions/:id": does("endOtherSession", "Ends a session, at once.", ["unknown_session"]),
  "GET /v1/tokens": does("listTokens", "Lists named tokens, without their secrets."),
  "POST /v1/tokens": does("createToken", "Makes a token; its secret is shown once.", ["command_refused"]),
  "DELETE /v1/tokens/:name": does("revokeToken", "Takes a token back, for good.", ["unknown_token"]),
  "GET /v1/audit": does("listAudit", "Lists who did what, newest first."),
};
