// Drawer that shows one record in full, with its list of names and values.
import { type ReactNode, useRef } from "react";
import { OnPaper } from "./on-paper.tsx";
import { Drawer } from "./overlays.tsx";
import { useFirstFocus, useFocusReturn } from "./use-first-focus.ts";
import "./basics.css";
import "./detail-drawer.css";

export interface DetailDrawerProps {
  open: boolean;
  title: ReactNode;
  onClose: () => void;
  /** In pixels; full width on a phone. */
  width?: number;
  footer?: ReactNode;
  children: ReactNode;
}

export function DetailDrawer(props: DetailDrawerProps) {
  const { open, title, onClose, width = 560, footer, children } = props;
  useFocusReturn(open);
  return (
    <Drawer
      open={open}
      title={title}
      size={width}
      classNames={{ wrapper: "ui-drawer" }}
      destroyOnHidden
      onClose={onClose}
      footer={footer}
    >
      <DrawerContent>{children}</DrawerContent>
    </Drawer>
  );
}

/** Takes the focus, so that keys scroll it and a screen reader enters the dialog while it loads. */
function DrawerContent({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useFirstFocus(() => box.current);
  return (
    <div ref={box} className="ui-drawer-content" tabIndex={-1}>
      <OnPaper />
      {children}
    </div>
  );
}

export type DescriptionItem = readonly [name: string, value: ReactNode];

/** Names and values in two columns; `—` for null, which is none; a bar for undefined, which is not loaded yet. */
export function Facts({ facts }: { facts: readonly DescriptionItem[] }) {
  return (
    <dl className="ui-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value === undefined ? <span className="ui-skeleton" /> : (value ?? "—")}</dd>
        </div>
      ))}
    </dl>
  );
}

export function DrawerSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="ui-drawer-section">
      <h2>{title}</h2>
      {children}
    </section>
  );
}
