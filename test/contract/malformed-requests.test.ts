/** Requests that no client of ours sends. What the description of the sandbox was broken by once stays mended. */
import { expect, test } from "vitest";
import { z } from "zod";
import { openWorld } from "./support/world.ts";

const refusal = z.object({ detail: z.array(z.object({ loc: z.array(z.string()), msg: z.string() })) });

const BOUNDARY = "d94f14d0c10f51e43ef7707576358ad9";

test.each([
  ["a part without headers", `--${BOUNDARY}\r\nú\u0017--${BOUNDARY}--\r\n`],
  ["no part at all", `--${BOUNDARY}--\r\n`],
  [
    "an end that is missing",
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nx`,
  ],
  ["nothing", ""],
])("a form with %s is refused with what is wrong, and is no document", async (_, body) => {
  const { platform, sandbox } = await openWorld();
  const { id } = await platform.knowledgeBases.create({ name: "kb" });
  const answer = await fetch(`${sandbox.url}/v1/knowledge-bases/${id}/documents`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${sandbox.apiKey}`,
      "content-type": `multipart/form-data; boundary=${BOUNDARY}`,
    },
    body,
  });
  expect(answer.status).toBe(422);
  expect(refusal.parse(await answer.json()).detail[0]?.loc[0]).toBe("body");
  expect((await platform.knowledgeBases.get(id)).documents).toEqual([]);
});

test("the description says that an upload needs its form", async () => {
  const { sandbox } = await openWorld();
  const description: unknown = await (await fetch(`${sandbox.url}/openapi.json`)).json();
  expect(description).toMatchObject({
    paths: { "/v1/knowledge-bases/{id}/documents": { post: { requestBody: { required: true } } } },
  });
});
