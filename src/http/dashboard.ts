import { createHash } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

import { Problem } from "./problem.ts";

/*
 * The files of the dashboard, as the build made them: read once, when the process begins, and served from memory. What
 * is not among them has no address, whatever dots and escapes are in it; and a build that is put in the place of this
 * one while the process runs is not mixed with it.
 */

interface DashboardFile {
  bytes: Buffer;
  /** The same, compressed by the build, by the name of the encoding. */
  compressed: ReadonlyMap<string, Buffer>;
  type: string;
  digest: string;
}

/** By their paths, which begin with a slash. Empty: there is no build of it. */
export type Dashboard = ReadonlyMap<string, DashboardFile>;

/** The best first. */
const ENCODINGS = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".mp3": "audio/mpeg",
  ".ogg": "audio/ogg",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wav": "audio/wav",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};

const INDEX = "/index.html";

/** Their names hold a digest of what is in them: another content has another name. */
const HASHED = "/assets/";
const FOR_EVER = "public, max-age=31536000, immutable";

/** What the pages may load and do: what comes from here, and nothing from another host. */
export const CONTENT_SECURITY_POLICY = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", "data:"],
  mediaSrc: ["'self'", "blob:"],
  fontSrc: ["'self'"],
  connectSrc: ["'self'"],
  baseUri: ["'none'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
};

/** Reads what the build made. Where there is none, there is nothing. */
export async function readDashboard(folder: string): Promise<Dashboard> {
  const files = new Map<string, Buffer>();
  for (const name of await namesIn(folder)) {
    files.set(`/${name.split(path.sep).join("/")}`, await fs.readFile(path.join(folder, name)));
  }
  const dashboard = new Map<string, DashboardFile>();
  if (!files.has(INDEX)) return dashboard;
  for (const [name, bytes] of files) {
    if (ENCODINGS.some(([, ending]) => name.endsWith(ending) && files.has(name.slice(0, -ending.length))))
      continue;
    const compressed = ENCODINGS.flatMap(([encoding, ending]) => {
      const found = files.get(name + ending);
      return found ? [[encoding, found] as const] : [];
    });
    dashboard.set(name, {
      bytes,
      compressed: new Map(compressed),
      type: TYPES[path.extname(name)] ?? "application/octet-stream",
      digest: createHash("sha256").update(bytes).digest("base64url").slice(0, 22),
    });
  }
  return dashboard;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    const found = await fs.readdir(folder, { recursive: true, withFileTypes: true });
    return found
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(folder, path.join(entry.parentPath ?? entry.path, entry.name)));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

/** Addresses that are no pages, with all that is beneath them, whether there is anything or not. */
const NO_PAGES = /^\/(?:v1|healthz|readyz|openapi\.json|docs|hooks|metrics|assets)(?:\/|$)/;

/** Whether a browser asks for a page: which one it is, the dashboard finds by its address itself. */
export function isPage({
  method,
  url,
  headers,
}: Pick<FastifyRequest, "method" | "url" | "headers">): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  return !NO_PAGES.test(url.replace(/[?#].*$/s, "")) && /\btext\/html\b/.test(headers.accept ?? "");
}

export function sendPage(dashboard: Dashboard, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const index = dashboard.get(INDEX);
  if (index) return sendFile(index, "no-cache", request, reply);
  return reply.code(404).type("text/html; charset=utf-8").header("cache-control", "no-store").send(NOT_BUILT);
}

const NOT_BUILT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Outdial</title></head><body>
<h1>The dashboard is not built</h1>
<p>This is Outdial. Its dashboard is not beside it: <code>npm run build</code> in its folder makes it, then start this
process again. The API is served; <a href="/openapi.json">/openapi.json</a> describes it.</p>
</body></html>
`;

function sendFile(
  file: DashboardFile,
  cacheControl: string,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const encoding = ENCODINGS.map(([name]) => name).find(
    (name) => file.compressed.has(name) && accepts(headers["accept-encoding"], name),
  );
  const etag = `"${file.digest}${encoding === undefined ? "" : `-${encoding}`}"`;
  reply.header("cache-control", cacheControl).header("etag", etag).header("vary", "accept-encoding");
  const known = new Set(
    (headers["if-none-match"] ?? "").split(",").map((one) => one.trim().replace(/^W\//, "")),
  );
  if (known.has(etag) || known.has("*")) return reply.code(304).send();
  reply.type(file.type);
  if (encoding === undefined) return reply.send(file.bytes);
  return reply.header("content-encoding", encoding).send(file.compressed.get(encoding));
}

/** Whether a browser says that it reads an encoding: named, and not with a weight of 0. */
function accepts(header: string | undefined, encoding: string): boolean {
  return (header ?? "").split(",").some((part) => {
    const [name = "", ...parameters] = part.split(";").map((one) => one.trim().toLowerCase());
    return name === encoding && !parameters.some((one) => /^q=0(?:\.0*)?$/.test(one));
  });
}

/** The page at the address of the server itself, and what it loads. */
export function serveDashboard(app: FastifyInstance, dashboard: Dashboard): void {
  const options = { config: { isPublic: true as const }, schema: { hide: true } };
  app.get("/", options, async (request, reply) => sendPage(dashboard, request, reply));
  app.get<{ Params: { "*": string } }>("/assets/*", options, async (request, reply) => {
    const file = dashboard.get(HASHED + request.params["*"]);
    if (file) return sendFile(file, FOR_EVER, request, reply);
    throw new Problem({
      status: 404,
      code: "not_found",
      detail: "there is no such file of the dashboard: load its page again, which may be of another version",
    });
  });
}
