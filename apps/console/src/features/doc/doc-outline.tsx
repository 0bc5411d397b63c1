// Where the outline of a document stands: beside the text, or folded above it on a narrow screen.
import { type ReactNode, useEffect, useRef, useState } from "react";

/** `children` gets what folds the outline again when something of it was chosen. */
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

const narrow = matchMedia("(width < 992px)");

function useIsNarrow(): boolean {
  const [isNarrow, setIsNarrow] = useState(narrow.matches);
  useEffect(() => {
    const follow = () => setIsNarrow(narrow.matches);
    narrow.addEventListener("change", follow);
    return () => narrow.removeEventListener("change", follow);
  }, []);
  return isNarrow;
}
