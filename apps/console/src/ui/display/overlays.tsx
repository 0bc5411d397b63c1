// antd's Modal and Drawer, loaded and mounted when one is first opened: most visits of a page open none.
import type { DrawerProps } from "antd/es/drawer";
import type { ModalProps } from "antd/es/modal";
import { lazy, Suspense } from "react";
import { useEver } from "./use-last.ts";

export const loadOverlays = () => import("./antd-overlays.ts");
const LoadedModal = lazy(async () => ({ default: (await loadOverlays()).Modal }));
const LoadedDrawer = lazy(async () => ({ default: (await loadOverlays()).Drawer }));

export function Modal(props: ModalProps) {
  const wasOpen = useEver(props.open ?? false);
  return <Suspense>{wasOpen && <LoadedModal {...props} />}</Suspense>;
}

export function Drawer(props: DrawerProps) {
  const wasOpen = useEver(props.open ?? false);
  return <Suspense>{wasOpen && <LoadedDrawer {...props} />}</Suspense>;
}
