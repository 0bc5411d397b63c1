// Unit tests of a popup's place.
import fc from "fast-check";
import { expect, test } from "vitest";
import { popupPlace } from "./popup-place.rules.ts";

const room = { width: 1000, height: 800 };
const anchor = { left: 100, top: 100, width: 80, height: 32 };
const popup = { width: 120, height: 200 };

test("popup: below its anchor, in line with its left or right edge", () => {
  expect(popupPlace(anchor, popup, room, "left")).toEqual({ left: 100, top: 136 });
  expect(popupPlace(anchor, popup, room, "right")).toEqual({ left: 60, top: 136 });
});

test("popup: above its anchor where only that side has room", () => {
  const low = { ...anchor, top: 700 };
  expect(popupPlace(low, popup, room, "left")).toEqual({ left: 100, top: 496 });
});

test("popup: inside the window wherever its anchor is", () => {
  const at = fc.integer({ min: -500, max: 1500 });
  fc.assert(
    fc.property(at, at, fc.constantFrom("left", "right"), (left, top, align) => {
      const place = popupPlace({ ...anchor, left, top }, popup, room, align);
      expect(place.left).toBeGreaterThanOrEqual(8);
      expect(place.top).toBeGreaterThanOrEqual(8);
      expect(place.left + popup.width).toBeLessThanOrEqual(room.width - 8);
      expect(place.top + popup.height).toBeLessThanOrEqual(room.height - 8);
    }),
  );
});
