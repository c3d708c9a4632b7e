import { brandChosen, useSession } from "../api/session.ts";
import { firstBrand } from "./first-brand.ts";

/** Of which brand something is that is begun here. */
export function useFirstBrand(): string {
  const session = useSession();
  return firstBrand(brandChosen(session), session.brands);
}
