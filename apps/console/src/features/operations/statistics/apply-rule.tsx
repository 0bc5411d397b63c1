// Applies the simulated rule to the cabinet, store or tenant that the simulation is about.
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { pricingText, type RatedRule } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import { storeContract } from "@cabinet/contract/organization/store/store.contract.ts";
import { useState } from "react";
import { PricingDialog, type PricingTarget } from "../../../domain/pricing/index.ts";
import { useIsPlatform, usePermissions } from "../../../kit/permission.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import { useSignedIn } from "../../../kit/session.ts";
import { useAction } from "../../../ui/display/action.tsx";
import { Button } from "../../../ui/display/button.tsx";
import { editWithPricing } from "../../fleet/cabinet/index.ts";

export interface SimulatedPlace {
  tenantId?: number;
  storeId?: number;
  cabinetId?: number;
}

export function ApplyRule({ rule, place }: { rule: RatedRule; place: SimulatedPlace }) {
  const may = usePermissions();
  const isPlatform = useIsPlatform();
  if (place.cabinetId !== undefined) {
    return may("cabinet:write") ? <ForCabinet rule={rule} id={place.cabinetId} /> : null;
  }
  // All tenants have no rule in common.
  if (!may("pricing:write") || (isPlatform && !place.tenantId && !place.storeId)) return null;
  return <ForPlace rule={rule} place={place} />;
}

function ForCabinet({ rule, id }: { rule: RatedRule; id: number }) {
  const { data: cabinet } = useCall(cabinetContract.get, { params: { id } });
  const save = useWrite(cabinetContract.update);
  const { ask, dialog } = useAction();
  if (!cabinet) return null;
  return (
    <>
      <Button
        onClick={() =>
          ask({
            title: `应用规则：${cabinet.name}`,
            effect: (
              <>
                <p>这台设备改为单独计费，只对之后开始的存放生效：</p>
                <p>{pricingText(rule)}</p>
              </>
            ),
            confirm: "应用规则",
            run: () => save.mutateAsync({ params: { id }, body: editWithPricing(cabinet, rule) }),
            done: "规则已应用，对之后开始的存放生效",
          })
        }
      >
        应用到这台设备
      </Button>
      {dialog}
    </>
  );
}

function ForPlace({ rule, place }: { rule: RatedRule; place: SimulatedPlace }) {
  const own = useSignedIn().tenantId;
  const [target, setTarget] = useState<PricingTarget | null>(null);
  const { storeId } = place;
  const store = useCall(
    storeContract.get,
    { params: { id: storeId ?? 0 } },
    { enabled: storeId !== undefined },
  );
  const tenantId = store.data?.tenantId ?? place.tenantId ?? own;
  const isKnown = storeId === undefined || store.data !== undefined;
  return (
    <>
      <Button
        disabled={!isKnown}
        onClick={() =>
          setTarget({
            tenantId,
            ...(storeId !== undefined && { storeId }),
            name: store.data?.name ?? "全部门店",
          })
        }
      >
        {storeId === undefined ? "应用到租户" : "应用到门店"}
      </Button>
      <PricingDialog target={target} draft={rule} onClose={() => setTarget(null)} />
    </>
  );
}
