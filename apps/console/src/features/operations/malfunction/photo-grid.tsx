// Photos of a malfunction: thumbnails with an enlarged view.
import {
  type MalfunctionPhoto,
  malfunctionContract,
} from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import { useState } from "react";
import { useFileUrl } from "../../../kit/upload.ts";
import { Modal } from "../../../ui/display/overlays.tsx";
import "./photos.css";

export function PhotoImage({ photo }: { photo: MalfunctionPhoto }) {
  const { url, error } = useFileUrl(malfunctionContract.photo, { fileId: photo.id });
  if (error) return <span className="malfunction-photo-none">无法显示</span>;
  return url ? <img src={url} alt={photo.name} /> : <span className="ui-skeleton" />;
}

export function PhotoGrid({ photos }: { photos: readonly MalfunctionPhoto[] }) {
  const [at, setAt] = useState<number | null>(null);
  const shown = at === null ? undefined : photos[at];
  if (photos.length === 0) return null;
  return (
    <div className="malfunction-photos">
      <ul>
        {photos.map((photo, index) => (
          <li key={photo.id}>
            <button
              type="button"
              className="malfunction-photo-open"
              aria-label={`查看照片 ${index + 1}`}
              onClick={() => setAt(index)}
            >
              <PhotoImage photo={photo} />
            </button>
          </li>
        ))}
      </ul>
      <Modal
        open={shown !== undefined}
        title={at === null ? "" : `照片 ${at + 1} / ${photos.length}`}
        footer={null}
        width={880}
        scrollLock={false}
        destroyOnHidden
        onCancel={() => setAt(null)}
      >
        {shown && (
          <div className="malfunction-photo-large">
            <PhotoImage photo={shown} />
          </div>
        )}
      </Modal>
    </div>
  );
}
