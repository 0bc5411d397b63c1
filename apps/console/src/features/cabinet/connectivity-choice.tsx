// How many cabinets there are, online and offline; a click shows only those.
import { cabinetContract } from "@cabinet/contract/cabinet/cabinet.contract.ts";
import { formatNumber } from "../../kit/format.ts";
import { useCall } from "../../kit/query.ts";
import { ChoiceBar } from "../../ui/choice-bar.tsx";
import { useListState } from "../../ui/list-state.ts";

export function ConnectivityChoice() {
  const { texts, filter } = useListState();
  const { data } = useCall(cabinetContract.statistics, {}, { isQuiet: true });
  const counted = (label: string, count: number | undefined) => (
    <>
      {label} <b>{formatNumber(count)}</b>
    </>
  );
  return (
    <ChoiceBar
      label="按在线状态查看"
      choices={[
        ["", counted("全部", data?.total)],
        ["ONLINE", counted("在线", data?.online)],
        ["OFFLINE", counted("离线", data?.offline)],
        ["NEVER", counted("从未连接", data?.never)],
      ]}
      chosen={texts.connectivity ?? ""}
      onChoose={(connectivity) => filter({ connectivity })}
    />
  );
}
