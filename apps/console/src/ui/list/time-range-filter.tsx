// List filter by a time range: Asia/Shanghai on screen, UTC in the URL and in requests.
import DatePicker from "antd/es/date-picker";
import type { Dayjs } from "dayjs";
import { dayPresets } from "../form/day-presets.rules.ts";
import { rangePresets } from "../form/range-presets.ts";
import { clockFace, isoOf } from "../form/shanghai-face.ts";
import type { Filter } from "./filters.tsx";
import "./time-range-filter.css";

function presets() {
  return rangePresets(dayPresets).map(({ label, value }) => ({
    label,
    value: (): [Dayjs, Dayjs] => {
      const [from, to] = value();
      return [from, to.endOf("day")];
    },
  }));
}

export function timeRangeFilter<Name extends string>(
  names: readonly [from: Name, to: Name],
  label: string,
): Filter<Name> {
  const [from, to] = names;
  const face = (iso: string | undefined) => (iso ? clockFace(iso) : null);
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
        value={[face(texts[from]), face(texts[to])]}
        onChange={(faces) => change({ [from]: isoOf(faces?.[0]), [to]: isoOf(faces?.[1]) })}
      />
    ),
    shown: (texts) =>
      names.map((name) => face(texts[name])?.format("YYYY-MM-DD HH:mm") ?? "不限").join(" – "),
  };
}
