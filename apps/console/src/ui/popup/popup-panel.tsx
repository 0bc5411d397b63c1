// Icon button with a panel below it, which is mounted while it is open; Escape or a press elsewhere closes it.
import { type ReactNode, type RefObject, useId, useRef, useState } from "react";
import { Button } from "../display/button.tsx";
import type { IconName } from "../display/icons.ts";
import { SvgIcon } from "../display/svg-icon.tsx";
import { usePopup } from "./use-popup.ts";
import "./popup-panel.css";

interface PopupPanelProps {
  title: string;
  icon: IconName;
  children: (close: () => void) => ReactNode;
}

export function PopupPanel({ title, icon, children }: PopupPanelProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        ref={button}
        type="text"
        icon={<SvgIcon name={icon} />}
        aria-label={title}
        title={title}
        popoverTarget={id}
      />
      <div
        ref={panel}
        id={id}
        className="popup-panel"
        popover="auto"
        role="dialog"
        aria-label={title}
        onToggle={({ newState }) => setIsOpen(newState === "open")}
      >
        {isOpen && (
          <Content panel={panel} opener={button} title={title}>
            {children(() => panel.current?.hidePopover())}
          </Content>
        )}
      </div>
    </>
  );
}

interface ContentProps {
  panel: RefObject<HTMLElement | null>;
  opener: RefObject<HTMLElement | null>;
  title: string;
  children: ReactNode;
}

function Content({ panel, opener, title, children }: ContentProps) {
  usePopup(panel, () => opener.current?.getBoundingClientRect() ?? null, "right");
  return (
    <>
      <h2>{title}</h2>
      {children}
    </>
  );
}
