// A web call in a browser: `npm install outdial livekit-client@2.18.0`, then `node server.mjs` with PLATFORM_BASE_URL
// and PLATFORM_API_KEY of a platform, or of `outdial sandbox --livekit-server`. Later versions of livekit-client send no
// microphone to LiveKit's server 1.8, which that sandbox has.
//
// The key of the platform stays here. The page is given what lets it into the room of one call, and nothing else.
import { createReadStream } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { createPlatform, PlatformError } from "outdial/platform";

const { AGENT_ID, PORT = "8491" } = process.env;
const platform = createPlatform();

const beside = (name) => fileURLToPath(new URL(name, import.meta.url));
const files = {
  "/": { file: beside("page.html"), type: "text/html; charset=utf-8" },
  "/page.mjs": { file: beside("page.mjs"), type: "text/javascript" },
  // One file that needs no other: nothing is bundled.
  "/livekit-client.mjs": {
    file: fileURLToPath(import.meta.resolve("livekit-client")),
    type: "text/javascript",
  },
};

/** The first agent that may take calls, where none is named. */
async function agentId() {
  if (AGENT_ID !== undefined) return AGENT_ID;
  for await (const agent of platform.agents.iterate()) {
    if (agent.published_version !== undefined) return agent.agent_id;
  }
  throw new Error("no agent is published: publish one, or name one by AGENT_ID");
}

/** A call costs money: before you let others reach this, ask here who they are, and how often they have called. */
async function placeCall(request, response) {
  // Only our own page: another one that somebody has open would have them call unasked.
  if (request.headers["sec-fetch-site"] !== "same-origin") {
    response.writeHead(403).end();
    return;
  }
  const call = await platform.calls.web({ agent_id: await agentId() });
  const { call_id, room_url, access_token } = call;
  response
    .writeHead(200, { "content-type": "application/json", "cache-control": "no-store" })
    .end(JSON.stringify({ call_id, room_url, access_token }));
}

function refuse(response, error) {
  // What the platform says may help whoever runs this, and is nothing for a page.
  console.error(error instanceof PlatformError ? error.message : error);
  if (!response.headersSent) response.writeHead(502, { "content-type": "text/plain" });
  response.end("The call could not be placed.");
}

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? "/", "http://localhost");
  if (request.method === "POST" && pathname === "/call") {
    placeCall(request, response).catch((error) => refuse(response, error));
    return;
  }
  const found = request.method === "GET" && Object.hasOwn(files, pathname) ? files[pathname] : undefined;
  if (found === undefined) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { "content-type": found.type });
  createReadStream(found.file).pipe(response);
});

server.listen(Number(PORT), "127.0.0.1", () => {
  console.log(`the page is at http://127.0.0.1:${server.address().port}/`);
});
