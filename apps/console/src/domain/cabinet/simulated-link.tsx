// Link 模拟柜机 of a cabinet that a simulator runs; nothing for a real one.
import { simulatedCabinetContract } from "@cabinet/contract/equipment/simulated-cabinet/simulated-cabinet.contract.ts";
import { Link, pathTo } from "../../kit/paths.ts";
import { usePermission } from "../../kit/permission.ts";
import { useCall } from "../../kit/query.ts";

export function SimulatedLink({ cabinetId }: { cabinetId: number }) {
  const enabled = usePermission("compartment:read");
  const input = { params: { id: cabinetId } };
  const answer = useCall(simulatedCabinetContract.get, input, { enabled });
  if (!answer.data) return null;
  return (
    <Link className="ui-link" to={pathTo("/cupboard/simulated", { id: cabinetId })}>
      模拟柜机
    </Link>
  );
}
