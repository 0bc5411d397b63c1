// Downscales camera photos before the upload, for slow connections.

/** Smaller files are sent unchanged. */
const FINE_BYTES = 1024 * 1024;
/** Longer edge, in pixels. */
const MAX_EDGE = 2048;
const QUALITY = 0.85;

/**
 * Returns the photo as a smaller JPEG; returns the file unchanged if it is small or cannot be
 * decoded.
 */
export async function smallPhoto(file: File): Promise<File> {
  if (file.size <= FINE_BYTES) return file;
  try {
    const picture = await createImageBitmap(file);
    const scale = Math.min(1, MAX_EDGE / Math.max(picture.width, picture.height));
    const canvas = new OffscreenCanvas(
      Math.round(picture.width * scale),
      Math.round(picture.height * scale),
    );
    canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    const jpeg = await canvas.convertToBlob({ type: "image/jpeg", quality: QUALITY });
    if (jpeg.size >= file.size) return file;
    return new File([jpeg], file.name.replace(/(\.[^.]*)?$/, ".jpg"), { type: jpeg.type });
  } catch {
    return file;
  }
}
