// Displays a stored image of a rich text by fetch, because an `<img>` cannot send the session's
// headers.
import { richTextContract } from "@cabinet/contract/messaging/rich-text/rich-text.contract.ts";
import { fetchFile } from "../../kit/upload.ts";

/** Returns a cleanup function to call when the image is unmounted. */
export function showImage(image: HTMLImageElement, fileId: string): () => void {
  const controller = new AbortController();
  let url: string | null = null;
  image.dataset.state = "loading";
  fetchFile(richTextContract.image, { fileId }, controller.signal).then(
    (blob) => {
      url = URL.createObjectURL(blob);
      image.src = url;
      image.dataset.state = "shown";
    },
    () => {
      if (controller.signal.aborted) return;
      image.dataset.state = "failed";
      image.alt = image.alt ? `图片加载失败：${image.alt}` : "图片加载失败";
    },
  );
  return () => {
    controller.abort();
    if (url) URL.revokeObjectURL(url);
  };
}
