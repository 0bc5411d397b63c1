// Shows a mounted popup in the browser's top layer, beside its anchor wherever that moves.
import { type RefObject, useEffectEvent, useLayoutEffect } from "react";
import { type Align, type Box, popupPlace } from "./popup-place.rules.ts";

/** Shows the element, a `popover`; `anchorOf` returns null once its anchor is gone. */
export function usePopup(
  popup: RefObject<HTMLElement | null>,
  anchorOf: () => Box | null,
  align: Align = "left",
): void {
  const place = useEffectEvent((element: HTMLElement) => {
    const anchor = anchorOf();
    if (!anchor) return;
    const size = { width: element.offsetWidth, height: element.offsetHeight };
    const { left, top } = popupPlace(
      anchor,
      size,
      { width: innerWidth, height: innerHeight },
      align,
    );
    element.style.left = `${left}px`;
    element.style.top = `${top}px`;
  });
  useLayoutEffect(() => {
    const element = popup.current;
    if (!element) return;
    if (!element.matches(":popover-open")) element.showPopover();
    const update = () => place(element);
    update();
    // A search makes the popup smaller, which moves it if it is above its anchor.
    const observer = new ResizeObserver(update);
    observer.observe(element);
    const controller = new AbortController();
    const options = { capture: true, passive: true, signal: controller.signal };
    addEventListener("scroll", update, options);
    addEventListener("resize", update, options);
    return () => {
      observer.disconnect();
      controller.abort();
    };
  }, [popup]);
}
