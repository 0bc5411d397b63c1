// Small icons of the shell, outlines on a 24 × 24 grid.
import "./glyph.css";

const glyphs = {
  menu: "M4 6.5h16M4 12h16M4 17.5h16",
  chevron: "m9 5.5 6.5 6.5L9 18.5",
  bell: "M6 10a6 6 0 0 1 12 0c0 5.2 2 6.6 2 6.6H4S6 15.2 6 10ZM10 20a2.2 2.2 0 0 0 4 0",
  inbox: "M4 13.5 6.5 5h11l2.5 8.5v5.5H4ZM4 13.5h5a3 3 0 0 0 6 0h5",
  search: "M11 4.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13ZM16 16l4.5 4.5",
  sun: "M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8ZM12 3v1.6M12 19.4V21M3 12h1.6M19.4 12H21M5.6 5.6l1.2 1.2M17.2 17.2l1.2 1.2M18.4 5.6l-1.2 1.2M6.8 17.2l-1.2 1.2",
  moon: "M19.5 14.2A8 8 0 0 1 9.8 4.5a8 8 0 1 0 9.7 9.7Z",
  close: "M6.5 6.5l11 11M17.5 6.5l-11 11",
  leave: "M10 4.5H5.5v15H10M14.5 8l4 4-4 4M18.5 12H10",
  check: "m5.5 12.5 4 4 9-9.5",
  alert: "M12 4 3 19.5h18zM12 10v4.5M12 17.2v.1",
  info: "M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17ZM12 11v5.5M12 7.8v.1",
  visit:
    "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM12 9.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6Z",
  external: "M13.5 5H19v5.5M19 5l-8 8M16.5 14v5h-12V7H10",
} as const;

export type GlyphName = keyof typeof glyphs;

/** Decorative: the adjacent text or the button's label carries the meaning. */
export function Glyph({ name, className = "" }: { name: GlyphName; className?: string }) {
  return (
    <svg className={`glyph ${className}`} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={glyphs[name]} />
    </svg>
  );
}
