// Page of one document: chapters from the build, scroll-following outline, full-text search.
import { memo, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { copyText } from "../../../ui/display/copy-text.ts";
import { type DocChapter, type OutlineEntry, outlineOf } from "./doc.rules.ts";
import { DocFrame } from "./doc-frame.tsx";
import { DocOutline } from "./doc-outline.tsx";
import { DocSearch } from "./doc-search.tsx";
import "./doc-page.css";

export interface DocPageProps {
  title: string;
  /** One sentence that names the audience. */
  lead: string;
  chapters: readonly DocChapter[];
}

export function DocPage({ title, lead, chapters }: DocPageProps) {
  const text = useRef<HTMLElement>(null);
  const outline = useMemo(() => outlineOf(chapters), [chapters]);
  const current = useCurrentHeading(text);
  useEffect(showAddressed, []);
  return (
    <DocFrame
      search={<DocSearch text={text} />}
      outline={<Outline entries={outline} current={current} />}
    >
      <h1 className="doc-title">{title}</h1>
      <p className="doc-lead">{lead}</p>
      <Chapters chapters={chapters} text={text} />
    </DocFrame>
  );
}

/** Scrolls to the URL hash: the text renders after the browser has looked for the anchor. */
function showAddressed(): void {
  const id = decodeURIComponent(location.hash.slice(1));
  if (id) document.getElementById(id)?.scrollIntoView();
}

/** Distance from the top within which a heading counts as current; below where anchors land. */
const READING_PX = 120;
const COPIED_MS = 1_600;

/** Renders trusted HTML: the build makes it from repository Markdown with embedded HTML escaped. */
const Chapters = memo(function Chapters({
  chapters,
  text,
}: {
  chapters: readonly DocChapter[];
  text: RefObject<HTMLElement | null>;
}) {
  useEffect(() => {
    const article = text.current;
    article?.addEventListener("click", copyCode);
    return () => article?.removeEventListener("click", copyCode);
  }, [text]);
  return (
    <article ref={text} className="doc-article">
      {chapters.map(({ headings, html }) => (
        <section
          key={headings[0]?.id}
          // biome-ignore lint/security/noDangerouslySetInnerHtml: trusted build output, see above.
          dangerouslySetInnerHTML={{ __html: html }}
        />
      ))}
    </article>
  );
});

async function copyCode({ target }: MouseEvent): Promise<void> {
  const button = target instanceof Element ? target.closest("[data-copy]") : null;
  const code = button?.closest(".doc-code")?.querySelector("code")?.textContent;
  if (!button || !code) return;
  button.textContent = await copyText(code).then(
    () => "已复制",
    () => "未能复制",
  );
  setTimeout(() => {
    button.textContent = "复制";
  }, COPIED_MS);
}

/** Id of the last heading scrolled past. */
function useCurrentHeading(text: RefObject<HTMLElement | null>): string {
  const [current, setCurrent] = useState("");
  useEffect(() => {
    const headings = [...(text.current?.querySelectorAll("h2[id], h3[id]") ?? [])];
    let frame = 0;
    const look = () => {
      frame = 0;
      const above = headings.filter((each) => each.getBoundingClientRect().top <= READING_PX);
      setCurrent((above.at(-1) ?? headings[0])?.id ?? "");
    };
    const follow = () => {
      frame ||= requestAnimationFrame(look);
    };
    look();
    window.addEventListener("scroll", follow, { passive: true });
    return () => {
      window.removeEventListener("scroll", follow);
      cancelAnimationFrame(frame);
    };
  }, [text]);
  return current;
}

function Outline({ entries, current }: { entries: OutlineEntry[]; current: string }) {
  return (
    <DocOutline>
      {(fold) => (
        <ol>
          {entries.map(({ id, text, sections }) => {
            const isOpen = id === current || sections.some((section) => section.id === current);
            return (
              <li key={id} data-open={isOpen}>
                <OutlineLink id={id} text={text} current={current} onChoose={fold} />
                {isOpen && sections.length > 0 && (
                  <ol>
                    {sections.map((section) => (
                      <li key={section.id}>
                        <OutlineLink {...section} current={current} onChoose={fold} />
                      </li>
                    ))}
                  </ol>
                )}
              </li>
            );
          })}
        </ol>
      )}
    </DocOutline>
  );
}

function OutlineLink({
  id,
  text,
  current,
  onChoose,
}: {
  id: string;
  text: string;
  current: string;
  onChoose: () => void;
}) {
  return (
    <a href={`#${id}`} aria-current={id === current ? "location" : undefined} onClick={onChoose}>
      {text}
    </a>
  );
}
