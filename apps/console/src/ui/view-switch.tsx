// The views of one page, told apart by `?view=` in the URL; going to another leaves its filters behind.
import { useSearchParams } from "react-router";
import { usePermission } from "../kit/permission.ts";
import { ChoiceBar } from "./choice-bar.tsx";
import "./view-switch.css";

interface ViewSwitchProps {
  label: string;
  /** The first one is the page itself, its word empty. */
  views: readonly (readonly [view: string, title: string])[];
}

function ViewSwitch({ label, views }: ViewSwitchProps) {
  const [params, setParams] = useSearchParams();
  return (
    <div className="ui-view-switch">
      <ChoiceBar
        label={label}
        choices={views}
        chosen={params.get("view") ?? ""}
        onChoose={(view) => setParams(view ? { view } : {})}
      />
    </div>
  );
}

const cabinetViews = [
  ["", "设备"],
  ["rollouts", "下发任务"],
] as const;

/** Above 设备列表 and its roll-outs. */
export function CabinetViews() {
  if (!usePermission("rollout:read")) return null;
  return <ViewSwitch label="切换设备与下发任务" views={cabinetViews} />;
}

const modelViews = [
  ["", "设备类型"],
  ["firmware", "固件"],
] as const;

/** Above 设备类型 and their firmware. */
export function ModelViews() {
  if (!usePermission("rollout:read")) return null;
  return <ViewSwitch label="切换设备类型与固件" views={modelViews} />;
}
