// Container of a document's outline: beside the text, or collapsed above it on narrow screens.
import { type ReactNode, useEffect, useRef, useState } from "react";
import { below } from "../../../kit/tokens.ts";

/** `children` receives a callback that collapses the outline after an entry was chosen. */
export function DocOutline({ children }: { children: (fold: () => void) => ReactNode }) {
  const details = useRef<HTMLDetailsElement>(null);
  const isNarrow = useIsNarrow();
  const fold = () => {
    if (details.current) details.current.open = false;
  };
  return (
    <nav className="doc-outline" aria-label="目录">
      {isNarrow ? (
        <details ref={details}>
          <summary>目录</summary>
          {children(fold)}
        </details>
      ) : (
        children(fold)
      )}
    </nav>
  );
}

const narrow = below("tablet");

function useIsNarrow(): boolean {
  const [isNarrow, setIsNarrow] = useState(narrow.matches);
  useEffect(() => {
    const follow = () => setIsNarrow(narrow.matches);
    narrow.addEventListener("change", follow);
    return () => narrow.removeEventListener("change", follow);
  }, []);
  return isNarrow;
}
