// Map inside its iframe: loads the map service's script and handles the console's messages.
import { load } from "@amap/amap-jsapi-loader";
import type { Amap, AmapMap, LngLat, Marker, Poi, Regeocode, Tip } from "./amap-api.ts";
import type { FoundPlace, FromFrame, Point, ToFrame } from "./map-messages.rules.ts";

const PLUGINS = [
  "AMap.AutoComplete",
  "AMap.PlaceSearch",
  "AMap.Geolocation",
  "AMap.Geocoder",
  "AMap.Scale",
  "AMap.ToolBar",
];
const LOAD_MS = 12_000;
const LOCATE_MS = 8_000;
/** Terminals for which AMap does not ask the browser: all. */
const NO_BROWSER_POSITION = 3;
/** Zoom levels: all of China, and a street. */
const FAR = { zoom: 4, center: [104.1, 36] } as const;
const NEAR_ZOOM = 16;

declare global {
  interface Window {
    _AMapSecurityConfig?: { serviceHost: string };
  }
}

/** A sandboxed document's storage throws; the map service's script only caches in it. */
function replaceStorage(): void {
  for (const name of ["localStorage", "sessionStorage"]) {
    const kept = new Map<string, string>();
    const value = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, text: string) => void kept.set(key, String(text)),
      removeItem: (key: string) => void kept.delete(key),
      clear: () => kept.clear(),
    };
    Object.defineProperty(window, name, { value });
  }
  Object.defineProperty(document, "cookie", { value: "", writable: true });
}

// Its own URL has the console's origin, although the frame's origin is opaque.
const post = (message: FromFrame) => parent.postMessage(message, location.origin);
const pointOf = (at: LngLat): Point => ({ longitude: at.getLng(), latitude: at.getLat() });
const positionOf = ({ longitude, latitude }: Point): [number, number] => [longitude, latitude];
const textOf = (value: unknown) => (typeof value === "string" ? value : "");

async function loadAmap(key: string, serviceHost: string): Promise<Amap> {
  window._AMapSecurityConfig = { serviceHost };
  const tooLate = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error("the map service did not answer")), LOAD_MS);
  });
  return Promise.race([load({ key, version: "2.0", plugins: PLUGINS }), tooLate]);
}

class PlaceMap {
  readonly #amap: Amap;
  readonly #map: AmapMap;
  #marker: Marker | null = null;
  /** Position of the marker. */
  #point: Point | null = null;

