import { useContext } from "preact/hooks";

import { BrandContext, useSession } from "../api/session.ts";
import { firstBrand } from "./first-brand.ts";

/** Of which brand something is that is begun here. */
export function useFirstBrand(): string {
  return firstBrand(useContext(BrandContext), useSession().brands);
}
