// Search in a document: lists matching sections, scrolls to them and highlights the words.
import {
  type KeyboardEvent,
  type RefObject,
  useDeferredValue,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";
import type { DocLanguage } from "../../../kit/doc-language.ts";
import { type DocSection, searchSections, wordsOf } from "./doc.rules.ts";
import { docTexts } from "./doc-texts.ts";
import "./doc-search.css";

const MARK = "doc-search";

export function DocSearch({
  language,
  text,
}: {
  language: DocLanguage;
  text: RefObject<HTMLElement | null>;
}) {
  const texts = docTexts[language];
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState("");
  const [isOpen, setIsOpen] = useState(false);
  const wanted = useDeferredValue(typed);
  const [sections, setSections] = useState<DocSection[]>([]);
  useEffect(() => setSections(sectionsOf(text.current)), [text]);
  const hits = useMemo(() => searchSections(sections, wanted), [sections, wanted]);
  useEffect(() => markWords(text.current, wordsOf(wanted)), [text, wanted]);
  useEffect(() => {
    const leave = ({ target }: Event) => {
      if (target instanceof Node && !box.current?.contains(target)) setIsOpen(false);
    };
    document.addEventListener("pointerdown", leave);
    return () => document.removeEventListener("pointerdown", leave);
  }, []);

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    const links = [...(box.current?.querySelectorAll<HTMLElement>("a") ?? [])];
    const at = links.indexOf(document.activeElement as HTMLElement);
    const input = box.current?.querySelector("input");
    if (event.key === "Escape") {
      setIsOpen(false);
      input?.focus();
    } else if (event.key === "ArrowDown") {
      event.preventDefault();
      links[Math.min(at + 1, links.length - 1)]?.focus();
    } else if (event.key === "ArrowUp") {
      event.preventDefault();
      if (at <= 0) input?.focus();
      else links[at - 1]?.focus();
    } else if (event.key === "Enter" && at < 0) {
      links[0]?.click();
    }
  }

  const isShown = isOpen && wanted.trim() !== "";
  return (
    <search ref={box} className="doc-search" onKeyDown={onKeyDown}>
      <input
        type="search"
        aria-label={texts.search}
        aria-controls={id}
        aria-expanded={isShown}
        role="combobox"
        placeholder={texts.search}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          setIsOpen(true);
        }}
        onFocus={() => setIsOpen(true)}
      />
      <div id={id} className="doc-hits" hidden={!isShown}>
        <p role="status">{hits.length === 0 ? texts.nothing : texts.hits(hits.length)}</p>
        <ul>
          {hits.map(({ id, chapter, title, before, match, after }) => (
            <li key={id}>
              <a href={`#${id}`} onClick={() => setIsOpen(false)}>
                <strong>{title === chapter ? title : `${chapter} › ${title}`}</strong>
                <span>
                  {before}
                  <mark>{match}</mark>
                  {after}
                </span>
              </a>
            </li>
          ))}
        </ul>
      </div>
    </search>
  );
}

function sectionsOf(text: HTMLElement | null): DocSection[] {
  const sections: DocSection[] = [];
  let chapter = "";
  for (const node of text?.querySelectorAll("section > *") ?? []) {
    if (/^H[2-5]$/.test(node.tagName)) {
      const title = node.firstChild?.parentElement ? titleOf(node) : "";
      if (node.tagName === "H2") chapter = title;
      sections.push({ id: node.id, chapter, title, text: "" });
    } else {
      const last = sections.at(-1);
      if (last) last.text += ` ${(node.textContent ?? "").replace(/\s+/g, " ")}`;
    }
  }
  return sections;
}

/** Heading text without its anchor link. */
function titleOf(heading: Element): string {
  return [...heading.childNodes]
    .filter((node) => !(node instanceof Element && node.classList.contains("doc-anchor")))
    .map((node) => node.textContent)
    .join("");
}

/** Highlights words with the CSS Custom Highlight API, so the DOM stays unchanged. */
function markWords(text: HTMLElement | null, words: string[]): (() => void) | undefined {
  if (!text || words.length === 0 || !("highlights" in CSS)) return;
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const low = (node.textContent ?? "").toLowerCase();
    for (const word of words) {
      for (let at = low.indexOf(word); at >= 0; at = low.indexOf(word, at + word.length)) {
        const range = new Range();
        range.setStart(node, at);
        range.setEnd(node, at + word.length);
        ranges.push(range);
      }
    }
  }
  CSS.highlights.set(MARK, new Highlight(...ranges));
  return () => CSS.highlights.delete(MARK);
}
