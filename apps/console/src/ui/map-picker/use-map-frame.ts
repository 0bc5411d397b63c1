// Console side of the map iframe: element, loading state, messages in both directions.
import type { MapSetting } from "@cabinet/contract/organization/map/map.contract.ts";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { type FromFrame, type Point, readFromFrame, type ToFrame } from "./map-messages.rules.ts";

/** Timeout in case the iframe never loads; the iframe itself times out earlier. */
const FRAME_MS = 15_000;

export type MapState = "loading" | "ready" | "failed";

export function useMapFrame(
  setting: MapSetting,
  point: Point | null,
  onMessage: (message: FromFrame) => void,
) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [state, setState] = useState<MapState>("loading");
  const [attempt, setAttempt] = useState(0);
  // The sandboxed frame has an opaque origin, which no target origin can name.
  const say = (message: ToFrame) => frame.current?.contentWindow?.postMessage(message, "*");

  const hear = useEffectEvent((event: MessageEvent<unknown>) => {
    if (event.origin !== "null" || event.source !== frame.current?.contentWindow) return;
    const data = readFromFrame(event.data);
    if (!data) return;
    if (data.kind === "hello") {
      const serviceHost = `${location.origin}${setting.servicePath}`;
      say({ kind: "start", key: setting.key, serviceHost, point });
    } else if (data.kind === "ready") {
      setState("ready");
      say({ kind: "show", point });
    } else if (data.kind === "failed") setState("failed");
    else onMessage(data);
  });
  useEffect(() => {
    const listener = (event: MessageEvent<unknown>) => hear(event);
    window.addEventListener("message", listener);
    return () => window.removeEventListener("message", listener);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt has its own time.
  useEffect(() => {
    if (state !== "loading") return;
    const timer = setTimeout(() => setState("failed"), FRAME_MS);
    return () => clearTimeout(timer);
  }, [state, attempt]);

  const longitude = point?.longitude;
  const latitude = point?.latitude;
  const showPoint = useEffectEvent(() => say({ kind: "show", point }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: where it is, not which object says so.
  useEffect(() => {
    if (state === "ready") showPoint();
  }, [state, longitude, latitude]);

  return {
    frame,
    state,
    attempt,
    say,
    retry: () => {
      setState("loading");
      setAttempt(attempt + 1);
    },
  };
}
