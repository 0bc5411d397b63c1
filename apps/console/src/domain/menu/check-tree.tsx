// Menu as checkboxes: pages in rows, with the buttons of each page beside it.
import type { MenuEntry } from "@cabinet/contract/identity/access/access.contract.ts";
import { useId, useState } from "react";
import type { Control } from "../../ui/form/control.ts";
import {
  type BlockedReason,
  buttonsOf,
  isGroup,
  leavesOf,
  reasonAgainst,
  tickStateOf,
  toggle,
} from "./check-tree.rules.ts";
import "../../ui/display/basics.css";
import "./check-tree.css";

/** The value holds the ids of the ticked entries, groups included. */
export interface CheckTreeProps extends Control<readonly number[], number[]> {
  tree: readonly MenuEntry[];
  /** Returns why an entry cannot be changed. */
  blocked?: BlockedReason;
  /** Display only: nothing can be changed. */
  isReadOnly?: boolean;
}

interface Tree extends Pick<CheckTreeProps, "tree"> {
  ticked: ReadonlySet<number>;
  blocked: BlockedReason;
  closed: ReadonlySet<number>;
  fold: (id: number) => void;
  set: (path: readonly MenuEntry[], isOn: boolean) => void;
}

const nothing: BlockedReason = () => undefined;

export function CheckTree(props: CheckTreeProps) {
  const { tree, blocked = nothing, isReadOnly = false, id, value = [], onChange } = props;
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set());
  const ticked = new Set(value);
  const leaves = leavesOf(tree);
  const groups = tree.filter(isGroup);
  const of: Tree = {
    tree,
    ticked,
    blocked: isReadOnly ? () => "仅供查看" : blocked,
    closed,
    fold: (entryId) => {
      const next = new Set(closed);
      if (!next.delete(entryId)) next.add(entryId);
      setClosed(next);
    },
    set: (path, isOn) => onChange?.([...toggle(tree, ticked, path, isOn, blocked)]),
  };
  return (
    <section className="ui-check-tree" id={id} aria-label="功能权限" tabIndex={-1}>
      <div className="ui-check-tree-head">
        <span>
          已选 <b>{leaves.filter((leaf) => ticked.has(leaf.id)).length}</b> / {leaves.length} 项
        </span>
        {!isReadOnly && (
          <>
            <button type="button" className="ui-link" onClick={() => of.set([], true)}>
              全选
            </button>
            <button type="button" className="ui-link" onClick={() => of.set([], false)}>
              清空
            </button>
          </>
        )}
        <span className="ui-check-tree-folds">
          <button type="button" className="ui-link" onClick={() => setClosed(new Set())}>
            全部展开
          </button>
          <button
            type="button"
            className="ui-link"
            onClick={() => setClosed(new Set(groups.map((group) => group.id)))}
          >
            全部收起
          </button>
        </span>
      </div>
      <Rows of={of} entries={tree} path={[]} />
    </section>
  );
}

interface RowsProps {
  of: Tree;
  entries: readonly MenuEntry[];
  path: readonly MenuEntry[];
}

function Rows({ of, entries, path }: RowsProps) {
  return (
    <ul>
      {entries.map((entry) => (
        <li key={entry.id}>
          {isGroup(entry) ? (
            <Group of={of} path={[...path, entry]} entry={entry} />
          ) : (
            <Page of={of} path={[...path, entry]} entry={entry} />
          )}
        </li>
      ))}
    </ul>
  );
}

interface EntryProps {
  of: Tree;
  /** From the outermost group to the entry itself. */
  path: readonly MenuEntry[];
  entry: MenuEntry;
}

function Group({ of, path, entry }: EntryProps) {
  const isClosed = of.closed.has(entry.id);
  const leaves = leavesOf([entry]);
  const count = leaves.filter(({ id }) => of.ticked.has(id)).length;
  return (
    <>
      <div className="ui-check-group" data-depth={path.length}>
        <button
          type="button"
          className="ui-fold-toggle"
          aria-expanded={!isClosed}
          aria-label={`${isClosed ? "展开" : "收起"}${entry.title}`}
          onClick={() => of.fold(entry.id)}
        />
        <Box of={of} path={path} entry={entry} />
        <small>
          {count} / {leaves.length}
        </small>
      </div>
      {!isClosed && <Rows of={of} entries={entry.children} path={path} />}
    </>
  );
}

function Page({ of, path, entry }: EntryProps) {
  const buttons = buttonsOf(entry);
  return (
    <div className="ui-check-page" data-depth={path.length}>
      <Box of={of} path={path} entry={entry} />
      {buttons.length > 0 && (
        <fieldset aria-label={`${entry.title}的操作`}>
          {buttons.map((button) => (
            <Box key={button.id} of={of} path={[...path, button]} entry={button} />
          ))}
        </fieldset>
      )}
    </div>
  );
}

function Box({ of, path, entry }: EntryProps) {
  const reasonId = useId();
  const state = isGroup(entry) ? tickStateOf([entry], of.ticked) : null;
  const isOn = state ? state === "ALL" : of.ticked.has(entry.id);
  const reason = reasonAgainst(path, of.ticked, of.blocked);
  return (
    <label className="ui-check-label" data-blocked={reason !== undefined} title={reason}>
      <input
        type="checkbox"
        className="ui-check"
        checked={isOn}
        ref={(box) => {
          if (box) box.indeterminate = state === "SOME";
        }}
        disabled={reason !== undefined}
        {...(reason && { "aria-describedby": reasonId })}
        onChange={() => of.set(path, !isOn)}
      />
      <span>{entry.title}</span>
      {reason && (
        <span id={reasonId} hidden>
          {reason}
        </span>
      )}
    </label>
  );
}
