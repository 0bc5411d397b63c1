// 厂家公钥: the public key of each model that verifies the maker's firmware signature.
import {
  firmwareContract,
  type MakerKey,
} from "@cabinet/contract/fleet/firmware/firmware.contract.ts";
import Input from "antd/es/input";
import { useState } from "react";
import { toast } from "../../../kit/feedback.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import { Button } from "../../../ui/display/button.tsx";
import { DetailDrawer } from "../../../ui/display/detail-drawer.tsx";
import { ErrorState } from "../../../ui/display/states.tsx";
import { useLast } from "../../../ui/display/use-last.ts";
import { FormDialog } from "../../../ui/form/form-frames.tsx";
import { DrawerRow } from "../../../ui/list/drawer-list.tsx";
import { FirmwareCode } from "./firmware-detail.tsx";

export function MakerKeys({ open, onClose }: { open: boolean; onClose: () => void }) {
  const answer = useCall(firmwareContract.makerKeys, {}, { enabled: open });
  const [edited, setEdited] = useState<MakerKey | null>(null);
  return (
    <DetailDrawer open={open} title="厂家公钥" onClose={onClose}>
      <p className="ui-form-note">
        上传固件时用公钥验证厂家签名。设备出厂时内置同一把公钥，平台无法伪造固件。
      </p>
      {answer.error && !answer.data ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : (
        <ul className="ui-drawer-rows">
          {answer.data?.map((key) => (
            <DrawerRow
              key={key.modelId}
              name={
                <>
                  {key.modelName}
                  {key.publicKey ? (
                    <FirmwareCode>{bodyOf(key.publicKey)}</FirmwareCode>
                  ) : (
                    <small>未登记，不能上传该型号的固件</small>
                  )}
                </>
              }
              state={
                <Button onClick={() => setEdited(key)}>{key.publicKey ? "更换" : "登记"}</Button>
              }
            />
          ))}
        </ul>
      )}
      <KeyDialog edited={edited} onClose={() => setEdited(null)} />
    </DetailDrawer>
  );
}

/** Base64 body of a PEM key, without header, footer and line breaks. */
function bodyOf(pem: string): string {
  return pem.replace(/-----[^-]+-----|\s/g, "");
}

function KeyDialog({ edited, onClose }: { edited: MakerKey | null; onClose: () => void }) {
  const save = useWrite(firmwareContract.saveMakerKey);
  const shown = useLast(edited);
  return (
    <FormDialog
      open={edited !== null}
      title={`厂家公钥：${shown?.modelName ?? ""}`}
      schema={firmwareContract.saveMakerKey.body}
      fields={[
        {
          name: "publicKey",
          label: "公钥（PEM）",
          control: (
            <Input.TextArea rows={4} maxLength={500} placeholder="-----BEGIN PUBLIC KEY-----" />
          ),
          hint: "Ed25519 公钥，由厂家提供；不要粘贴私钥",
        },
        {
          name: "reason",
          label: "原因",
          control: <Input placeholder="如：新厂家首次登记" />,
          hint: shown?.publicKey
            ? "更换后，仍内置旧公钥的设备会拒绝用新私钥签名的固件"
            : "记入操作审计",
        },
      ]}
      initial={{ publicKey: shown?.publicKey ?? "" }}
      submit={async (body) => {
        if (!shown) return;
        await save.mutateAsync({ params: { modelId: shown.modelId }, body });
        toast.success(`“${shown.modelName}”的厂家公钥已保存`);
      }}
      onClose={onClose}
    />
  );
}
