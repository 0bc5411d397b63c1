// 操作日志: who had which cabinet do what and why, what came of it, and how long each stage took.
import { cabinetContract } from "@cabinet/contract/cabinet/cabinet.contract.ts";
import { commandContract } from "@cabinet/contract/command/command.contract.ts";
import { commandKindText, commandStateText } from "@cabinet/contract/command/command.rules.ts";
import { Link } from "react-router";
import { usePermission } from "../../kit/permission.ts";
import { useCall } from "../../kit/query.ts";
import { commandTitle } from "../../ui/command-stages.rules.ts";
import { choiceFilter, choicesOf, digitsFilter, textFilter } from "../../ui/filters.tsx";
import { ListPage } from "../../ui/list-page.tsx";
import { useListState } from "../../ui/list-state.ts";
import { LiveBadge } from "../../ui/live.tsx";
import { timeRangeFilter } from "../../ui/time-range-filter.tsx";
import { commandColumns } from "./command-columns.tsx";
import { CommandDetail } from "./command-detail.tsx";
import "../../ui/basics.css";
import "./command-log.css";

const filters = [
  timeRangeFilter(["from", "to"], "时间"),
  textFilter("keyword", "设备", "输入编号或名称"),
  choiceFilter("kind", "操作", choicesOf(commandKindText)),
  choiceFilter("state", "结果", choicesOf(commandStateText)),
  digitsFilter("no", "格口号"),
  textFilter("actorName", "操作人"),
];

export default function CommandLogPage() {
  const cabinetId = Number(useListState().texts.cabinetId) || undefined;
  return (
    <ListPage
      title="操作日志"
      heading={<LogHeading cabinetId={cabinetId} />}
      spec={commandContract.list}
      filters={filters}
      columns={commandColumns}
      rowKey={(command) => command.id}
      freshness={(list) => (
        <LiveBadge topic="command" refresh={list.refresh} cabinetId={cabinetId} />
      )}
      detail={{
        title: commandTitle,
        body: (command) => <CommandDetail key={command.id} command={command} />,
      }}
      emptyHint="远程开门、重启等操作会记录在这里"
    />
  );
}

/** The page is not in the menu: it says its name, and whose log it is. */
function LogHeading({ cabinetId }: { cabinetId: number | undefined }) {
  const { filter } = useListState();
  const mayReadCabinets = usePermission("cabinet:read");
  const cabinet = useCall(
    cabinetContract.get,
    { params: { id: cabinetId ?? 0 } },
    { enabled: cabinetId !== undefined && mayReadCabinets, isQuiet: true },
  );
  return (
    <header className="command-log-heading">
      <h2>操作日志</h2>
      {cabinetId !== undefined && (
        <>
          <span className="command-log-cabinet">
            {cabinet.data ? `${cabinet.data.name}（${cabinet.data.sn}）` : `设备 ${cabinetId}`}
          </span>
          <button type="button" className="ui-link" onClick={() => filter({ cabinetId: "" })}>
            查看全部设备
          </button>
          <Link className="ui-link" to={`/cupboard/blockManage?id=${cabinetId}`}>
            格口管理
          </Link>
        </>
      )}
      <Link className="ui-link command-log-back" to="/cupboard/index">
        返回设备列表
      </Link>
    </header>
  );
}
