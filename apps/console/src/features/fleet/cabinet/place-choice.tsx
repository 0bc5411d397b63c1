// Place of a cabinet: that of its store, or its own on the map.
import type { CabinetDetail } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { coordinatesProblem } from "@cabinet/contract/kit/place.rules.ts";
import Input from "antd/es/input";
import Radio from "antd/es/radio";
import type { Control } from "../../../ui/form/control.ts";
import { MapPicker } from "../../../ui/map-picker/map-picker.tsx";
import type { CabinetPlace } from "./cabinet-edit.rules.ts";
import "./place-choice.css";

export interface PlaceChoiceProps extends Control<CabinetPlace> {
  cabinet: CabinetDetail;
}

const nowhere: CabinetPlace = { address: "", longitude: null, latitude: null, isOwn: false };

export function PlaceChoice({ cabinet, id, value = nowhere, onChange }: PlaceChoiceProps) {
  const { storeName, storeAddress, storeLongitude, storeLatitude } = cabinet;
  const hasStorePlace = storeLongitude !== null && storeLatitude !== null;
  const choose = (isOwn: boolean) =>
    onChange?.({
      ...value,
      isOwn,
      // A place of its own starts at the store's position.
      longitude: value.longitude ?? storeLongitude,
      latitude: value.latitude ?? storeLatitude,
    });
  return (
    <div className="place-choice">
      <Radio.Group
        value={value.isOwn}
        options={[
          { value: false, label: "沿用门店位置" },
          { value: true, label: "单独设置" },
        ]}
        onChange={({ target }) => choose(target.value)}
      />
      {value.isOwn ? (
        <MapPicker
          {...(id && { id })}
          value={value}
          name={cabinet.name}
          onChange={(place) => onChange?.({ ...place, isOwn: true })}
        />
      ) : (
        <>
          <p className="place-choice-store">
            {storeName
              ? `${storeName}${storeAddress ? `，${storeAddress}` : ""}`
              : "设备未分配门店"}
            <span>{hasStorePlace ? `${storeLongitude}, ${storeLatitude}` : "门店没有坐标"}</span>
          </p>
          <span className="place-choice-label" aria-hidden="true">
            位置说明
          </span>
          <Input
            {...(id && { id })}
            aria-label="位置说明"
            maxLength={120}
            placeholder="在门店的什么地方，如：1 楼东门收银台旁"
            value={value.address}
            onChange={({ target }) => onChange?.({ ...value, address: target.value })}
          />
        </>
      )}
    </div>
  );
}

export function placeChoiceProblem(value: unknown): string | null {
  const place = value as CabinetPlace | undefined;
  if (!place?.isOwn) return null;
  if (place.longitude === null && place.latitude === null) {
    return "请填写坐标，或改为沿用门店位置";
  }
  return coordinatesProblem(place);
}
