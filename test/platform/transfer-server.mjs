// The other end of transfer-memory.test.ts, in a process of its own so that only the client's memory is counted.
// Takes uploads and says how long they were; answers a GET with as many bytes as its path's last part says.
import { createServer } from "node:http";

const PIECE = Buffer.alloc(64 * 1024, "o");

const server = createServer((request, response) => {
  if (request.method === "POST") {
    let bytes = 0;
    request.on("data", (chunk) => (bytes += chunk.length));
    request.on("end", () => response.end(JSON.stringify({ id: "d1", file_size_bytes: bytes })));
    return;
  }
  let left = Number(request.url.split("/").at(-2));
  response.writeHead(200, { "content-type": "audio/ogg", "content-length": String(left) });
  const write = () => {
    while (left > 0) {
      const piece = left < PIECE.length ? PIECE.subarray(0, left) : PIECE;
      left -= piece.length;
      if (!response.write(piece)) {
        response.once("drain", write);
        return;
      }
    }
    response.end();
  };
  write();
});

server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`));
process.stdin.on("end", () => process.exit()).resume();
