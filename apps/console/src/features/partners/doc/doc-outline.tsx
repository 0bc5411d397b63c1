// Container of a document's outline: beside the text, or collapsed above it on narrow screens.
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { DocLanguage } from "../../../kit/doc-language.ts";
import { below } from "../../../kit/tokens.ts";
import { docTexts } from "./doc-texts.ts";

/** `children` receives a callback that collapses the outline after an entry was chosen. */
export function DocOutline({
  language,
  children,
}: {
  language: DocLanguage;
  children: (fold: () => void) => ReactNode;
}) {
  const details = useRef<HTMLDetailsElement>(null);
  const isNarrow = useIsNarrow();
  const fold = () => {
    if (details.current) details.current.open = false;
  };
  return (
    <nav className="doc-outline" aria-label={docTexts[language].outline}>
      {isNarrow ? (
        <details ref={details}>
          <summary>{docTexts[language].outline}</summary>
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
