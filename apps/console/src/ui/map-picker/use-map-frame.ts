// Console side of the map iframe: element, loading state, messages in both directions.
import type { MapSetting } from "@cabinet/contract/organization/map/map.contract.ts";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { FromFrame, Point, ToFrame } from "./map-messages.ts";

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
  const say = (message: ToFrame) =>
    frame.current?.contentWindow?.postMessage(message, location.origin);

  const hear = useEffectEvent(({ data, origin, source }: MessageEvent<FromFrame>) => {
    if (origin !== location.origin || source !== frame.current?.contentWindow) return;
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
    const listener = (event: MessageEvent<FromFrame>) => hear(event);
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
