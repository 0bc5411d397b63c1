// A bar with a left and a right slot: what is done with the list, how it is looked at.
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
