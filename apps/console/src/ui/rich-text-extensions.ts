// What the editor knows: the tags of the allow-list, and pictures that are fetched with the session.
import { imageIdOf, isLinkAllowed } from "@cabinet/contract/rich-text/rich-text.rules.ts";
import { Image } from "@tiptap/extension-image";
import { StarterKit } from "@tiptap/starter-kit";
import { showImage } from "./rich-text-image.ts";

/** Nothing but our own addresses; shown by fetching them. */
const StoredImage = Image.extend({
  parseHTML() {
    return [
      {
        tag: "img[src]",
        getAttrs: (element) => {
          const src = element.getAttribute("src") ?? "";
          return imageIdOf(src) ? { src, alt: element.getAttribute("alt") } : false;
        },
      },
    ];
  },
  addNodeView() {
    return ({ node }) => {
      const dom = document.createElement("img");
      dom.alt = String(node.attrs.alt ?? "");
      const end = showImage(dom, imageIdOf(String(node.attrs.src)) ?? "");
      return { dom, destroy: end };
    };
  },
}).configure({ inline: true });

export const richTextExtensions = [
  StarterKit.configure({
    heading: { levels: [2, 3] },
    trailingNode: false,
    link: {
      openOnClick: false,
      autolink: true,
      defaultProtocol: "https",
      protocols: ["mailto", "tel"],
      isAllowedUri: (link) => isLinkAllowed(link),
      HTMLAttributes: { target: null, rel: null, class: null },
    },
  }),
  StoredImage,
];
