// Cleans rich text before it is stored (promise I3): keeps the allow-list and removes everything
// else.
import {
  imageIdOf,
  isLinkAllowed,
  RICH_TEXT_ATTRIBUTES,
  RICH_TEXT_TAGS,
} from "@cabinet/contract/messaging/rich-text/rich-text.rules.ts";
import sanitize from "sanitize-html";

/** Elements removed together with their contents, which are not text for people. */
const unread = "script style textarea option select noscript noembed noframes iframe object embed";
const foreign = "svg math template xmp plaintext title audio video canvas";

const options: sanitize.IOptions = {
  allowedTags: [...RICH_TEXT_TAGS],
  allowedAttributes: {
    a: [...RICH_TEXT_ATTRIBUTES.a],
    img: [...RICH_TEXT_ATTRIBUTES.img],
    ol: [...RICH_TEXT_ATTRIBUTES.ol],
  },
  allowedSchemes: ["http", "https", "mailto", "tel"],
  allowProtocolRelative: false,
  disallowedTagsMode: "discard",
  nonTextTags: `${unread} ${foreign}`.split(" "),
  transformTags: {
    h1: "h2",
    h4: "h3",
    h5: "h3",
    h6: "h3",
    b: "strong",
    i: "em",
    ins: "u",
    del: "s",
    strike: "s",
    div: "p",
    a: (_, { href = "" }): sanitize.Tag =>
      isLinkAllowed(href)
        ? { tagName: "a", attribs: { href: href.trim() } }
        : { tagName: "span", attribs: {} },
    ol: (_, { start = "" }): sanitize.Tag => ({
      tagName: "ol",
      attribs: /^\d{1,4}$/.test(start) ? { start } : {},
    }),
  },
  exclusiveFilter: ({ tag, attribs }) => tag === "img" && imageIdOf(attribs.src ?? "") === null,
};

const MOST_TAGS = 3_000;
const MOST_DEPTH = 100;
const TAG = /<(\/?)(\w+)/g;
const HAS_NO_END = /^(?:br|img|hr|input|wbr)$/i;

/** True for HTML that cleaning would take long for, which nothing else could happen meanwhile: its time grows with the square of the depth. */
export function isTooComplex(html: string): boolean {
  let tags = 0;
  let depth = 0;
  for (const [, end, name = ""] of html.matchAll(TAG)) {
    tags++;
    if (end) depth = Math.max(0, depth - 1);
    else if (!HAS_NO_END.test(name)) depth++;
    if (tags > MOST_TAGS || depth > MOST_DEPTH) return true;
  }
  return false;
}

/** Repeats until the result is stable: broken nesting can hide tags from the first pass. */
export function cleanHtml(html: string): string {
  let cleaned = html;
  for (let round = 0; round < ROUNDS; round++) {
    const again = sanitize(cleaned, options);
    if (again === cleaned) return cleaned;
    cleaned = again;
  }
  // Input that never becomes stable is stored as plain text.
  return sanitize(cleaned, { ...options, allowedTags: [] });
}

const ROUNDS = 6;
