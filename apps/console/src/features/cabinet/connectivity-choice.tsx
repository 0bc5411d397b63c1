// How many cabinets there are, online and offline; a click shows only those.
import { cabinetContract } from "@cabinet/contract/cabinet/cabinet.contract.ts";
import { formatNumber } from "../../kit/format.ts";
import { useCall } from "../../kit/query.ts";
import { useListState } from "../../ui/list-state.ts";
import "../../ui/basics.css";
import "./connectivity-choice.css";

export function ConnectivityChoice() {
  const { texts, filter } = useListState();
  const { data } = useCall(cabinetContract.statistics, {}, { isQuiet: true });
  const choices = [
    ["", "全部", data?.total],
    ["ONLINE", "在线", data?.online],
    ["OFFLINE", "离线", data?.offline],
    ["NEVER", "从未连接", data?.never],
  ] as const;
  return (
    <fieldset className="connectivity-choice" aria-label="按在线状态查看">
      {choices.map(([word, label, count]) => (
        <button
          key={word}
          type="button"
          aria-pressed={(texts.connectivity ?? "") === word}
          onClick={() => filter({ connectivity: word })}
        >
          {label} <b>{formatNumber(count)}</b>
        </button>
      ))}
    </fieldset>
  );
}
