// A registry that has one package more than the configured one: the package as it would be published.
//
// npm takes a package's npm-shrinkwrap.json into account only where a registry says that there is one
// (`_hasShrinkwrap`, which registries add when a package is published); of a tarball that is named by its path it
// does not look. So this is how people will get it.
import { createHash } from "node:crypto";
import fs from "node:fs";
import http from "node:http";

/** Serves a tarball under its name and version, and sends whoever asks for anything else to `upstream`. */
export async function serveRegistry({ manifest, tarball, upstream }) {
  const bytes = fs.readFileSync(tarball);
  const file = `/${manifest.name}/-/${manifest.name}-${manifest.version}.tgz`;
  let url = "";
  const packument = () => ({
    name: manifest.name,
    "dist-tags": { latest: manifest.version },
    versions: {
      [manifest.version]: {
        ...manifest,
        _hasShrinkwrap: true,
        dist: {
          tarball: `${url}${file}`,
          integrity: `sha512-${createHash("sha512").update(bytes).digest("base64")}`,
        },
      },
    },
  });
  const server = http.createServer((request, response) => {
    const path = request.url ?? "/";
    if (path === `/${manifest.name}`)
      response.setHeader("content-type", "application/json").end(JSON.stringify(packument()));
    else if (path === file) response.end(bytes);
    else response.writeHead(307, { location: `${upstream.replace(/\/$/, "")}${path}` }).end();
  });
  await new Promise((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  url = `http://127.0.0.1:${server.address().port}`;
  return {
    url,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
