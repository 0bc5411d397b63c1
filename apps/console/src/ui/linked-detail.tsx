// The drawer of the one record that a link to a list means (`?open=7`): it may be on any page of it.
import { type ReactNode, useState } from "react";
import { DetailDrawer } from "./detail-drawer.tsx";
import { useListState } from "./list-state.ts";

export interface LinkedDetailProps {
  title: (id: number) => ReactNode;
  body: (id: number) => ReactNode;
}

export function LinkedDetail({ title, body }: LinkedDetailProps) {
  const { texts, filter } = useListState();
  const meant = Number(texts.open) || null;
  // It stays in the drawer while that closes.
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
