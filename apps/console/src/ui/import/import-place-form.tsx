// Choice of sheet, header line and columns of an import.
import Select from "antd/es/select";
import { letterOf, type ReadFile } from "../sheet/sheet-rows.rules.ts";
import {
  type ImportColumn,
  type ImportColumns,
  type ImportPlace,
  type KnownTitles,
  movedPlace,
} from "./import.rules.ts";

/** Lines that may be chosen as the header. */
const HEADER_CHOICES = 20;
const SHOWN_TITLES = 4;

export interface ImportPlaceFormProps<Name extends string> {
  file: ReadFile;
  columns: ImportColumns<Name>;
  known: KnownTitles<Name>;
  place: ImportPlace<Name>;
  isDisabled: boolean;
  onChange: (place: ImportPlace<Name>) => void;
}

export function ImportPlaceForm<Name extends string>(props: ImportPlaceFormProps<Name>) {
  const { file, columns, known, place, isDisabled, onChange } = props;
  const { rows = [] } = file.sheets[place.sheet] ?? {};
  const header = rows.find(({ line }) => line === place.header);
  const fileColumns = (header?.cells ?? []).map(({ text }, index) => ({
    value: index,
    label: `${letterOf(index)} 列${text.trim() && `：${text.trim()}`}`,
  }));
  const move = (to: { sheet: number; header?: number }) =>
    onChange(movedPlace(file, to, columns, known));
  return (
    <fieldset className="import-place" disabled={isDisabled}>
      <legend className="visually-hidden">文件里的位置</legend>
      {file.sheets.length > 1 && (
        <Place label="工作表">
          <Select
            aria-label="工作表"
            value={place.sheet}
            options={file.sheets.map(({ name, isHidden }, sheet) => ({
              value: sheet,
              label: isHidden ? `${name}（隐藏）` : name,
            }))}
            onChange={(sheet) => move({ sheet })}
          />
        </Place>
      )}
      <Place label="表头在">
        <Select
          aria-label="表头在"
          value={place.header}
          options={rows.slice(0, HEADER_CHOICES).map(({ line, cells }) => ({
            value: line,
            label: `第 ${line} 行：${cells
              .filter(({ text }) => text.trim() !== "")
              .slice(0, SHOWN_TITLES)
              .map(({ text }) => text.trim())
              .join("、")}`,
          }))}
          onChange={(line) => move({ sheet: place.sheet, header: line })}
        />
      </Place>
      {Object.entries<ImportColumn>(columns).map(([name, { title, isRequired }]) => (
        <Place key={name} label={title} isRequired={isRequired}>
          <Select
            aria-label={title}
            allowClear={!isRequired}
            placeholder={isRequired ? "请选择列" : "不导入"}
            value={place.columns.get(name as Name)}
            options={fileColumns}
            onChange={(index: number | undefined) => {
              const chosen = new Map(place.columns);
              if (index === undefined) chosen.delete(name as Name);
              else chosen.set(name as Name, index);
              onChange({ ...place, columns: chosen });
            }}
          />
        </Place>
      ))}
    </fieldset>
  );
}

function Place(props: {
  label: string;
  isRequired?: boolean | undefined;
  children: React.ReactNode;
}) {
  return (
    <div className="import-place-field" data-required={Boolean(props.isRequired)}>
      <span aria-hidden>{props.label}</span>
      {props.children}
    </div>
  );
}
