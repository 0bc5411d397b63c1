// A form's control for a few photos: taken or chosen, seen while they are on their way, taken out again.

import { fileKindRules, sizeText } from "@cabinet/contract/kit/upload.rules.ts";
import {
  type MalfunctionPhoto,
  malfunctionContract,
} from "@cabinet/contract/malfunction/malfunction.contract.ts";
import { MAX_PHOTOS } from "@cabinet/contract/malfunction/malfunction.rules.ts";
import { useEffect, useRef, useState } from "react";
import { messageOf } from "../../kit/feedback.ts";
import { smallPhoto } from "../../kit/small-photo.ts";
import { uploadFile } from "../../kit/upload.ts";
import { FileDrop } from "../../ui/file-drop.tsx";
import { SvgIcon } from "../../ui/svg-icon.tsx";
import { PhotoImage } from "./photo-grid.tsx";
import "./photos.css";

export interface PhotosInputProps {
  /** Whose photos they are; undefined: the account's own tenant's. */
  tenantId?: number | undefined;
  /** These three are given by the form. */
  id?: string;
  value?: MalfunctionPhoto[];
  onChange?: (photos: MalfunctionPhoto[]) => void;
}

const rule = fileKindRules.IMAGE;
/** By media type: telephones offer their camera then, and make a JPEG of what they take. */
const ACCEPT = "image/jpeg,image/png,image/webp";

export function PhotosInput({ tenantId, id, value = [], onChange }: PhotosInputProps) {
  const [percent, setPercent] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);

  const send = async (taken: File) => {
    setProblem(null);
    setPercent(0);
    const mine = new AbortController();
    controller.current = mine;
    try {
      const file = await smallPhoto(taken);
      if (file.size > rule.maxBytes) {
        const [limit, has] = [sizeText(rule.maxBytes), sizeText(file.size)];
        throw new Error(`照片不能超过 ${limit}，这张有 ${has}，请换一张`);
      }
      const photo = await uploadFile(
        malfunctionContract.uploadPhoto,
        { file, fields: { tenantId } },
        { signal: mine.signal, onProgress: (part) => setPercent(Math.floor(part * 100)) },
      );
      onChange?.([...value, photo]);
    } catch (error) {
      if (!mine.signal.aborted) setProblem(messageOf(error));
    } finally {
      if (!mine.signal.aborted) setPercent(null);
    }
  };

  return (
    <FileDrop
      className="malfunction-photos"
      label="选择照片"
      accept={ACCEPT}
      onFile={(file) => void send(file)}
    >
      {(choose) => (
        <>
          <ul>
            {value.map((photo) => (
              <li key={photo.id}>
                <PhotoImage photo={photo} />
                <button
                  type="button"
                  className="malfunction-photo-out"
                  aria-label={`移除照片 ${photo.name}`}
                  onClick={() => onChange?.(value.filter((each) => each.id !== photo.id))}
                >
                  ×
                </button>
              </li>
            ))}
            {value.length < MAX_PHOTOS && (
              <li>
                <button
                  {...(id && { id })}
                  type="button"
                  className="malfunction-photo-add"
                  disabled={percent !== null}
                  onClick={choose}
                >
                  <SvgIcon name="up" />
                  <span>
                    {percent === null ? "拍照或选择" : percent < 100 ? `${percent}%` : "正在检查…"}
                  </span>
                </button>
              </li>
            )}
          </ul>
          <small>
            最多 {MAX_PHOTOS} 张，{rule.formats}；大照片会自动缩小
          </small>
          {problem && <p role="alert">{problem}</p>}
        </>
      )}
    </FileDrop>
  );
}
