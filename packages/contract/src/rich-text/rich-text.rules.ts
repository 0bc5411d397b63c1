// What rich text (富文本) may be made of: the one allow-list of the server that stores it and of the pages that show it.
import { isExternalLink } from "../kit/external-link.rules.ts";

/** Everything else goes when it is stored, and again when it is shown. */
export const RICH_TEXT_TAGS = [
  "p",
  "h2",
  "h3",
  "strong",
  "em",
  "u",
  "s",
  "code",
  "pre",
  "blockquote",
  "ul",
  "ol",
  "li",
  "br",
  "hr",
  "a",
  "img",
] as const;

/** `start` of an ordered list is the only one beside links and pictures. */
export const RICH_TEXT_ATTRIBUTES = {
  a: ["href"],
  img: ["src", "alt"],
  ol: ["start"],
} as const;

/** In characters of HTML; three bytes each stay below what a call takes. */
export const RICH_TEXT_MAX = 60_000;
/** A text stands on a phone. */
export const RICH_TEXT_IMAGES_MAX = 20;

const IMAGE_BASE = "/api/app/v1/rich-text/image/";
const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const imageAddress = new RegExp(`^${IMAGE_BASE}(${UUID})$`);

/** How a picture stands in a text: the path below the origin at which an app fetches it. */
export function imageAddressOf(fileId: string): string {
  return IMAGE_BASE + fileId;
}

/** Null: no picture of ours. */
export function imageIdOf(address: string): string | null {
  return imageAddress.exec(address)?.[1] ?? null;
}

/** Each once, in the order of the text, which must have been cleaned. */
export function imageIdsIn(html: string): string[] {
  const ids = html.matchAll(new RegExp(`src="${IMAGE_BASE}(${UUID})"`, "g"));
  return [...new Set([...ids].map(([, id = ""]) => id))];
}

const LINK_MAX = 500;

/** What is wrong with a link, in words; null: nothing. */
export function linkProblem(link: string): string | null {
  const text = link.trim();
  if (text === "") return "请填写链接地址";
  if (text.length > LINK_MAX) return `链接地址最多 ${LINK_MAX} 个字符`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop them, so that they hide what follows
  if (!isExternalLink(text) || /[\u0000-\u0020<>"'`\\]/.test(text)) {
    return "链接应以 http://、https://、mailto: 或 tel: 开头，且不含空格和引号";
  }
  return null;
}

export function isLinkAllowed(link: string): boolean {
  return linkProblem(link) === null;
}

/** Of cleaned HTML: what can be read of it, on one line. */
export function plainTextOf(html: string): string {
  return html
    .replace(/<[^>]*>/g, " ")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&nbsp;/g, " ")
    .replace(/&amp;/g, "&")
    .replace(/\s+/g, " ")
    .trim();
}

/** Nothing to read and nothing to see. */
export function isEmptyRichText(html: string): boolean {
  return plainTextOf(html) === "" && !html.includes("<img ");
}
