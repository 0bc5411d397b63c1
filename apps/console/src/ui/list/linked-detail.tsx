// Drawer for the record that a link to a list names (`?open=7`), whichever page of the list it is
// on.
import { type ReactNode, useState } from "react";
import { DetailDrawer } from "../display/detail-drawer.tsx";
import { useListState } from "./list-state.ts";

export interface LinkedDetailProps {
  title: (id: number) => ReactNode;
  body: (id: number) => ReactNode;
}

export function LinkedDetail({ title, body }: LinkedDetailProps) {
  const { texts, filter } = useListState();
  const meant = Number(texts.open) || null;
  // Keeps the record rendered during the closing animation.
  const [shown, setShown] = useState(meant);
  if (meant !== null && meant !== shown) setShown(meant);
  return (
    <DetailDrawer
      open={meant !== null}
      title={shown !== null && title(shown)}
      onClose={() => filter({ open: "" })}
    >
      {shown !== null && body(shown)}
    </DetailDrawer>
  );
}
