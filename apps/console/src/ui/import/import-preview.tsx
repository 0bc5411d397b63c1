// Second import step: where the lines are, every line with its check result, and the import options.
import type { ImportMode } from "@cabinet/contract/kit/import.rules.ts";
import Radio from "antd/es/radio";
import { useState } from "react";
import { messageOf, toast } from "../../kit/feedback.ts";
import { Button } from "../display/button.tsx";
import { letterOf, type ReadFile } from "../sheet/sheet-rows.rules.ts";
import {
  accountText,
  type ImportPlace,
  type JudgedLine,
  type KnownTitles,
  missingColumns,
  type ReadLines,
} from "./import.rules.ts";
import { saveLines } from "./import-files.ts";
import { ImportLines } from "./import-lines.tsx";
import { ImportPlaceForm } from "./import-place-form.tsx";
import type { ImportReply, ImportSpec } from "./import-spec.ts";

/** Hidden lines that are named. */
const NAMED_LINES = 5;

export interface ImportPreviewProps<Name extends string, Reply extends ImportReply> {
  spec: ImportSpec<Name, Reply>;
  name: string;
  file: ReadFile;
  known: KnownTitles<Name>;
  place: ImportPlace<Name>;
  isCertain: boolean;
  /** Null: not readable at this place, by `failure`. */
  read: ReadLines<Name> | null;
  lines: readonly JudgedLine<Name>[];
  failure: string | null;
  isBusy: boolean;
  onPlace: (place: ImportPlace<Name>) => void;
  onImport: (mode: ImportMode) => void;
  onAgain: () => void;
}

export function ImportPreview<Name extends string, Reply extends ImportReply>(
  props: ImportPreviewProps<Name, Reply>,
) {
  const { spec, file, place, read, lines, isBusy, onImport, onAgain } = props;
  const [mode, setMode] = useState<ImportMode>("ALL_OR_NONE");
  const [isPlaceOpen, setIsPlaceOpen] = useState(!props.isCertain);
  const bad = lines.filter(({ state }) => state === "bad");
  const ready = lines.length - bad.length;
  const missing = missingColumns(place, spec.columns).map((name) => spec.columns[name].title);
  const blocked =
    missing.length > 0
      ? `请选择${missing.map((title) => `“${title}”`).join("、")}在哪一列`
      : props.failure
        ? props.failure
        : ready === 0
          ? "没有可导入的行"
          : bad.length > 0 && mode === "ALL_OR_NONE"
            ? `有 ${bad.length} 行有问题：请改正后重新选择文件，或改选“仅导入无误的行”`
            : null;
  return (
    <>
      <div className="import-summary">
        <b className="import-name">{props.name}</b>
        <span>{placeText(file, place)}</span>
        <button
          type="button"
          className="ui-link"
          aria-expanded={isPlaceOpen}
          onClick={() => setIsPlaceOpen((isOpen) => !isOpen)}
        >
          {isPlaceOpen ? "收起" : "更改表头和列"}
        </button>
      </div>
      {isPlaceOpen && (
        <ImportPlaceForm
          file={file}
          columns={spec.columns}
          known={props.known}
          place={place}
          isDisabled={isBusy}
          onChange={props.onPlace}
        />
      )}
      {read && (
        <>
          <ImportAccount read={read} lines={lines} isDone={false} />
          <HiddenParts file={file} place={place} read={read} />
          <ImportLines thing={spec.thing} columns={spec.columns} lines={lines} />
        </>
      )}
      <div className="import-foot">
        <Radio.Group
          aria-label="导入方式"
          value={mode}
          disabled={isBusy}
          onChange={(event) => setMode(event.target.value)}
        >
          <Radio value="ALL_OR_NONE">全部无误才导入</Radio>
          <Radio value="VALID_ONLY">仅导入无误的行</Radio>
        </Radio.Group>
        <div className="import-buttons">
          <Button disabled={isBusy} onClick={onAgain}>
            重新选择文件
          </Button>
          <SaveBadLines spec={spec} lines={bad} />
          <Button
            type="primary"
            loading={isBusy}
            disabled={blocked !== null}
            onClick={() => onImport(mode)}
          >
            导入 {ready} {spec.unit}
          </Button>
        </div>
      </div>
      {blocked && <p className="import-blocked">{blocked}</p>}
    </>
  );
}

function placeText<Name extends string>(file: ReadFile, place: ImportPlace<Name>): string {
  const { name } = file.sheets[place.sheet] ?? {};
  const sheet = name && `工作表“${name}”`;
  const encoding = file.encoding && `${file.encoding} 编码`;
  return [sheet || encoding, `表头在第 ${place.header} 行`].filter(Boolean).join("，");
}

/** The lines of the file add up, whatever happened to them. */
export function ImportAccount(props: {
  read: ReadLines<string>;
  lines: readonly JudgedLine<string>[];
  isDone: boolean;
}) {
  const doubtful = props.lines.filter(({ state }) => state === "doubtful").length;
  return (
    <div className="import-summary" role="status">
      <span className="import-account">{accountText(props.read, props.lines, props.isDone)}</span>
      {doubtful > 0 && <span data-tone="doubtful">其中需核对 {doubtful} 行</span>}
    </div>
  );
}

/** Names the lines and columns of the import that the sheet does not show. */
function HiddenParts<Name extends string>(props: {
  file: ReadFile;
  place: ImportPlace<Name>;
  read: ReadLines<Name>;
}) {
  const { file, place, read } = props;
  const { hiddenLines } = read;
  const { isHidden = false, hiddenColumns = [] } = file.sheets[place.sheet] ?? {};
  const used = [...place.columns.values()].map(letterOf);
  const columns = hiddenColumns.filter((letter) => used.includes(letter));
  const others = hiddenLines.length > NAMED_LINES ? `等 ${hiddenLines.length} 行` : "行";
  const parts = [
    isHidden && "整张工作表",
    hiddenLines.length > 0 && `第 ${hiddenLines.slice(0, NAMED_LINES).join("、")} ${others}`,
    columns.length > 0 && `${columns.join("、")} 列`,
  ].filter((part) => part !== false);
  if (parts.length === 0) return null;
  return (
    <p className="import-hidden">
      表格里隐藏（或被筛选掉）的也会导入：{parts.join("；")}。不要导入的请在表格里删除
    </p>
  );
}

export function SaveBadLines<Name extends string, Reply extends ImportReply>(props: {
  spec: ImportSpec<Name, Reply>;
  lines: readonly JudgedLine<Name>[];
}) {
  const { spec, lines } = props;
  if (lines.length === 0) return null;
  const save = () => {
    saveLines(spec, lines).catch((error) => toast.error(messageOf(error)));
  };
  return <Button onClick={save}>下载有误的行</Button>;
}
