// antd's Modal and Drawer, drawn at the root of the page; loaded and mounted when one is first opened.
import type { DrawerProps } from "antd/es/drawer";
import type { ModalProps } from "antd/es/modal";
import {
  createContext,
  Fragment,
  type ReactNode,
  use,
  useCallback,
  useId,
  useInsertionEffect,
  useLayoutEffect,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { Boundary } from "./boundary.tsx";
import { lateDialog } from "./late-part.tsx";
import { useEver } from "./use-last.ts";

/** None of ours looks at the event. */
const closeOf = (open: boolean | undefined, close: unknown) =>
  open ? (close as () => void) : null;

export const LateModal = lateDialog<ModalProps>(
  async () => (await import("./antd-overlays.ts")).Modal,
  ({ open, onCancel }) => closeOf(open, onCancel),
);
const LateDrawer = lateDialog<DrawerProps>(
  async () => (await import("./antd-overlays.ts")).Drawer,
  ({ open, onClose }) => closeOf(open, onClose),
);

type Draw = (id: string, overlay: ReactNode) => void;

const DrawContext = createContext<Draw>(() => {
  throw new Error("a dialog needs an OverlayRoot above it");
});

/**
 * Draws the dialogs of everything below it beside that, not inside: React's events leave a portal for the elements
 * around it, and a dialog inside a form would submit this form with its own.
 */
export function OverlayRoot({ children }: { children: ReactNode }) {
  const [overlays, setOverlays] = useState<ReadonlyMap<string, ReactNode>>(new Map());
  const draw = useCallback<Draw>((id, overlay) => {
    setOverlays((drawn) => {
      const changed = new Map(drawn);
      if (overlay === null) changed.delete(id);
      else changed.set(id, overlay);
      return changed;
    });
  }, []);
  return (
    <DrawContext value={draw}>
      {children}
      {[...overlays].map(([id, overlay]) => (
        <Fragment key={id}>{overlay}</Fragment>
      ))}
    </DrawContext>
  );
}

function Overlay({ children }: { children: ReactNode }) {
  const id = useId();
  const draw = use(DrawContext);
  useLayoutEffect(() => draw(id, children));
  // Unlike the others, this effect lasts while a tab is hidden, and with it what is typed in the dialog. It must not
  // set state itself; `flushSync`: the next page is never shown with the dialog.
  useInsertionEffect(() => () => queueMicrotask(() => flushSync(() => draw(id, null))), [id, draw]);
  return null;
}

export function Modal(props: ModalProps) {
  const wasOpen = useEver(props.open ?? false);
  return (
    wasOpen && (
      <Overlay>
        <LateModal {...props}>
          <Boundary>{props.children}</Boundary>
        </LateModal>
      </Overlay>
    )
  );
}

export function Drawer(props: DrawerProps) {
  const wasOpen = useEver(props.open ?? false);
  return (
    wasOpen && (
      <Overlay>
        <LateDrawer {...props}>
          <Boundary>{props.children}</Boundary>
        </LateDrawer>
      </Overlay>
    )
  );
}
