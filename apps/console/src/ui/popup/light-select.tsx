// Select of one option by name, after the ARIA combobox pattern. Its list is mounted while it is
// open: antd's Select costs every list page 60 kB and each of its instances milliseconds.
import {
  type KeyboardEvent,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { ClearButton } from "../form/clear-button.tsx";
import { useTypeAhead } from "./type-ahead.ts";
import { usePopup } from "./use-popup.ts";
import "./light-select.css";

export interface SelectOption {
  value: string;
  label: string;
}

export interface LightSelectProps {
  id?: string;
  /** Accessible name, where no label element names it. */
  label?: string;
  /** Undefined while loading. */
  options: readonly SelectOption[] | undefined;
  /** Empty: none chosen. */
  value: string;
  /** Receives an empty text when the choice is cleared. */
  onChange: (value: string) => void;
  placeholder?: string;
  isClearable?: boolean;
  className?: string;
}

/** Fewer options are overlooked at a glance; more are searched by typing. */
const SEARCHED_FROM = 9;
const LOADING = "正在加载…";

export function LightSelect(props: LightSelectProps) {
  const { id, label, options, value, onChange, placeholder, isClearable = false } = props;
  const listId = useId();
  const box = useRef<HTMLSpanElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const [active, setActive] = useState(0);
  const typeAhead = useTypeAhead();
  const hasSearch = (options?.length ?? 0) >= SEARCHED_FROM;
  const chosen = options?.find((option) => option.value === value);
  // A value from the URL that no option has applies nevertheless.
  const chosenText = chosen?.label ?? (options ? value : "");
  const shown = options?.filter(matches(typed)) ?? [];
  const hint = options ? placeholder : LOADING;

  const open = (text = "") => {
    const found = options?.filter(matches(text)) ?? [];
    setTyped(text);
    setActive(
      Math.max(
        0,
        found.findIndex((option) => option.value === value),
      ),
    );
    setIsOpen(true);
  };
  const close = () => {
    setTyped("");
    setIsOpen(false);
  };
  const choose = (option: SelectOption | undefined) => {
    if (!option) return;
    close();
    if (option.value !== value) onChange(option.value);
  };
  const onKey = (event: KeyboardEvent) => {
    const { key } = event;
    if (event.ctrlKey || event.metaKey) return;
    if (!isOpen) {
      if (isClearable && value && (key === "Backspace" || key === "Delete")) onChange("");
      else if (/^(ArrowDown|ArrowUp|Enter)$/.test(key) || (key === " " && !hasSearch)) open();
      else if (!hasSearch && key.length === 1 && options) {
        const at = options.findIndex((option) => option.value === value);
        choose(options[typeAhead(key, options.map(labelOf), at)]);
      } else return;
    } else if (key === "Escape") close();
    else if (key === "Tab") return close();
    else if (key === "Enter" || (key === " " && !hasSearch)) choose(shown[active]);
    else if (MOVES[key] && !(hasSearch && /^(Home|End)$/.test(key))) {
      setActive(MOVES[key](active, shown.length - 1));
    } else if (!hasSearch && key.length === 1) {
      const found = typeAhead(key, shown.map(labelOf), active);
      if (found >= 0) setActive(found);
    } else return;
    event.preventDefault();
    // A dialog around it stays open.
    event.stopPropagation();
  };

  return (
    <span ref={box} className={`ui-field light-select ${props.className ?? ""}`} data-open={isOpen}>
      <input
        id={id}
        role="combobox"
        aria-label={label}
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={isOpen && shown[active] ? `${listId}-${active}` : undefined}
        aria-autocomplete={hasSearch ? "list" : "none"}
        autoComplete="off"
        readOnly={!hasSearch}
        placeholder={(isOpen && chosenText) || hint}
        value={isOpen && hasSearch ? typed : chosenText}
        title={chosenText || undefined}
        onClick={() => (isOpen && !hasSearch ? close() : isOpen || open())}
        onChange={(event) => open(event.target.value)}
        onKeyDown={onKey}
        onBlur={close}
      />
      {isClearable && value !== "" && (
        <ClearButton
          onClear={() => {
            close();
            onChange("");
          }}
        />
      )}
      {isOpen && (
        <Options
          id={listId}
          label={label}
          box={box}
          options={shown}
          value={value}
          active={active}
          emptyText={!options ? LOADING : typed ? "没有匹配的项" : "没有可选的项"}
          onActive={setActive}
          onChoose={choose}
        />
      )}
    </span>
  );
}

const labelOf = ({ label }: SelectOption) => label;
const matches =
  (text: string) =>
  ({ label }: SelectOption) =>
    label.toLowerCase().includes(text.trim().toLowerCase());

const PAGE = 8;
const MOVES: Readonly<Record<string, (at: number, end: number) => number>> = {
  ArrowDown: (at, end) => (at >= end ? 0 : at + 1),
  ArrowUp: (at, end) => (at <= 0 ? end : at - 1),
  PageDown: (at, end) => Math.min(end, at + PAGE),
  PageUp: (at) => Math.max(0, at - PAGE),
  Home: () => 0,
  End: (_, end) => end,
};

interface OptionsProps {
  id: string;
  label: string | undefined;
  box: RefObject<HTMLElement | null>;
  options: readonly SelectOption[];
  value: string;
  active: number;
  emptyText: string;
  onActive: (index: number) => void;
  onChoose: (option: SelectOption) => void;
}

/** Options of a long list that are mounted at first, and with each scroll to the end. */
const MOUNTED = 100;

function Options(props: OptionsProps) {
  const { id, label, box, options, value, active, emptyText, onActive, onChoose } = props;
  const list = useRef<HTMLDivElement>(null);
  const [scrolled, setScrolled] = useState(MOUNTED);
  const mounted = options.slice(0, Math.max(scrolled, active + MOUNTED));
  usePopup(list, () => {
    const anchor = box.current?.getBoundingClientRect() ?? null;
    if (anchor && list.current) list.current.style.minWidth = `${anchor.width}px`;
    return anchor;
  });
  useLayoutEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active]);

  return (
    <div
      ref={list}
      id={id}
      className="light-select-options"
      popover="manual"
      role="listbox"
      aria-label={label ?? "选项"}
      tabIndex={-1}
      // The focus stays in the input.
      onMouseDown={(event) => event.preventDefault()}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        if (scrollTop + clientHeight * 2 > scrollHeight) setScrolled(mounted.length + MOUNTED);
      }}
    >
      {mounted.map((option, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the input, which has the focus, handles keys.
        <div
          key={option.value}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={option.value === value}
          data-active={index === active}
          title={option.label}
          onMouseMove={() => index !== active && onActive(index)}
          onClick={() => onChoose(option)}
        >
          {option.label}
        </div>
      ))}
      {options.length === 0 && (
        // A list box must have options.
        <div role="option" tabIndex={-1} aria-selected={false} aria-disabled>
          {emptyText}
        </div>
      )}
    </div>
  );
}
