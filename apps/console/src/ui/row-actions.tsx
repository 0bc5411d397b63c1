// What can be done with one row: the first ones stand open, the rest wait under 更多.
import Dropdown from "antd/es/dropdown";
import { useRef } from "react";
import { Link, useNavigate } from "react-router";
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

function OpenAction({ action }: { action: RowAction }) {
  if ("to" in action && !action.blocked) {
    return (
      <Link className="ui-link" to={action.to}>
        {action.label}
      </Link>
    );
  }
  return (
    <button
      type="button"
      className="ui-link"
      data-danger={action.isDanger}
      disabled={action.blocked !== undefined}
      title={action.blocked}
      onClick={"run" in action ? action.run : undefined}
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
      trigger={["click"]}
      placement="bottomRight"
      menu={{
        items: actions.map((action) => ({
          key: action.key,
          label: action.label,
          danger: action.isDanger ?? false,
          disabled: action.blocked !== undefined,
          title: action.blocked ?? "",
        })),
        onClick: ({ key }) => {
          const action = actions.find((candidate) => candidate.key === key);
          if (!action) return;
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
