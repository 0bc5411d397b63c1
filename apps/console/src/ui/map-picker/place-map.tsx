// Map beside the address fields: search, a marker to click or drag, the user's position.
import type { MapSetting } from "@cabinet/contract/organization/map/map.contract.ts";
import { MAP_FRAME_PATH } from "@cabinet/contract/organization/map/map.rules.ts";
import AutoComplete from "antd/es/auto-complete";
import Input from "antd/es/input";
import { useRef, useState } from "react";
import { Button } from "../display/button.tsx";
import type { FoundPlace, FromFrame, Point } from "./map-messages.rules.ts";
import { useMapFrame } from "./use-map-frame.ts";

const TYPING_MS = 300;
const LOCATE_MS = 8_000;

export interface OfferedAddress {
  region: string;
  address: string;
}

export interface PlaceMapProps {
  setting: MapSetting;
  point: Point | null;
  onPoint: (point: Point) => void;
  onOffer: (offered: OfferedAddress) => void;
}

export default function PlaceMap({ setting, point, onPoint, onOffer }: PlaceMapProps) {
  const [note, setNote] = useState<string | null>(null);
  const [places, setPlaces] = useState<FoundPlace[]>([]);
  const [isOpen, setIsOpen] = useState(false);
  const [words, setWords] = useState("");
  const [isLocating, setIsLocating] = useState(false);
  const asked = useRef({ id: 0, timer: 0 });

  const hear = (message: FromFrame) => {
    if (message.kind === "picked") {
      setIsLocating(false);
      setNote(
        message.isRough ? "只得到大致位置（按网络地址），请在地图上拖动标记到准确位置" : null,
      );
      onPoint(message.point);
    } else if (message.kind === "address") {
      onOffer({ region: message.region, address: message.address });
    } else if (message.kind === "found" && message.id === asked.current.id) {
      setPlaces(distinct(message.places ?? []));
      setIsOpen(true);
      setNote(foundNote(message.places));
    } else if (message.kind === "notLocated") {
      setIsLocating(false);
      setNote("没有得到当前位置：请允许浏览器使用位置信息，或在地图上点选");
    }
  };
  const { frame, state, attempt, say, retry } = useMapFrame(setting, point, hear);

  const search = (text: string, isWhole: boolean) => {
    clearTimeout(asked.current.timer);
    asked.current.id += 1;
    const id = asked.current.id;
    const trimmed = text.trim();
    if (trimmed === "") return setPlaces([]);
    const ask = () => say({ kind: "search", id, words: trimmed, isWhole });
    if (isWhole) ask();
    else asked.current.timer = window.setTimeout(ask, TYPING_MS);
  };
  const choose = (title: string) => {
    const place = places.find((found) => titleOf(found) === title);
    if (!place) return;
    asked.current.id += 1;
    setWords(place.name);
    setPlaces([]);
    setIsOpen(false);
    setNote(null);
    onPoint(place);
    say({ kind: "pick", point: place });
  };

  if (state === "failed") {
    return (
      <div className="map-picker-failed" role="alert">
        <span>地图加载失败，可直接填写坐标；检查网络后可重试。</span>
        <Button size="small" onClick={retry}>
          重试
        </Button>
      </div>
    );
  }
  const isLoading = state === "loading";
  return (
    <div className="map-picker-map">
      <div className="map-picker-bar">
        <AutoComplete
          value={words}
          disabled={isLoading}
          open={isOpen && places.length > 0}
          onOpenChange={setIsOpen}
          defaultActiveFirstOption={false}
          options={places.map((place) => ({
            value: titleOf(place),
            label: (
              <span className="map-picker-found">
                {place.name}
                <small>{place.detail}</small>
              </span>
            ),
          }))}
          onSelect={choose}
          onChange={(text, option) => {
            // Choosing an option also changes the text to its full label: do not search for that.
            if (option && "label" in option) return;
            setWords(text);
            search(text, false);
          }}
        >
          <Input.Search
            aria-label="搜索地点"
            placeholder="搜索小区、商场、道路…"
            maxLength={60}
            onSearch={(text) => search(text, true)}
          />
        </AutoComplete>
        <Button
          disabled={isLoading}
          loading={isLocating}
          onClick={() => {
            setIsLocating(true);
            // The sandboxed frame may not ask the browser for the position; the map corrects it to GCJ-02.
            navigator.geolocation.getCurrentPosition(
              ({ coords: { longitude, latitude } }) =>
                say({ kind: "locate", gps: { longitude, latitude } }),
              () => say({ kind: "locate", gps: null }),
              { enableHighAccuracy: true, timeout: LOCATE_MS },
            );
          }}
        >
          定位到我
        </Button>
      </div>
      <div className="map-picker-frame" aria-busy={isLoading}>
        <iframe
          key={attempt}
          ref={frame}
          src={MAP_FRAME_PATH}
          title="地图：点击选择位置，可拖动标记"
          sandbox="allow-scripts"
        />
        {isLoading && <span className="map-picker-loading">正在加载地图…</span>}
      </div>
      <p className="map-picker-note" role="status">
        {note ?? "在地图上点击选择位置，标记可以拖动"}
      </p>
    </div>
  );
}

/** Label of an option, also for screen readers. */
function titleOf({ name, detail }: FoundPlace): string {
  return `${name} ${detail}`.trim();
}

/** Removes duplicates: the service returns some places twice. */
function distinct(places: FoundPlace[]): FoundPlace[] {
  return [...new Map(places.map((place) => [titleOf(place), place])).values()];
}

function foundNote(places: FoundPlace[] | null): string | null {
  if (places === null) return "搜索没有成功，请稍后重试；也可以在地图上点选";
  return places.length === 0 ? "没有搜到，请换个说法，或在地图上点选" : null;
}
