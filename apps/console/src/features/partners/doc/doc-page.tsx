// Page of one document: chapters from the build, scroll-following outline, full-text search.
import { memo, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { useLocation } from "react-router";
import type { DocLanguage } from "../../../kit/doc-language.ts";
import { copyText } from "../../../ui/display/copy-text.ts";
import { type DocChapter, type OutlineEntry, outlineOf } from "./doc.rules.ts";
import { DocFrame } from "./doc-frame.tsx";
import { DocOutline } from "./doc-outline.tsx";
import { DocSearch } from "./doc-search.tsx";
import { docTexts } from "./doc-texts.ts";
import "./doc-page.css";

export interface DocPageProps {
  title: string;
  /** One sentence that names the audience. */
  lead: string;
  chapters: readonly DocChapter[];
  language: DocLanguage;
}

export function DocPage({ title, lead, chapters, language }: DocPageProps) {
  const text = useRef<HTMLElement>(null);
  const outline = useMemo(() => outlineOf(chapters), [chapters]);
  const current = useCurrentHeading(text);
  const ids = useMemo(
    () => chapters.flatMap(({ headings }) => headings.map(({ id }) => id)),
    [chapters],
  );
  // Number of the heading that was being read in the other language.
  const from: unknown = useLocation().state?.heading;
  useEffect(() => showAddressed(typeof from === "number" ? ids[from] : undefined), [from, ids]);
  return (
    <DocFrame
      language={language}
      heading={ids.indexOf(current)}
      search={<DocSearch language={language} text={text} />}
      outline={<Outline language={language} entries={outline} current={current} />}
    >
      <h1 className="doc-title">{title}</h1>
      <p className="doc-lead">{lead}</p>
      <Chapters chapters={chapters} text={text} language={language} />
    </DocFrame>
  );
}

/** Scrolls to the URL hash: the text renders after the browser has looked for the anchor. */
function showAddressed(heading = ""): void {
  const id = decodeURIComponent(location.hash.slice(1)) || heading;
  if (id) document.getElementById(id)?.scrollIntoView();
}

/** Distance from the top within which a heading counts as current; below where anchors land. */
const READING_PX = 120;
const COPIED_MS = 1_600;

/** Renders trusted HTML: the build makes it from repository Markdown with embedded HTML escaped. */
const Chapters = memo(function Chapters({
  chapters,
  text,
  language,
}: {
  chapters: readonly DocChapter[];
  text: RefObject<HTMLElement | null>;
  language: DocLanguage;
}) {
  useEffect(() => {
    const article = text.current;
    const copy = (event: MouseEvent) => void copyCode(event, language);
    article?.addEventListener("click", copy);
    return () => article?.removeEventListener("click", copy);
  }, [text, language]);
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

async function copyCode({ target }: MouseEvent, language: DocLanguage): Promise<void> {
  const button = target instanceof Element ? target.closest("[data-copy]") : null;
  const code = button?.closest(".doc-code")?.querySelector("code")?.textContent;
  if (!button || !code) return;
  const { copy, copied, notCopied } = docTexts[language];
  button.textContent = await copyText(code).then(
    () => copied,
    () => notCopied,
  );
  setTimeout(() => {
    button.textContent = copy;
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

function Outline({
  language,
  entries,
  current,
}: {
  language: DocLanguage;
  entries: OutlineEntry[];
  current: string;
}) {
  return (
    <DocOutline language={language}>
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
