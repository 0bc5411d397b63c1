// Document chapters from the build, their outline and full-text search.

export interface DocHeading {
  id: string;
  /** 1: chapter, 2: section, 3: subsection. */
  level: number;
  text: string;
}

export interface DocChapter {
  headings: DocHeading[];
  html: string;
}

/** A heading with the text up to the next heading. */
export interface DocSection {
  id: string;
  chapter: string;
  title: string;
  text: string;
}

export interface DocHit {
  id: string;
  chapter: string;
  title: string;
  before: string;
  match: string;
  after: string;
}

export interface OutlineEntry {
  id: string;
  text: string;
  sections: DocHeading[];
}

/** Chapters with their sections; deeper headings are left out. */
export function outlineOf(chapters: readonly DocChapter[]): OutlineEntry[] {
  return chapters.flatMap(({ headings }) => {
    const [first, ...rest] = headings;
    if (!first) return [];
    return [{ id: first.id, text: first.text, sections: rest.filter(({ level }) => level === 2) }];
  });
}

const CONTEXT = 36;
const MAX_HITS = 30;

/** Sections that contain every word; sections with all words in the title come first. */
export function searchSections(sections: readonly DocSection[], typed: string): DocHit[] {
  const words = wordsOf(typed);
  if (words.length === 0) return [];
  const found = sections.flatMap((section) => {
    const title = section.title.toLowerCase();
    const text = section.text.toLowerCase();
    if (!words.every((word) => title.includes(word) || text.includes(word))) return [];
    const isTitle = words.every((word) => title.includes(word));
    return [{ isTitle, hit: hitOf(section, words) }];
  });
  return found
    .sort((one, other) => Number(other.isTitle) - Number(one.isTitle))
    .slice(0, MAX_HITS)
    .map(({ hit }) => hit);
}

export function wordsOf(typed: string): string[] {
  return typed.toLowerCase().split(/\s+/).filter(Boolean);
}

function hitOf({ id, chapter, title, text }: DocSection, words: readonly string[]): DocHit {
  const low = text.toLowerCase();
  const word = words.find((each) => low.includes(each)) ?? "";
  const at = word ? low.indexOf(word) : 0;
  const from = Math.max(0, at - CONTEXT);
  const end = at + word.length;
  return {
    id,
    chapter,
    title,
    before: `${from > 0 ? "…" : ""}${text.slice(from, at)}`,
    match: text.slice(at, end),
    after: text.slice(end, end + CONTEXT * 2),
  };
}
