// Displays rich text.
import { useEffect, useRef } from "react";
import { cleanFragment } from "./clean-html.ts";
import { showImage } from "./rich-text-image.ts";
import "./rich-text.css";

export function RichTextView({ html }: { html: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const fragment = cleanFragment(html);
    const images = [...fragment.querySelectorAll("img")];
    box.current?.replaceChildren(fragment);
    const enders = images.map((image) => showImage(image, image.dataset.file ?? ""));
    return () => {
      for (const end of enders) end();
    };
  }, [html]);
  return <div ref={box} className="ui-rich-text" />;
}
