// Place of a popup beside its anchor, inside the window.

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}
export interface Size {
  width: number;
  height: number;
}

/** Edge of the popup that is in line with the same edge of its anchor. */
export type Align = "left" | "right";

/** Least distance to the edges of the window. */
const MARGIN = 8;
const GAP = 4;

/** All in pixels of the window. Below the anchor, or above it where only that side has room. */
export function popupPlace(
  anchor: Box,
  popup: Size,
  room: Size,
  align: Align,
): { left: number; top: number } {
  const left = align === "left" ? anchor.left : anchor.left + anchor.width - popup.width;
  const below = anchor.top + anchor.height + GAP;
  const above = anchor.top - GAP - popup.height;
  const isBelow = below + popup.height <= room.height - MARGIN || above < MARGIN;
  return {
    left: inside(left, room.width - popup.width - MARGIN),
    top: inside(isBelow ? below : above, room.height - popup.height - MARGIN),
  };
}

function inside(at: number, most: number): number {
  return Math.max(MARGIN, Math.min(at, most));
}
