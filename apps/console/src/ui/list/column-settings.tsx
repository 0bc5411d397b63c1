// 列设置: lets a user choose and order the columns of a list.
import { useColumnSettings, withDefaultColumns } from "../../kit/column-settings.ts";
import { Button } from "../display/button.tsx";
import { SvgIcon } from "../display/svg-icon.tsx";
import { PopupPanel } from "../popup/popup-panel.tsx";
import { type Column, moveKey, orderedColumns } from "./columns.ts";
import "./column-settings.css";
import "../display/basics.css";

export interface ColumnSettingsProps<Row> {
  pageKey: string;
  columns: readonly Column<Row, string>[];
}

export function ColumnSettings<Row>(props: ColumnSettingsProps<Row>) {
  return (
    <PopupPanel title="列设置" icon="columns">
      {() => <ColumnList {...props} />}
    </PopupPanel>
  );
}

function ColumnList<Row>({ pageKey, columns }: ColumnSettingsProps<Row>) {
  const [settings, setSettings] = useColumnSettings(pageKey);
  const { hidden, order } = settings;
  // The first column names the row and always stays first.
  const list = orderedColumns(columns.slice(1), order);
  const keys = list.map((column) => column.key);
  const toggle = (key: string) =>
    setSettings({
      ...settings,
      hidden: hidden.includes(key) ? hidden.filter((other) => other !== key) : [...hidden, key],
    });
  const move = (key: string, step: -1 | 1) =>
    setSettings({ ...settings, order: moveKey(keys, key, step) });
  return (
    <div className="ui-columns">
      <ul>
        {list.map((column, index) => (
          <li key={column.key}>
            <label>
              <input
                type="checkbox"
                className="ui-check"
                checked={!hidden.includes(column.key)}
                onChange={() => toggle(column.key)}
              />
              {column.title}
            </label>
            <Button
              type="text"
              size="small"
              icon={<SvgIcon name="up" />}
              aria-label={`${column.title}前移`}
              disabled={index === 0}
              onClick={() => move(column.key, -1)}
            />
            <Button
              type="text"
              size="small"
              icon={<SvgIcon name="down" />}
              aria-label={`${column.title}后移`}
              disabled={index === list.length - 1}
              onClick={() => move(column.key, 1)}
            />
          </li>
        ))}
      </ul>
      <Button size="small" onClick={() => setSettings(withDefaultColumns(settings))}>
        恢复默认
      </Button>
    </div>
  );
}
