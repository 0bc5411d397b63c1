// Image or video of an advert: thumbnail in lists, playing in previews.
import { type AdvertFile, advertContract } from "@cabinet/contract/fleet/advert/advert.contract.ts";
import { sizeText } from "@cabinet/contract/kit/upload.rules.ts";
import { useFileUrl } from "../../../kit/upload.ts";
import { SvgIcon } from "../../../ui/display/svg-icon.tsx";
import "./advert-media.css";

/** Fills its box, as on the cabinet's screen. */
export function AdvertMedia({ file, alt }: { file: AdvertFile; alt: string }) {
  const { url, error } = useFileUrl(advertContract.file, { fileId: file.id });
  if (error) return <span className="advert-media-note">{error.message}</span>;
  if (!url) return <span className="advert-media-note ui-skeleton" />;
  return file.kind === "VIDEO" ? (
    <video className="advert-media" src={url} autoPlay loop muted playsInline aria-label={alt} />
  ) : (
    <img className="advert-media" src={url} alt={alt} />
  );
}

/** Videos show an icon: downloading one for a thumbnail is too expensive. */
export function AdvertThumb({ file }: { file: AdvertFile }) {
  const isFilm = file.kind === "VIDEO";
  const { url } = useFileUrl(advertContract.file, isFilm ? null : { fileId: file.id });
  return (
    <span className="advert-thumb">
      {isFilm ? <SvgIcon name="film" label="视频" /> : url && <img src={url} alt="" />}
    </span>
  );
}

/** Formats as `图片 1080×1920 · 312 KB`. */
export function fileFacts(file: AdvertFile): string {
  const size = file.width && file.height ? ` ${file.width}×${file.height}` : "";
  const length = file.durationMs ? ` · ${Math.round(file.durationMs / 1000)} 秒` : "";
  const kind = file.kind === "VIDEO" ? "视频" : "图片";
  return `${kind}${size}${length} · ${sizeText(file.sizeBytes)}`;
}
