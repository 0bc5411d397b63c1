// Form control for a few photos: take or choose, upload with progress, remove.

import { fileKindRules, sizeText } from "@cabinet/contract/kit/upload.rules.ts";
import {
  type MalfunctionPhoto,
  malfunctionContract,
} from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import { MAX_PHOTOS } from "@cabinet/contract/operations/malfunction/malfunction.rules.ts";
import { type RefObject, useEffect, useRef, useState } from "react";
import { messageOf } from "../../../kit/feedback.ts";
import { smallPhoto } from "../../../kit/small-photo.ts";
import { uploadFile } from "../../../kit/upload.ts";
import { SvgIcon } from "../../../ui/display/svg-icon.tsx";
import type { Control } from "../../../ui/form/control.ts";
import { FileDrop } from "../../../ui/form/file-drop.tsx";
import type { Field } from "../../../ui/form/record-form.tsx";
import { PhotoImage } from "./photo-grid.tsx";
import "./photos.css";

interface PhotosInputProps extends Control<MalfunctionPhoto[]> {
  /** Tenant of the photos; undefined: the account's own tenant. */
  tenantId?: number | undefined;
  /** True while a photo is uploading. */
  isSending: RefObject<boolean>;
}

/** Form field for photos; blocks submission while an upload is running. */
export function usePhotosField(tenantId: number | undefined): Field<"photos"> {
  const isSending = useRef(false);
  return {
    name: "photos",
    label: "现场照片",
    control: <PhotosInput tenantId={tenantId} isSending={isSending} />,
    problem: () => (isSending.current ? "照片还在上传，请稍候再提交" : null),
  };
}

const rule = fileKindRules.IMAGE;
/** Media types, not extensions: phones then offer their camera and deliver a JPEG. */
const ACCEPT = "image/jpeg,image/png,image/webp";

function PhotosInput(props: PhotosInputProps) {
  const { tenantId, id, value = [], onChange, isSending } = props;
  const [percent, setPercent] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const controller = useRef<AbortController | null>(null);
  // Current value for the upload callback: photos may be removed while another uploads.
  const chosen = useRef(value);
  useEffect(() => {
    chosen.current = value;
  }, [value]);
  useEffect(
    () => () => {
      controller.current?.abort();
      isSending.current = false;
    },
    [isSending],
  );

  const send = async (taken: File) => {
    if (isSending.current || value.length >= MAX_PHOTOS) return;
    isSending.current = true;
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
      isSending.current = false;
      onChange?.([...chosen.current, photo]);
    } catch (error) {
      if (mine.signal.aborted) return;
      isSending.current = false;
      setProblem(messageOf(error));
      // Trigger validation again: the upload has ended and no longer blocks submission.
      onChange?.(chosen.current);
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
