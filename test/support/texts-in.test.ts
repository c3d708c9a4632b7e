import { temporal } from "@temporalio/proto";
import { expect, it } from "vitest";

import { textsIn } from "./texts-in.ts";

const { History } = temporal.api.history.v1;

it("reads what payloads say, names of headers and plain texts in a history as it comes from Temporal", () => {
  const payload = { metadata: { encoding: Buffer.from("json/plain") }, data: Buffer.from('{"who":"Ann"}') };
  const written = History.encode({
    events: [
      {
        workerMayIgnore: true,
        workflowExecutionStartedEventAttributes: {
          identity: "a worker",
          input: { payloads: [payload] },
          header: { fields: { "x-trace": payload } },
        },
      },
    ],
  }).finish();
  const text = textsIn(History.decode(written));
  for (const said of ["json/plain", '{"who":"Ann"}', "a worker", "x-trace"]) expect(text).toContain(said);
});