  constructor(amap: Amap, element: HTMLElement, point: Point | null) {
    this.#amap = amap;
    this.#map = new amap.Map(element, {
      zoom: point ? NEAR_ZOOM : FAR.zoom,
      center: point ? positionOf(point) : FAR.center,
      viewMode: "2D",
    });
    this.#map.addControl(new amap.Scale());
    this.#map.addControl(new amap.ToolBar({ position: "RT" }));
    this.#map.on("click", ({ lnglat }) => this.#picked(pointOf(lnglat), false));
    if (point) this.#mark(point);
  }

  show(point: Point | null): void {
    // The form echoes a position picked here: keep the user's map view.
    if (point && this.#point && isSame(point, this.#point)) return;
    if (!point) {
      this.#point = null;
      this.#marker?.setMap(null);
      this.#marker = null;
      return;
    }
    this.#mark(point);
    this.#map.setZoomAndCenter(Math.max(this.#map.getZoom(), NEAR_ZOOM), positionOf(point));
  }

  pick(point: Point): void {
    this.show(point);
    this.#postAddress(point);
  }

  search(id: number, words: string, isWhole: boolean): void {
    const found = (places: FoundPlace[] | null) => post({ kind: "found", id, places });
    if (isWhole) {
      const search = new this.#amap.PlaceSearch({ pageSize: 10, extensions: "all" });
      search.search(words, (status, { poiList }) =>
        found(status === "error" ? null : (poiList?.pois ?? []).flatMap(placeOfPoi)),
      );
    } else {
      const search = new this.#amap.AutoComplete({ city: "全国" });
      search.search(words, (status, { tips }) =>
        found(status === "error" ? null : (tips ?? []).flatMap(placeOfTip)),
      );
    }
  }

  /** `gps`: the browser's position (WGS-84); null: only the network address tells roughly. */
  locate(gps: Point | null): void {
    const found = (at: LngLat | undefined, isRough: boolean) => {
      if (!at) return post({ kind: "notLocated" });
      const point = pointOf(at);
      this.show(point);
      this.#picked(point, isRough);
    };
    if (gps) {
      this.#amap.convertFrom(positionOf(gps), "gps", (status, { locations }) =>
        found(status === "complete" ? locations?.[0] : undefined, false),
      );
      return;
    }
    const geolocation = new this.#amap.Geolocation({
      noGeoLocation: NO_BROWSER_POSITION,
      timeout: LOCATE_MS,
    });
    geolocation.getCurrentPosition((status, { position }) =>
      found(status === "complete" ? position : undefined, true),
    );
  }

  #picked(point: Point, isRough: boolean): void {
    this.#mark(point);
    post({ kind: "picked", point, isRough });
    this.#postAddress(point);
  }

  #mark(point: Point): void {
    this.#point = point;
    if (this.#marker) {
      this.#marker.setPosition(positionOf(point));
      return;
    }
    const marker = new this.#amap.Marker({ draggable: true, position: positionOf(point) });
    marker.on("dragend", ({ lnglat }) => this.#picked(pointOf(lnglat), false));
    marker.setMap(this.#map);
    this.#marker = marker;
  }

  #postAddress(point: Point): void {
    const geocoder = new this.#amap.Geocoder({ radius: 500 });
    geocoder.getAddress(positionOf(point), (status, { regeocode }) => {
      if (status !== "complete" || !regeocode) return;
      post({ kind: "address", point, ...addressOf(regeocode) });
    });
  }
}

function isSame(one: Point, other: Point): boolean {
  const isNear = (a: number, b: number) => Math.abs(a - b) < 0.000_002;
  return isNear(one.longitude, other.longitude) && isNear(one.latitude, other.latitude);
}

function placeOfTip({ name, district, address, location: at }: Tip): FoundPlace[] {
  if (!at) return [];
  return [{ name, detail: `${textOf(district)} ${textOf(address)}`.trim(), ...pointOf(at) }];
}

function placeOfPoi({ name, pname, cityname, adname, address, location: at }: Poi): FoundPlace[] {
  if (!at) return [];
  const district = [...new Set([pname, cityname, adname])].join("");
  return [{ name, detail: `${district} ${textOf(address)}`.trim(), ...pointOf(at) }];
}

/** Region in the form's format, and the address without it. */
function addressOf({ formattedAddress, addressComponent }: Regeocode) {
  const { province, city, district, township } = addressComponent;
  const parts = [province, city, district].map(textOf).filter((part) => part !== "");
  let address = formattedAddress;
  for (const part of [...parts, textOf(township)]) {
    if (part && address.startsWith(part)) address = address.slice(part.length);
  }
  return { region: parts.join(" "), address: address || formattedAddress };
}

let map: PlaceMap | null = null;
replaceStorage();

async function start({ key, serviceHost, point }: Extract<ToFrame, { kind: "start" }>) {
  try {
    const amap = await loadAmap(key, serviceHost);
    map = new PlaceMap(amap, document.getElementById("map") as HTMLElement, point);
    post({ kind: "ready" });
  } catch {
    post({ kind: "failed" });
  }
}

window.addEventListener("message", ({ data, origin, source }: MessageEvent<ToFrame>) => {
  if (origin !== location.origin || source !== parent) return;
  if (data.kind === "start") void start(data);
  else if (data.kind === "show") map?.show(data.point);
  else if (data.kind === "pick") map?.pick(data.point);
  else if (data.kind === "search") map?.search(data.id, data.words, data.isWhole);
  else map?.locate(data.gps);
});
// No parent window when the page is opened outside of an iframe.
if (parent !== window) post({ kind: "hello" });
