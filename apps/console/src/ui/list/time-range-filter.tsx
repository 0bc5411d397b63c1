// List filter by a time range: Asia/Shanghai on screen, UTC in the URL and in requests.
import { shanghaiToIso } from "@cabinet/contract/kit/shanghai.rules.ts";
import DatePicker from "antd/es/date-picker";
import dayjs, { type Dayjs } from "dayjs";
import { formatDateTime } from "../../kit/format.ts";
import type { Filter } from "./filters.tsx";
import "./time-range-filter.css";

/**
 * antd's picker only knows the browser's time zone: it gets Shanghai's wall-clock time as if it
 * were local.
 */
function clockFace(iso: string | undefined): Dayjs | null {
  return iso ? dayjs(formatDateTime(iso)) : null;
}

function isoOf(face: Dayjs | null | undefined): string {
  return face ? shanghaiToIso(face.format("YYYY-MM-DDTHH:mm:ss")) : "";
}

function presets() {
  const now = dayjs(formatDateTime(Date.now()));
  const daysBack = (days: number): [Dayjs, Dayjs] => [
    now.subtract(days, "day").startOf("day"),
    now.endOf("day"),
  ];
  return [
    { label: "今天", value: daysBack(0) },
    { label: "近 7 天", value: daysBack(6) },
    { label: "近 30 天", value: daysBack(29) },
  ];
}

export function timeRangeFilter<Name extends string>(
  names: readonly [from: Name, to: Name],
  label: string,
): Filter<Name> {
  const [from, to] = names;
  return {
    label,
    names,
    control: ({ id, texts, change }) => (
      <DatePicker.RangePicker
        id={{ start: id, end: `${id}-end` }}
        classNames={{ popup: { root: "ui-time-range" } }}
        showTime={{ format: "HH:mm" }}
        format="YYYY-MM-DD HH:mm"
        placeholder={["开始时间", "结束时间"]}
        allowEmpty={[true, true]}
        presets={presets()}
        value={[clockFace(texts[from]), clockFace(texts[to])]}
        onChange={(faces) => change({ [from]: isoOf(faces?.[0]), [to]: isoOf(faces?.[1]) })}
      />
    ),
  };
}
