import { Link } from "wouter-preact";

/** Of a viewer's masked number there is no page. */
export function PersonLink({ phone }: { phone: string }) {
  if (!/^\+\d+$/.test(phone)) return <span class="number">{phone}</span>;
  return (
    <Link href={`/people/${encodeURIComponent(phone)}`} class="number">
      {phone}
    </Link>
  );
}
