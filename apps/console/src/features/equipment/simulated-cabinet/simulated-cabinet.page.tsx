// 模拟柜机: the front of a simulated cabinet, full screen, operated by hand and compared with the platform.
import { compartmentContract } from "@cabinet/contract/equipment/compartment/compartment.contract.ts";
import { simulatedCabinetContract } from "@cabinet/contract/equipment/simulated-cabinet/simulated-cabinet.contract.ts";
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { invalidate, useCall } from "../../../kit/query.ts";
import { NoRecord, RecordFailure, useIdParam } from "../../../ui/display/one-record.tsx";
import { useLiveRefresh, usePollMs } from "../../../ui/live/live.tsx";
import { SimulatedCabinetView } from "./simulated-cabinet-view.tsx";
import "./simulated-cabinet.css";

const list = { path: "/cupboard/index", title: "设备列表" } as const;
/** The cabinet changes without the platform's knowledge, so no live event announces it. */
const STATE_POLL_MS = 1_000;

export default function SimulatedCabinetPage() {
  const id = useIdParam("id");
  const hint = "请从设备详情打开“模拟柜机”。";
  return (
    <main className="simulated">
      <h1 className="visually-hidden">模拟柜机</h1>
      {id === null ? (
        <NoRecord title="没有指定设备" hint={hint} list={list} />
      ) : (
        <OneCabinet key={id} cabinetId={id} />
      )}
    </main>
  );
}

function OneCabinet({ cabinetId }: { cabinetId: number }) {
  const input = { params: { id: cabinetId } };
  const options = { refetchInterval: usePollMs() };
  const state = useCall(simulatedCabinetContract.get, input, { refetchInterval: STATE_POLL_MS });
  const cabinet = useCall(cabinetContract.get, input, options);
  const cells = useCall(compartmentContract.list, input, options);
  const refresh = () =>
    invalidate(simulatedCabinetContract.get, cabinetContract.get, compartmentContract.list);
  useLiveRefresh("cabinet", refresh, { cabinetId, pace: "close" });

  if (state.data === null && !state.error) {
    const hint = "只有在本服务器上由模拟器运行的设备才能在这里操作。";
    return <NoRecord title="这台设备没有模拟柜机在运行" hint={hint} list={list} />;
  }
  if (state.data && cabinet.data && cells.data) {
    const failure = state.error ?? cabinet.error ?? cells.error;
    return (
      <SimulatedCabinetView
        cabinet={cabinet.data}
        cells={cells.data}
        state={state.data}
        failure={failure ? failure.message : null}
      />
    );
  }
  const error = state.error ?? cabinet.error ?? cells.error;
  if (!error) return <div className="ui-skeleton" role="status" aria-label="正在加载" />;
  const hint = "可能已被移除，或属于其他租户。";
  return <RecordFailure error={error} hint={hint} list={list} onRetry={() => void refresh()} />;
}
