// 完成处理: opening test, then cause, measure and photos.
import {
  type Malfunction,
  type MalfunctionPhoto,
  malfunctionContract,
  ResolveBody,
} from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import Checkbox from "antd/es/checkbox";
import { Type } from "typebox";
import { toast } from "../../../kit/feedback.ts";
import { usePermission } from "../../../kit/permission.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import { useLast } from "../../../ui/display/use-last.ts";
import { FormDialog } from "../../../ui/form/form-frames.tsx";
import { TextWithExamples } from "../../../ui/form/text-with-examples.tsx";
import { InlineDoorTest } from "./door-test.tsx";
import { nameOf, placeText } from "./malfunction-status.tsx";
import { usePhotosField } from "./photos-input.tsx";

const { cause, measure, enables } = ResolveBody.properties;
const Form = Type.Object({
  cause,
  measure,
  enables,
  photos: Type.Optional(Type.Unsafe<MalfunctionPhoto[]>({})),
});

const causes = ["锁舌卡滞", "锁具损坏", "线路松动", "箱门变形", "异物卡住", "断电或断网"];
const measures = ["清理并调整锁具", "更换锁具", "重新接线", "校正箱门", "重启设备", "更换零件"];

export interface ResolveDialogProps {
  /** Null while the dialog is closed. */
  malfunction: Malfunction | null;
  onClose: () => void;
}

export function ResolveDialog({ malfunction, onClose }: ResolveDialogProps) {
  const shown = useLast(malfunction);
  const resolve = useWrite(malfunctionContract.resolve);
  const photoField = usePhotosField(shown?.tenantId);
  const mayEnable = usePermission("compartment:write");
  const { data: detail } = useCall(
    malfunctionContract.get,
    { params: { id: malfunction?.id ?? 0 } },
    { enabled: malfunction !== null },
  );
  const isFault = detail?.id === shown?.id && detail?.place?.adminState === "FAULT";
  return (
    <FormDialog
      open={malfunction !== null}
      title={shown ? `完成处理：${nameOf(shown)}` : ""}
      schema={Form}
      fields={[
        photoField,
        {
          name: "cause",
          label: "故障原因",
          control: (
            <TextWithExamples
              of={causes}
              maxLength={500}
              placeholder="如：锁舌变形，卡住不能弹开"
            />
          ),
        },
        {
          name: "measure",
          label: "处理措施",
          control: (
            <TextWithExamples
              of={measures}
              maxLength={500}
              placeholder="如：更换电控锁，开门测试 3 次正常"
            />
          ),
        },
        ...(isFault && mayEnable
          ? [
              {
                name: "enables" as const,
                label: "格口状态",
                valueName: "checked",
                control: <Checkbox>同时启用 {shown?.compartmentNo} 号格口</Checkbox>,
              },
            ]
          : []),
      ]}
      submitText="完成处理"
      initial={{ enables: true }}
      submit={async ({ photos = [], ...said }) => {
        const photoIds = photos.map(({ id }) => id);
        const enables = isFault && mayEnable && said.enables;
        const body = { ...said, photoIds, enables };
        await resolve.mutateAsync({ params: { id: shown?.id ?? 0 }, body });
        toast.success(
          enables ? `处理结果已保存，${shown?.compartmentNo} 号格口已启用` : "处理结果已保存",
        );
      }}
      onClose={onClose}
    >
      {shown && (
        <>
          <p>{placeText(shown)}</p>
          <InlineDoorTest key={shown.id} malfunction={shown} />
        </>
      )}
    </FormDialog>
  );
}
