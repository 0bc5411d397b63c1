// Editor extensions: the tags of the allow-list, and images fetched with the session.
import { imageIdOf, isLinkAllowed } from "@cabinet/contract/messaging/rich-text/rich-text.rules.ts";
import { Image } from "@tiptap/extension-image";
import { StarterKit } from "@tiptap/starter-kit";
import { showImage } from "./rich-text-image.ts";

/** Accepts only stored images of this server, and displays them by an authenticated fetch. */
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
