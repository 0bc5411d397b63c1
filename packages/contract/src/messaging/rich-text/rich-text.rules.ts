// Allow-list of rich text (富文本), shared by the server that stores it and the pages that show it.
import { isExternalLink } from "../../kit/external-link.rules.ts";

/** All other tags are removed when the text is stored, and again when it is shown. */
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

/** Allowed attributes: links, images, and `start` of an ordered list. */
export const RICH_TEXT_ATTRIBUTES = {
  a: ["href"],
  img: ["src", "alt"],
  ol: ["start"],
} as const;

/** Limit in characters of HTML; at three bytes each still below the request limit. */
export const RICH_TEXT_MAX = 60_000;
/** Limit for texts that are read on a phone. */
export const RICH_TEXT_IMAGES_MAX = 20;

const IMAGE_BASE = "/api/app/v1/rich-text/image/";
const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const imageAddress = new RegExp(`^${IMAGE_BASE}(${UUID})$`);

/** Address of an image in a text: the path below the origin at which apps fetch it. */
export function imageAddressOf(fileId: string): string {
  return IMAGE_BASE + fileId;
}

/** Null: not an image stored by us. */
export function imageIdOf(address: string): string | null {
  return imageAddress.exec(address)?.[1] ?? null;
}

/** Distinct image ids in text order; requires sanitised HTML. */
export function imageIdsIn(html: string): string[] {
  const ids = html.matchAll(new RegExp(`src="${IMAGE_BASE}(${UUID})"`, "g"));
  return [...new Set([...ids].map(([, id = ""]) => id))];
}

const LINK_MAX = 500;

/** Problem of a link, in Chinese; null when there is none. */
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

/** Plain text of sanitised HTML on one line. */
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

/** True if the text has neither characters nor images. */
export function isEmptyRichText(html: string): boolean {
  return plainTextOf(html) === "" && !html.includes("<img ");
}
