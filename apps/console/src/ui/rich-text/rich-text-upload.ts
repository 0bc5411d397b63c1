// Upload of an image for a rich text.

import { fileKindRules, sizeText } from "@cabinet/contract/kit/upload.rules.ts";
import type { RichTextImage } from "@cabinet/contract/messaging/rich-text/rich-text.contract.ts";
import { type UploadSpec, uploadFile } from "../../kit/upload.ts";

export type RichTextUpload = UploadSpec & { reply: typeof RichTextImage };

/** Checks an image before the upload; null if it is valid. */
export function imageProblem(file: File): string | null {
  const { maxBytes, formats } = fileKindRules.IMAGE;
  if (!file.type.startsWith("image/")) return `“${file.name}”不是图片，请选择 ${formats}`;
  if (file.size <= maxBytes) return null;
  return `图片不能超过 ${sizeText(maxBytes)}，这张有 ${sizeText(file.size)}，请压缩后重试`;
}

export function sendImage(
  spec: RichTextUpload,
  file: File,
  tenantId: number | undefined,
  signal: AbortSignal,
): Promise<RichTextImage> {
  return uploadFile(spec, { file, fields: { tenantId } }, { signal, onProgress: () => {} });
}
