import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { words } from "../words.ts";

interface PageProps {
  title: string;
  /** What can be done here. */
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** A page with its title: the window's, too, and what a reader of the screen comes to first after it has changed. */
export function Page({ title, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${words.product}`;
  }, [title]);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <>
      <div class="head">
        <h1 tabIndex={-1} ref={heading}>
          {title}
        </h1>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </div>
      {children}
    </>
  );
}

interface SectionProps {
  title: string;
  /** Beside the title. */
  aside?: ComponentChildren;
  children: ComponentChildren;
}

let sections = 0;

export function Section({ title, aside, children }: SectionProps) {
  const id = useRef(`section-${(sections += 1)}`).current;
  return (
    <section class="section" aria-labelledby={id}>
      <div class="head">
        <h2 id={id}>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
