// Link within the console that draws an anchor and nothing else.
import type { AnchorHTMLAttributes, MouseEvent } from "react";

type Follow = (to: string, options: { replace: boolean; state: unknown }) => unknown;

let followTo: Follow | null = null;

/** Sets the router that follows links. Until then, a click loads the page. */
export function followLinksBy(follow: Follow): void {
  followTo = follow;
}

export interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  to: string;
  /** History state of the page that it leads to. */
  state?: unknown;
}

/** Unlike the router's `Link`, does not read the location, which would draw it again at each change of the URL. */
export function Link({ to, state, onClick, ...rest }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const { target, href } = event.currentTarget;
    const { button, metaKey, ctrlKey, shiftKey, altKey, defaultPrevented } = event;
    const isHere = button === 0 && !(metaKey || ctrlKey || shiftKey || altKey || target);
    if (!followTo || defaultPrevented || !isHere) return;
    event.preventDefault();
    const { pathname, search, hash } = new URL(href);
    followTo(`${pathname}${search}${hash}`, { replace: href === location.href, state });
  };
  return <a {...rest} href={to} onClick={follow} />;
}
