import { reasonWords } from "../domain/ground/reason-words.ts";
import { CONTENT_TYPE } from "./instruments.ts";
import { endWith, serveBeside, type SideServer } from "../side-server.ts";

/**
 * Serves `GET /metrics` at the address of OUTDIAL_METRICS_LISTEN; `url` is where they are.
 *
 * @param text a text for everybody who asks while it is being made
 */
export async function serveMetrics(
  address: { host: string; port: number },
  text: () => Promise<string>,
): Promise<SideServer> {
  let underWay: Promise<string> | undefined;
  const once = (): Promise<string> =>
    (underWay ??= text().finally(() => {
      underWay = undefined;
    }));
  const { url, close } = await serveBeside({
    setting: "OUTDIAL_METRICS_LISTEN",
    address,
    paths: "metrics are at /metrics",
    answer: (path) =>
      path === "/metrics"
        ? (response) =>
            void once().then(
              (body) => response.writeHead(200, { "content-type": CONTENT_TYPE }).end(body),
              (error: unknown) => endWith(response, 500, `metrics can't be told: ${reasonWords(error)}`),
            )
        : undefined,
  });
  return { url: `${url}/metrics`, close };
}
