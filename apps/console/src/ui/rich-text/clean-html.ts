// Sanitizes rich text again before display (promise I3), with the same allow-list as the server.
import {
  imageIdOf,
  isLinkAllowed,
  RICH_TEXT_ATTRIBUTES,
  RICH_TEXT_TAGS,
} from "@cabinet/contract/messaging/rich-text/rich-text.rules.ts";
import DOMPurify from "dompurify";

const config = {
  ALLOWED_TAGS: [...RICH_TEXT_TAGS, "#text"],
  ALLOWED_ATTR: [...new Set<string>(Object.values(RICH_TEXT_ATTRIBUTES).flat())],
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
};

/**
 * Sanitizes HTML for display. Images get their file id in `data-file` and no `src`, so that nothing
 * is fetched before it is needed.
 */
export function cleanFragment(html: string): DocumentFragment {
  const fragment = DOMPurify.sanitize(html, { ...config, RETURN_DOM_FRAGMENT: true });
  for (const image of fragment.querySelectorAll("img")) {
    const id = imageIdOf(image.getAttribute("src") ?? "");
    image.removeAttribute("src");
    if (id) image.dataset.file = id;
    else image.remove();
  }
  for (const link of fragment.querySelectorAll("a")) {
    if (!isLinkAllowed(link.getAttribute("href") ?? "")) link.removeAttribute("href");
    link.target = "_blank";
    link.rel = "noopener noreferrer nofollow";
  }
  return fragment;
}

/** Sanitizes pasted HTML the same way as the server stores it. */
export function cleanPasted(html: string): string {
  const fragment = DOMPurify.sanitize(html, { ...config, RETURN_DOM_FRAGMENT: true });
  for (const image of fragment.querySelectorAll("img")) {
    if (!imageIdOf(image.getAttribute("src") ?? "")) image.remove();
  }
  for (const link of fragment.querySelectorAll("a")) {
    if (!isLinkAllowed(link.getAttribute("href") ?? "")) link.replaceWith(...link.childNodes);
  }
  const box = document.createElement("div");
  box.append(fragment);
  return box.innerHTML;
}
