import { of } from "./operation.ts";

const does = of("attention");

export const ATTENTION = {
  "GET /v1/attention": does("listAttention", "Lists what waits for people, each thing once."),
  "POST /v1/attention/:id/resolve": does("resolveAttention", "Takes an entry off the list."),
  "POST /v1/attention/:id/acknowledge": does("acknowledgeAttention", "Says who looks after an entry."),
  "GET /v1/attention/routes": does("listRoutes", "Lists who is told of what waits for people."),
  "GET /v1/attention/routes/:name": does("readRoute", "Shows one route, with what it told of late.", [
    "unknown_route",
  ]),
  "PUT /v1/attention/routes": does("putRoute", "Declares an attention route, or changes it.", [
    "invalid_route",
    "command_refused",
  ]),
  "DELETE /v1/attention/routes/:name": does("removeRoute", "Takes a route back.", ["unknown_route"]),
  "POST /v1/attention/test": does("testRoutes", "Sends a test through each route.", ["unknown_route"]),
};
