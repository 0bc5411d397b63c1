// Shanghai's wall clock for antd's pickers, which only know the browser's time zone: they get it as
// if it were local.
import { shanghaiToIso } from "@cabinet/contract/kit/shanghai.rules.ts";
import dayjs, { type Dayjs } from "dayjs";
import { formatDateTime } from "../../kit/format.ts";

/** Pickers ask the present moment for its face in the default time zone, to mark today's cell. */
dayjs.extend((_, { prototype }) => {
  Object.assign(prototype, { tz: () => clockFace(Date.now()) });
});

export function clockFace(time: string | number): Dayjs {
  return dayjs(formatDateTime(time));
}

/** ISO 8601 in UTC; empty without a face. */
export function isoOf(face: Dayjs | null | undefined): string {
  return face ? shanghaiToIso(face.format("YYYY-MM-DDTHH:mm:ss")) : "";
}
