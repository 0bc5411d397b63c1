// Decodes and re-encodes images: the output contains only pixels, of a bounded size.
import sharp, { type Sharp } from "sharp";

/** A photograph of a good camera has 24 million; a decompression bomb claims far more. */
const MAX_PIXELS = 40_000_000;
/** Larger than any cabinet's screen. */
const MAX_SIDE = 3840;
const SECONDS = 8;

// One image at a time on one core, so that uploads do not starve other work.
sharp.concurrency(1);
sharp.cache(false);

const encoders: Record<string, (image: Sharp) => Sharp> = {
  jpeg: (image) => image.jpeg({ quality: 86 }),
  png: (image) => image.png({ compressionLevel: 9 }),
  webp: (image) => image.webp({ quality: 86 }),
};

export interface CleanImage {
  bytes: Buffer;
  mediaType: string;
  width: number;
  height: number;
}

/** Null when it cannot be decoded completely, or exceeds the limits. */
export async function cleanImage(original: Buffer): Promise<CleanImage | null> {
  const input = { limitInputPixels: MAX_PIXELS, failOn: "error", animated: false } as const;
  try {
    const image = sharp(original, input);
    const { format } = await image.metadata();
    const encode = encoders[format];
    if (!encode) return null;
    const small = image
      .rotate()
      .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: "inside", withoutEnlargement: true })
      .timeout({ seconds: SECONDS });
    const { data, info } = await encode(small).toBuffer({ resolveWithObject: true });
    return {
      bytes: data,
      mediaType: `image/${info.format}`,
      width: info.width,
      height: info.height,
    };
  } catch {
    return null;
  }
}
