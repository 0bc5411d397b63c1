// Form control for address and coordinates, with a map if a map service is configured.

import {
  type Coordinates,
  coordinatesProblem,
  mapLink,
  parseCoordinates,
  roundCoordinate,
} from "@cabinet/contract/kit/place.rules.ts";
import { mapContract } from "@cabinet/contract/organization/map/map.contract.ts";
import Input from "antd/es/input";
import InputNumber from "antd/es/input-number";
import { type ClipboardEvent, useId, useState } from "react";
import { useCall } from "../../kit/query.ts";
import { Button } from "../display/button.tsx";
import { latePart } from "../display/late-part.tsx";
import type { Control } from "../form/control.ts";
import type { Point } from "./map-messages.rules.ts";
import type { OfferedAddress, PlaceMapProps } from "./place-map.tsx";
import "../display/basics.css";
import "./map-picker.css";

export interface Place extends Coordinates {
  address: string;
}

export interface MapPickerProps extends Control<Place> {
  /** Label of the place in a third party's map. */
  name?: string;
  /** Receives `浙江省 杭州市 西湖区` if the form has a field for the region. */
  onRegion?: (region: string) => void;
}

const ADDRESS_LENGTH = 120;
const COORDINATE_TOOL = "https://lbs.amap.com/tools/picker";
const SETTING_STALE_MS = 3_600_000;
const nowhere: Place = { address: "", longitude: null, latitude: null };

// Lazy chunk, loaded when there is a map to draw.
const PlaceMap = latePart<PlaceMapProps>(async () => (await import("./place-map.tsx")).default, {
  waiting: <div className="map-picker-frame" aria-busy="true" />,
});

export function MapPicker({ id, value = nowhere, onChange, name, onRegion }: MapPickerProps) {
  const ownId = useId();
  const addressId = id ?? ownId;
  const setting = useCall(mapContract.setting, {}, { staleTime: SETTING_STALE_MS });
  const [offered, setOffered] = useState<OfferedAddress | null>(null);
  const change = (part: Partial<Place>) => onChange?.({ ...value, ...part });
  const isRight = coordinatesProblem(value) === null;
  const point = isRight ? pointOf(value) : null;
  const link = isRight ? mapLink(value, name || value.address || "所选位置") : null;

  const paste = (event: ClipboardEvent) => {
    const both = parseCoordinates(event.clipboardData.getData("text"));
    if (!both) return;
    event.preventDefault();
    change(both);
  };
  const coordinate = (part: "longitude" | "latitude", label: string, example: string) => (
    <label className="map-picker-field" htmlFor={`${addressId}-${part}`}>
      <span>{label}</span>
      <InputNumber
        id={`${addressId}-${part}`}
        value={value[part]}
        controls={false}
        precision={6}
        placeholder={`如：${example}`}
        onChange={(degrees) => change({ [part]: degrees === null ? null : Number(degrees) })}
        onPaste={paste}
      />
    </label>
  );

  return (
    <div className="map-picker">
      <label className="map-picker-field map-picker-address" htmlFor={addressId}>
        <span>详细地址</span>
        <Input
          id={addressId}
          value={value.address}
          maxLength={ADDRESS_LENGTH}
          placeholder="街道、门牌号、楼层，如：文二西路 808 号商铺 3"
          onChange={(event) => change({ address: event.target.value })}
        />
      </label>
      {coordinate("longitude", "经度", "120.067600")}
      {coordinate("latitude", "纬度", "30.279900")}
      <p className="map-picker-hint">
        坐标为 GCJ-02（高德、腾讯地图所用）；可粘贴“经度,纬度”，两项会一起填好。
        {link ? (
          <a className="ui-link" href={link} target="_blank" rel="noopener noreferrer">
            在高德地图中查看
          </a>
        ) : (
          !setting.data && (
            <a className="ui-link" href={COORDINATE_TOOL} target="_blank" rel="noopener noreferrer">
              打开高德坐标拾取器
            </a>
          )
        )}
      </p>
      {setting.data && (
        <PlaceMap
          setting={setting.data}
          point={point}
          onPoint={({ longitude, latitude }) => {
            setOffered(null);
            change({
              longitude: roundCoordinate(longitude),
              latitude: roundCoordinate(latitude),
            });
          }}
          onOffer={setOffered}
        />
      )}
      {offered && (
        <p className="map-picker-offer" role="status">
          <span>
            此处地址：{offered.region} {offered.address}
          </span>
          <Button
            size="small"
            onClick={() => {
              // First, since a change of the form's own control counts as input and keeps a draft.
              onRegion?.(offered.region);
              change({ address: offered.address.slice(0, ADDRESS_LENGTH) });
              setOffered(null);
            }}
          >
            填入地址
          </Button>
        </p>
      )}
    </div>
  );
}

function pointOf({ longitude, latitude }: Coordinates): Point | null {
  return longitude === null || latitude === null ? null : { longitude, latitude };
}
