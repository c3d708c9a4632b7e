import { keepPreviousData, useQuery } from "@tanstack/preact-query";
import { useEffect, useState } from "preact/hooks";
import type { components } from "outdial/api";

import { useClient } from "../../../api/client.ts";
import { useMay } from "../../../api/session.ts";

/** Whoever types is not asked about each letter. */
const REST_MS = 500;

/** What is wrong with a document as it stands, asked for once nobody types. */
export function useCheck(definition: components.SequenceDefinition | undefined) {
  const client = useClient();
  const may = useMay("checkSequence");
  const [asked, setAsked] = useState(definition);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(definition), REST_MS);
    return () => clearTimeout(timer);
  }, [definition]);
  const check = useQuery({
    queryKey: ["checkSequence", JSON.stringify(asked) ?? ""],
    queryFn: async ({ signal }) => {
      if (asked === undefined) throw new Error("nothing is asked");
      return client.checkSequence({ body: { definition: asked }, signal });
    },
    enabled: may && asked !== undefined,
    placeholderData: keepPreviousData,
  });
  return { ...check, isUnderWay: may && (check.isFetching || asked !== definition) };
}
