// 常用筛选: filters of a list that a user keeps under a name, and applies with two clicks.
import { type FormEvent, useState } from "react";
import { useColumnSettings } from "../../kit/column-settings.ts";
import { Button } from "../display/button.tsx";
import { TextInput } from "../form/text-input.tsx";
import { PopupPanel } from "../popup/popup-panel.tsx";
import { type SearchValues, useListState } from "./list-state.ts";
import "./column-settings.css";
import "./saved-filters.css";

/** As the contract has it. */
const MOST = 10;
const NAME_LENGTH = 20;

interface SavedFiltersProps {
  pageKey: string;
  onFilter: (texts: SearchValues) => void;
}

export function SavedFilters(props: SavedFiltersProps) {
  return (
    <PopupPanel title="常用筛选" icon="bookmark">
      {(close) => <FilterList {...props} onDone={close} />}
    </PopupPanel>
  );
}

/** Names of the URL that filter and sort, not those of the page, its view and its open record. */
function filtersOf(texts: SearchValues): Record<string, string> {
  const { page: _, pageSize: __, open: ___, view: ____, ...filters } = texts;
  return filters;
}

function FilterList({ pageKey, onFilter, onDone }: SavedFiltersProps & { onDone: () => void }) {
  const [settings, setSettings] = useColumnSettings(pageKey);
  const { texts } = useListState();
  const [name, setName] = useState("");
  const { filters: saved = [], ...columns } = settings;
  const present = filtersOf(texts);
  const search = new URLSearchParams(present).toString();
  const isFull = saved.length >= MOST;
  const apply = (chosen: string) => {
    const cleared = Object.fromEntries(Object.keys(present).map((each) => [each, ""]));
    onFilter({ ...cleared, ...Object.fromEntries(new URLSearchParams(chosen)) });
    onDone();
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    const title = name.trim();
    if (!title || search === "" || isFull) return;
    const others = saved.filter((each) => each.name !== title);
    setSettings({ ...columns, filters: [...others, { name: title, search }] });
    setName("");
  };
  const remove = (title: string) => {
    const filters = saved.filter((each) => each.name !== title);
    setSettings({ ...columns, ...(filters.length > 0 && { filters }) });
  };
  return (
    <div className="ui-columns ui-saved">
      {saved.length === 0 && <p className="ui-cell-none">暂无常用筛选</p>}
      <ul>
        {saved.map((each) => (
          <li key={each.name}>
            <button
              type="button"
              className="ui-link"
              aria-pressed={each.search === search}
              onClick={() => apply(each.search)}
            >
              {each.name}
            </button>
            <Button
              type="text"
              size="small"
              aria-label={`删除常用筛选“${each.name}”`}
              onClick={() => remove(each.name)}
            >
              删除
            </Button>
          </li>
        ))}
      </ul>
      <form onSubmit={save}>
        <TextInput
          aria-label="名称"
          size="small"
          maxLength={NAME_LENGTH}
          placeholder={isFull ? `最多 ${MOST} 个` : search ? "为当前筛选命名" : "先筛选，再保存"}
          disabled={isFull || search === ""}
          value={name}
          onChange={setName}
        />
        <Button htmlType="submit" size="small" disabled={!name.trim() || isFull}>
          保存
        </Button>
      </form>
    </div>
  );
}
