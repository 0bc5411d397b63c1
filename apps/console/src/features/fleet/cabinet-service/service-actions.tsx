// Stops and resumes the service of cabinets, with a confirmation that states the effect.
import {
  cabinetServiceContract,
  type ServicedCabinet,
} from "@cabinet/contract/fleet/cabinet-service/cabinet-service.contract.ts";
import { useWrite } from "../../../kit/query.ts";
import type { useAction } from "../../../ui/display/action.tsx";

/** Maximum number of cabinets in one call. */
const MAX_CABINETS = 200;

export function idsOf(cabinets: readonly ServicedCabinet[]): number[] {
  if (cabinets.length > MAX_CABINETS) {
    throw new Error(`一次最多处理 ${MAX_CABINETS} 台设备，请减少选择后分批操作`);
  }
  return cabinets.map((cabinet) => cabinet.cabinetId);
}

type Ask = ReturnType<typeof useAction>["ask"];

export function useServiceActions(ask: Ask) {
  const stop = useWrite(cabinetServiceContract.stop);
  const resume = useWrite(cabinetServiceContract.resume);
  const isStopped = ({ service }: ServicedCabinet) => service.state === "STOPPED";

  return {
    stop(cabinets: readonly ServicedCabinet[], onDone = () => {}) {
      const goods = cabinets.reduce((sum, cabinet) => sum + cabinet.occupied, 0);
      ask({
        title: "停止服务",
        effect: (
          <>
            <CabinetNames cabinets={cabinets} />
            <p>
              将立即停止接收新的存件，租户会看到“服务已停止”。
              {goods > 0
                ? `在柜的 ${goods} 件物品不受影响，可照常开门取出。`
                : "柜内没有登记的物品；远程开门不受影响。"}
            </p>
          </>
        ),
        confirm: "停止服务",
        isDanger: true,
        reasons: ["合同到期未续", "租户欠费", "设备撤场"],
        run: async (reason) => {
          if (cabinets.some(isStopped)) {
            throw new Error("所选设备中有已停止服务的，请取消选择它们后重试");
          }
          await stop.mutateAsync({ body: { cabinetIds: idsOf(cabinets), reason } });
          onDone();
        },
        done: `已停止 ${cabinets.length} 台设备的服务`,
      });
    },

    resume(cabinets: readonly ServicedCabinet[], onDone = () => {}) {
      const over = cabinets.filter(({ service }) => (service.daysLeft ?? 0) < 0);
      ask({
        title: "恢复服务",
        effect: (
          <>
            <CabinetNames cabinets={cabinets} />
            <p>
              将按各自的服务期重新接收存件。
              {over.length > 0 && `其中 ${over.length} 台已过到期日，恢复后仍不接单，还需续期。`}
            </p>
          </>
        ),
        confirm: "恢复服务",
        reasons: ["已续约", "已付清费用", "误操作恢复"],
        run: async (reason) => {
          if (!cabinets.every(isStopped)) {
            throw new Error("只有已停止服务的设备可以恢复，请取消选择其他设备后重试");
          }
          await resume.mutateAsync({ body: { cabinetIds: idsOf(cabinets), reason } });
          onDone();
        },
        done: `已恢复 ${cabinets.length} 台设备的服务`,
      });
    },
  };
}

function CabinetNames({ cabinets }: { cabinets: readonly ServicedCabinet[] }) {
  const names = cabinets.slice(0, 5).map(({ name, sn }) => `${name}（${sn}）`);
  return (
    <p>
      <b>{names.join("、")}</b>
      {cabinets.length > names.length && ` 等 ${cabinets.length} 台设备`}
    </p>
  );
}
