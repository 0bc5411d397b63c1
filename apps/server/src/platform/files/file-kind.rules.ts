// Detects a file's kind by its first bytes, regardless of its name and declared type.
import type { FileKind } from "@cabinet/contract/kit/upload.rules.ts";

/** Number of leading bytes that `sniffKind` needs. */
export const SNIFF_BYTES = 12;

const images: readonly { mediaType: string; isIt: (head: string) => boolean }[] = [
  { mediaType: "image/jpeg", isIt: (head) => head.startsWith("\xff\xd8\xff") },
  { mediaType: "image/png", isIt: (head) => head.startsWith("\x89PNG\r\n\x1a\n") },
  {
    mediaType: "image/webp",
    isIt: (head) => head.startsWith("RIFF") && head.slice(8, 12) === "WEBP",
  },
];

/** Undefined for anything but raster images and MP4; above all for SVG and HTML. */
export function sniffKind(head: Uint8Array): { kind: FileKind; mediaType: string } | undefined {
  const text = String.fromCharCode(...head.subarray(0, SNIFF_BYTES));
  const image = images.find(({ isIt }) => isIt(text));
  if (image) return { kind: "IMAGE", mediaType: image.mediaType };
  if (text.slice(4, 8) === "ftyp") return { kind: "VIDEO", mediaType: "video/mp4" };
  return undefined;
}
