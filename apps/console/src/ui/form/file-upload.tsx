// Form control for one file: drop or choose, upload progress, preview, replacement.
import type { Reply } from "@cabinet/contract/kit/endpoint.ts";
import { type FileKind, fileKindRules, sizeText } from "@cabinet/contract/kit/upload.rules.ts";
import { type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { ApiError } from "../../kit/errors.ts";
import { messageOf } from "../../kit/feedback.ts";
import { type UploadSpec, uploadFile } from "../../kit/upload.ts";
import { Button } from "../display/button.tsx";
import { SvgIcon } from "../display/svg-icon.tsx";
import type { Control } from "./control.ts";
import { FileDrop } from "./file-drop.tsx";
import { RunningUploads } from "./running-uploads.ts";
import "../display/bar.css";
import "./file-upload.css";

/** The value is the reply of the upload. */
export interface FileUploadProps<Spec extends UploadSpec>
  extends Control<Reply<Spec> | null | undefined, Reply<Spec> | null> {
  spec: Spec;
  /** Extra form fields sent with the file. */
  fields?: Readonly<Record<string, string | number | undefined>>;
  /** Renders the uploaded file. */
  preview: (file: Reply<Spec>) => ReactNode;
  hint?: ReactNode;
}

interface Underway {
  name: string;
  part: number;
  cancel: () => void;
}

const endingOf = (name: string) => /\.[^.]+$/.exec(name.toLowerCase())?.[0] ?? "";

/** Checks name and size before the upload; only the server checks the content. */
function problemOf(file: File, kinds: readonly FileKind[]): string | null {
  const ending = endingOf(file.name);
  const kind = kinds.find((each) => fileKindRules[each].accept.split(",").includes(ending));
  if (!kind) return `不支持“${file.name}”，请选择${formatsOf(kinds)}`;
  const { title, maxBytes } = fileKindRules[kind];
  if (file.size === 0) return `“${file.name}”是空文件，请换一个`;
  if (file.size <= maxBytes) return null;
  return `${title}不能超过 ${sizeText(maxBytes)}，这个文件有 ${sizeText(file.size)}，请压缩后重试`;
}

function formatsOf(kinds: readonly FileKind[]): string {
  return kinds
    .map((kind) => {
      const { title, formats, maxBytes } = fileKindRules[kind];
      return `${title}（${formats}，不超过 ${sizeText(maxBytes)}）`;
    })
    .join("或");
}

export function FileUpload<Spec extends UploadSpec>(props: FileUploadProps<Spec>) {
  const { spec, fields = {}, preview, hint, id, value, onChange } = props;
  const kinds = spec.uploads ?? [];
  const [underway, setUnderway] = useState<Underway | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const controller = useRef<AbortController | null>(null);
  const before = useRef<Reply<Spec> | null>(null);
  const running = useContext(RunningUploads);
  useEffect(() => () => controller.current?.abort(), []);

  const send = async (file: File) => {
    const found = problemOf(file, kinds);
    setProblem(found);
    if (found) return;
    // During an upload the field is empty already.
    if (!underway) before.current = value ?? null;
    const mine = new AbortController();
    controller.current?.abort();
    controller.current = mine;
    const show = (part: number) =>
      setUnderway({ name: file.name, part, cancel: () => mine.abort() });
    show(0);
    running.count += 1;
    // Clears the value first: the replaced file must not count any more.
    onChange?.(null);
    try {
      onChange?.(
        await uploadFile(spec, { file, fields }, { signal: mine.signal, onProgress: show }),
      );
    } catch (error) {
      // Another upload has taken its place.
      if (controller.current !== mine) return;
      onChange?.(before.current);
      const isCancelled = error instanceof ApiError && error.kind === "aborted";
      if (!isCancelled) setProblem(messageOf(error));
    } finally {
      running.count -= 1;
      if (controller.current === mine) setUnderway(null);
    }
  };

  return (
    <FileDrop
      className="ui-upload"
      label="选择文件"
      accept={kinds.map((kind) => fileKindRules[kind].accept).join(",")}
      onFile={(file) => void send(file)}
    >
      {(choose) => (
        <>
          {underway ? (
            <UploadProgress underway={underway} />
          ) : value ? (
            <div className="ui-upload-done">
              {preview(value)}
              <Button {...(id && { id })} onClick={choose}>
                更换文件
              </Button>
            </div>
          ) : (
            <button {...(id && { id })} type="button" className="ui-upload-drop" onClick={choose}>
              <SvgIcon name="up" />
              <span>
                拖到这里，或<b>点击选择</b>
              </span>
              <span className="ui-upload-hint">{hint ?? formatsOf(kinds)}</span>
            </button>
          )}
          {problem && (
            <p className="ui-upload-problem" role="alert">
              {problem}
            </p>
          )}
        </>
      )}
    </FileDrop>
  );
}

function UploadProgress({ underway: { name, part, cancel } }: { underway: Underway }) {
  const percent = Math.floor(part * 100);
  return (
    <div className="ui-upload-way" role="status">
      <span className="ui-upload-name">{name}</span>
      <progress className="ui-bar" value={percent} max={100} aria-label="上传进度" />
      <span className="ui-upload-percent">{percent < 100 ? `${percent}%` : "正在检查…"}</span>
      <Button type="text" onClick={cancel}>
        取消
      </Button>
    </div>
  );
}
