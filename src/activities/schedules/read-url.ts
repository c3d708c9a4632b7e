import type { UrlSource } from "../../domain/campaigns/contact-source.ts";
import { UnknownSecretError, UnusableSecretError } from "../../domain/ground/secrets.ts";
import { DownloadRefusedError, type Downloads } from "../../outbound/download.ts";
import { OutboundError, OutboundRefusedError } from "../../outbound/errors.ts";
import type { SecretStore } from "../deps.ts";
import { SourceAwayError, SourceRefusedError } from "./source-errors.ts";

/** Both are wanted; whoever sends by what is asked for knows. */
const ACCEPT = "text/csv, application/x-ndjson;q=0.9, */*;q=0.5";

/**
 * Hands a list on from an address, as it comes.
 *
 * @param ports.brand of the campaign that it is for: secrets of other brands are not there for it
 * @throws SourceRefusedError, SourceAwayError with what the other side said.
 */
export async function readListUrl(
  source: UrlSource,
  ports: { downloads: Downloads; secrets: SecretStore; brand: string; signal?: AbortSignal | undefined },
  put: (piece: Uint8Array) => Promise<void>,
): Promise<void> {
  let url = "";
  try {
    const headers: Record<string, string> = { accept: ACCEPT };
    for (const [name, { secret }] of Object.entries(source.headers ?? {}))
      headers[name.toLowerCase()] = ports.secrets.read(secret, [ports.brand])[0] ?? "";
    url = addressOf(source, ports);
    const request = { url, headers, ...(ports.signal && { signal: ports.signal }) };
    await ports.downloads.read(request, async (body) => {
      for await (const piece of body) await put(piece);
    });
  } catch (error) {
    if (error instanceof UnknownSecretError || error instanceof UnusableSecretError)
      throw new SourceRefusedError(error.message);
    if (error instanceof OutboundRefusedError) throw new SourceRefusedError(error.message);
    if (error instanceof DownloadRefusedError)
      throw error.mayPass ? new SourceAwayError(error.message) : new SourceRefusedError(error.message);
    if (error instanceof OutboundError && error.kind !== "aborted" && error.kind !== "closed")
      throw new SourceAwayError(`no list came from ${new URL(url).host}: ${error.code}`);
    throw error;
  }
}

function addressOf({ url }: UrlSource, { secrets, brand }: { secrets: SecretStore; brand: string }): string {
  if (typeof url === "string") return url;
  const [newest = ""] = secrets.read(url.secret, [brand]);
  if (URL.canParse(newest) && /^https?:$/.test(new URL(newest).protocol)) return newest;
  throw new UnusableSecretError(
    url.secret,
    `the secret ${url.secret} is to be the list's address, and is none: give one that begins with https:// as its value`,
  );
}
