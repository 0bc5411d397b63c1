// Actions of one row: the first ones visible, the rest in the 更多 menu.
import { type RefObject, useRef, useState } from "react";
import { toast } from "../../kit/feedback.ts";
import { Link, type Path, useNavigate } from "../../kit/paths.ts";
import { Button } from "../display/button.tsx";
import { PopupMenu } from "../popup/popup-menu.tsx";
import "./row-actions.css";
import "../display/basics.css";

export type RowAction = {
  key: string;
  label: string;
  /** Why the action is unavailable now; the button is then greyed out and shows this reason. */
  blocked?: string | undefined;
  isDanger?: boolean;
} & ({ to: Path } | { run: () => void });

export interface RowActionsProps {
  /** Accessible name of the row. */
  of: string;
  actions: readonly RowAction[];
  visibleCount?: number | undefined;
}

export function RowActions({ of, actions, visibleCount = 2 }: RowActionsProps) {
  const rest = actions.slice(visibleCount);
  return (
    <span className="ui-row-actions">
      {actions.slice(0, visibleCount).map((action) => (
        <OpenAction key={action.key} action={action} />
      ))}
      {rest.length > 0 && <MoreActions of={of} actions={rest} />}
    </span>
  );
}

interface ActionButtonsProps {
  actions: readonly RowAction[];
  /** Key of the primary action. */
  first: string | undefined;
  /** Accessible name of the record whose further actions are in the 更多 menu. */
  of?: string;
  visibleCount?: number;
}

/** Same actions in a drawer, which has those that are available now. */
export function ActionButtons(props: ActionButtonsProps) {
  const { actions, first, of = "", visibleCount = actions.length } = props;
  const navigate = useNavigate();
  if (actions.length === 0) return null;
  // One more button takes no more room than the menu.
  const count = actions.length <= visibleCount + 1 ? actions.length : visibleCount;
  return (
    <div className="ui-actions">
      {actions.slice(0, count).map((action) => (
        <Button
          key={action.key}
          type={action.key === first ? "primary" : "default"}
          danger={action.isDanger ?? false}
          onClick={() => ("run" in action ? action.run() : void navigate(action.to))}
        >
          {action.label}
        </Button>
      ))}
      {count < actions.length && (
        <MoreActions of={of} actions={actions.slice(count)} className="ui-actions-more" />
      )}
    </div>
  );
}

function OpenAction({ action }: { action: RowAction }) {
  if ("to" in action && !action.blocked) {
    return (
      <Link className="ui-link" to={action.to}>
        {action.label}
      </Link>
    );
  }
  const { blocked } = action;
  // Not `disabled`: touch and keyboard users reach the reason only on a pressable button.
  return (
    <button
      type="button"
      className="ui-link"
      data-danger={action.isDanger}
      aria-disabled={blocked !== undefined}
      title={blocked}
      onClick={() => {
        if (blocked !== undefined) toast.info(blocked);
        else if ("run" in action) action.run();
      }}
    >
      {action.label}
    </button>
  );
}

interface MoreActionsProps {
  of: string;
  actions: readonly RowAction[];
  className?: string;
}

function MoreActions({ of, actions, className = "ui-link" }: MoreActionsProps) {
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={`更多操作：${of}`}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        更多
      </button>
      {isOpen && (
        <ActionMenu
          label={`更多操作：${of}`}
          actions={actions}
          opener={button}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}

interface ActionMenuProps {
  label: string;
  actions: readonly RowAction[];
  opener: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

function ActionMenu({ label, actions, opener, onClose }: ActionMenuProps) {
  const navigate = useNavigate();
  return (
    <PopupMenu
      label={label}
      align="right"
      anchorOf={() => opener.current?.getBoundingClientRect() ?? null}
      opener={opener.current}
      items={actions.map((action) => ({
        ...action,
        run: () => ("to" in action ? void navigate(action.to) : action.run()),
      }))}
      onClose={onClose}
    />
  );
}
