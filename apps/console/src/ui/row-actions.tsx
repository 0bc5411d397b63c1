// What can be done with one row: the first ones stand open, the rest wait under 更多.
import Button from "antd/es/button";
import Dropdown from "antd/es/dropdown";
import { useRef } from "react";
import { Link, useNavigate } from "react-router";
import { toast } from "../kit/feedback.ts";
import "./row-actions.css";
import "./basics.css";

export type RowAction = {
  key: string;
  label: string;
  /** Why it cannot be done now; the action then stands there greyed, and says so. */
  blocked?: string | undefined;
  isDanger?: boolean;
} & ({ to: string } | { run: () => void });

export interface RowActionsProps {
  /** Names the row for those who cannot see it. */
  of: string;
  actions: readonly RowAction[];
  visibleCount?: number;
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
  /** The key of the one that is done as a rule. */
  first: string | undefined;
}

/** The same in a drawer, where there is room for all that can be done now. */
export function ActionButtons({ actions, first }: ActionButtonsProps) {
  if (actions.length === 0) return null;
  return (
    <div className="ui-deeds">
      {actions.map((action) => (
        <Button
          key={action.key}
          type={action.key === first ? "primary" : "default"}
          danger={action.isDanger ?? false}
          onClick={() => "run" in action && action.run()}
        >
          {action.label}
        </Button>
      ))}
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
  // Not `disabled`: a finger or the keyboard gets at the reason only where it can press.
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

function MoreActions({ of, actions }: { of: string; actions: readonly RowAction[] }) {
  const navigate = useNavigate();
  const button = useRef<HTMLButtonElement>(null);
  return (
    <Dropdown
      autoFocus
      trigger={["click"]}
      placement="bottomRight"
      onOpenChange={(isOpen) => {
        // Closed by Escape, it would leave the focus nowhere.
        if (!isOpen && document.activeElement?.closest(".ant-dropdown")) button.current?.focus();
      }}
      menu={{
        items: actions.map((action) => ({
          key: action.key,
          label: (
            <>
              {action.label}
              {action.blocked && <small className="ui-row-blocked">{action.blocked}</small>}
            </>
          ),
          danger: action.isDanger ?? false,
          disabled: action.blocked !== undefined,
          title: "",
        })),
        onClick: ({ key, domEvent }) => {
          const action = actions.find((candidate) => candidate.key === key);
          if (!action) return;
          // The same Enter would press what has the focus next: the cross of a dialog that opens now.
          domEvent.preventDefault();
          // The menu goes; a dialog that opens now gives the focus back to where it was.
          button.current?.focus();
          if ("to" in action) void navigate(action.to);
          else action.run();
        },
      }}
    >
      <button
        ref={button}
        type="button"
        className="ui-link"
        aria-label={`更多操作：${of}`}
        aria-haspopup="menu"
      >
        更多
      </button>
    </Dropdown>
  );
}
