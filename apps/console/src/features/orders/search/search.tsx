// Search box of the console: one text, hits of every noun, and the door of an order from here.
import { endUserContract } from "@cabinet/contract/orders/end-user/end-user.contract.ts";
import { orderContract } from "@cabinet/contract/orders/order/order.contract.ts";
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from "react";
import { personText } from "../../../domain/person-text.ts";
import { useCall } from "../../../kit/query.ts";
import { useAction } from "../../../ui/display/action.tsx";
import { DetailDrawer } from "../../../ui/display/detail-drawer.tsx";
import { EmptyState, ErrorState } from "../../../ui/display/states.tsx";
import { SvgIcon } from "../../../ui/display/svg-icon.tsx";
import { useCabinetActions } from "../../fleet/cabinet/index.ts";
import { PersonCard } from "../end-user/index.ts";
import { OpenOrderDialog } from "../order/index.ts";
import { actionIn, type PageHit, pagesFor } from "./search-hit.rules.ts";
import { SearchHits, type SearchHitsProps } from "./search-hits.tsx";
import { useSearch } from "./use-search.ts";
import "./search.css";

export interface SearchProps {
  open: boolean;
  onClose: () => void;
  pages: readonly PageHit[];
  /** Pages that begin something, such as 新增公告. */
  actions: readonly PageHit[];
  /** Returns, once, the text typed before the box was there. */
  takeTyped: () => string;
}

/** The box is above everything, so it closes before a dialog or a drawer opens. */
export function Search({ open, onClose, pages, actions, takeTyped }: SearchProps) {
  const { ask, dialog } = useAction();
  const actionsOf = useCabinetActions(ask);
  const [opening, setOpening] = useState<number | null>(null);
  const [personId, setPersonId] = useState<number | null>(null);
  const [isPersonOpen, setIsPersonOpen] = useState(false);
  const order = useCall(
    orderContract.get,
    { params: { id: opening ?? 0 } },
    { enabled: opening !== null, toasts: true },
  ).data;
  // The card below reads the same answer.
  const person = useCall(
    endUserContract.get,
    { params: { id: personId ?? 1 } },
    { enabled: personId !== null },
  );
  const closing =
    <Argument,>(run: (argument: Argument) => void) =>
    (argument: Argument) => {
      onClose();
      run(argument);
    };
  return (
    <>
      {open && (
        <SearchBox
          pages={pages}
          actions={actions}
          actionsOf={actionsOf}
          takeTyped={takeTyped}
          onClose={onClose}
          onOpenDoor={closing(setOpening)}
          onPerson={closing((id) => {
            setPersonId(id);
            setIsPersonOpen(true);
          })}
        />
      )}
      {dialog}
      <OpenOrderDialog
        order={opening !== null && order?.id === opening ? order : null}
        onClose={() => setOpening(null)}
      />
      <DetailDrawer
        open={isPersonOpen}
        title={person.data ? personText(person.data) : "用户"}
        onClose={() => setIsPersonOpen(false)}
      >
        {personId !== null && <PersonCard key={personId} id={personId} />}
      </DetailDrawer>
    </>
  );
}

type SearchBoxProps = Omit<SearchProps, "open"> &
  Pick<SearchHitsProps, "actionsOf" | "onOpenDoor" | "onPerson">;

function SearchBox({ pages, actions, takeTyped, onClose, ...rowProps }: SearchBoxProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState(takeTyped);
  const { action, wanted } = actionIn(text);
  const { hits, isOther, error, retry, isWaiting } = useSearch(wanted);
  const pageHits = pagesFor(text, pages);
  const actionHits = pagesFor(text, actions);
  // A layout effect ends while the dialog is still in the page, so that `close` returns the focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  const isEmpty =
    hits &&
    pageHits.length + actionHits.length === 0 &&
    Object.values(hits).every((group) => group.length === 0);
  return (
    <dialog
      ref={dialog}
      className="search"
      aria-label="搜索"
      onKeyDown={(event) => onKey(event, dialog.current)}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      <div className="search-head">
        <SvgIcon name="search" />
        <input
          type="search"
          value={text}
          maxLength={64}
          // The box opens to be typed into.
          autoFocus
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="search"
          aria-label="搜索手机号、订单号、设备、门店、账号或页面"
          placeholder="手机号或后四位、订单号、设备、门店、页面"
          onChange={(event) => setText(event.target.value)}
        />
        <button type="button" className="search-close" onClick={onClose}>
          取消
        </button>
      </div>
      <div className="search-hits" aria-busy={isWaiting} data-other={isOther && hits !== undefined}>
        {error ? (
          <ErrorState error={error} onRetry={retry} />
        ) : (
          <SearchHits
            hits={hits}
            pages={pageHits}
            actions={actionHits}
            action={action}
            onClose={onClose}
            {...rowProps}
          />
        )}
        {isEmpty && !isWaiting && (
          <EmptyState
            title="暂无搜索结果"
            hint="可输入手机号后四位、完整订单号、第三方单号、设备编号或名称"
          />
        )}
        {text.trim() === "" && <SearchTips />}
      </div>
    </dialog>
  );
}

function SearchTips() {
  const tips = [
    ["用户与订单", "手机号，或后四位"],
    ["订单", "订单号、第三方单号"],
    ["设备", "设备编号、名称"],
    ["其他", "门店、账号、页面名称"],
    ["操作", "如“暂停 4 号柜”“开门 3470”“新增公告”"],
    ["快捷键", "关闭搜索后按 ? 查看"],
  ];
  return (
    <dl className="search-tips">
      {tips.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Arrow keys walk through the hits, Enter in the field does the action or opens the first, typing returns to the field. */
function onKey(event: KeyboardEvent, dialog: HTMLDialogElement | null): void {
  const field = dialog?.querySelector("input");
  const targets = [...(dialog?.querySelectorAll<HTMLElement>("[data-hit]") ?? [])];
  const at = targets.indexOf(document.activeElement as HTMLElement);
  if (event.key === "Enter" && event.target === field) {
    event.preventDefault();
    (targets.find(({ dataset }) => "action" in dataset) ?? targets[0])?.click();
  } else if (event.key === "ArrowDown") {
    event.preventDefault();
    targets[Math.min(at + 1, targets.length - 1)]?.focus();
  } else if (event.key === "ArrowUp") {
    event.preventDefault();
    if (at <= 0) field?.focus();
    else targets[at - 1]?.focus();
  } else if (at >= 0 && event.key.length === 1 && !event.ctrlKey && !event.metaKey) {
    if (event.key !== " ") field?.focus();
  }
}
