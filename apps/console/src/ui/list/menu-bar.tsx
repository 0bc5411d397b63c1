// Bar with a left slot for actions and a right slot for view options.
import type { ReactNode } from "react";
import "./menu-bar.css";

export interface MenuBarProps {
  left?: ReactNode;
  right?: ReactNode;
}

export function MenuBar({ left, right }: MenuBarProps) {
  return (
    <div className="ui-menu-bar">
      <div className="ui-menu-bar-slot">{left}</div>
      <div className="ui-menu-bar-slot ui-menu-bar-right">{right}</div>
    </div>
  );
}
