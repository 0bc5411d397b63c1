// 固件: signed images; platform staff upload and release them, tenants see released ones.
import { cabinetModelContract } from "@cabinet/contract/equipment/cabinet-model/cabinet-model.contract.ts";
import {
  type Firmware,
  firmwareContract,
} from "@cabinet/contract/fleet/firmware/firmware.contract.ts";
import { firmwareStateText } from "@cabinet/contract/fleet/firmware/firmware.rules.ts";
import { useState } from "react";
import { ListPage } from "../../../domain/list-page.tsx";
import { ViewSwitch } from "../../../domain/view-switch.tsx";
import { useIsPlatform } from "../../../kit/permission.ts";
import { useCall } from "../../../kit/query.ts";
import { useAction } from "../../../ui/display/action.tsx";
import { Button } from "../../../ui/display/button.tsx";
import { choiceFilter, choicesOf, textFilter } from "../../../ui/list/filters.tsx";
import { useFirmwareActions } from "./firmware-actions.tsx";
import { firmwareColumns } from "./firmware-columns.tsx";
import { FirmwareDetail } from "./firmware-detail.tsx";
import { FirmwareForm } from "./firmware-form.tsx";
import { MakerKeys } from "./maker-keys.tsx";

function useFilters(isPlatform: boolean) {
  const models = useCall(cabinetModelContract.options, {}, { staleTime: 60_000 });
  return [
    textFilter("keyword", "版本/说明", "版本号或说明"),
    choiceFilter(
      "modelId",
      "型号",
      models.data?.map(({ id, name }) => ({ value: id, label: name })),
    ),
    ...(isPlatform ? [choiceFilter("state", "状态", choicesOf(firmwareStateText))] : []),
  ];
}

export default function FirmwareListPage() {
  const isPlatform = useIsPlatform();
  const filters = useFilters(isPlatform);
  const { ask, dialog } = useAction();
  const [open, setOpen] = useState<"new" | "keys" | null>(null);
  const [edited, setEdited] = useState<Firmware | null>(null);
  const actionsOf = useFirmwareActions(ask, setEdited);
  const close = () => {
    setOpen(null);
    setEdited(null);
  };
  return (
    <>
      <ListPage
        title="固件"
        spec={isPlatform ? firmwareContract.list : firmwareContract.released}
        heading={<ViewSwitch />}
        filters={filters}
        columns={firmwareColumns}
        rowKey={(firmware) => firmware.id}
        toolbar={
          isPlatform && (
            <>
              <Button type="primary" onClick={() => setOpen("new")}>
                上传固件
              </Button>
              <Button onClick={() => setOpen("keys")}>厂家公钥</Button>
            </>
          )
        }
        actions={isPlatform && { width: 160, of: (firmware) => firmware.version, list: actionsOf }}
        detail={{
          title: (firmware) => `固件 ${firmware.version}`,
          body: (firmware) => <FirmwareDetail firmware={firmware} />,
        }}
        emptyHint={
          isPlatform ? "先登记型号的厂家公钥，再上传厂家签名的固件" : "平台发布固件后，会出现在这里"
        }
      />
      <FirmwareForm open={open === "new" || edited !== null} firmware={edited} onClose={close} />
      <MakerKeys open={open === "keys"} onClose={close} />
      {dialog}
    </>
  );
}
