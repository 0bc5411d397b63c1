// Bar with a left slot for actions and a right slot for view options.
import type { ReactNode } from "react";
import "./menu-bar.css";

export interface MenuBarProps {
  left?: ReactNode;
  right?: ReactNode;
  /** Rarely used on a phone, where it stands below the list. */
  tools?: ReactNode;
}

export function MenuBar({ left, right, tools }: MenuBarProps) {
  return (
    <div className="ui-menu-bar">
      <div className="ui-menu-bar-main">
        <div className="ui-menu-bar-slot">{left}</div>
        <div className="ui-menu-bar-slot ui-menu-bar-right">{right}</div>
      </div>
      {tools && <div className="ui-menu-bar-slot ui-menu-bar-tools">{tools}</div>}
    </div>
  );
}
