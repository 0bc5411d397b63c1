// 完成处理: opening test, then cause, measure and photos.
import {
  type Malfunction,
  type MalfunctionPhoto,
  malfunctionContract,
  ResolveBody,
} from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import Input from "antd/es/input";
import { Type } from "typebox";
import { toast } from "../../../kit/feedback.ts";
import { useWrite } from "../../../kit/query.ts";
import { useLast } from "../../../ui/display/use-last.ts";
import { FormDialog } from "../../../ui/form/form-frames.tsx";
import { InlineDoorTest } from "./door-test.tsx";
import { nameOf, placeText } from "./malfunction-status.tsx";
import { usePhotosField } from "./photos-input.tsx";

const { cause, measure } = ResolveBody.properties;
const Form = Type.Object({
  cause,
  measure,
  photos: Type.Optional(Type.Unsafe<MalfunctionPhoto[]>({})),
});

export interface ResolveDialogProps {
  /** Null while the dialog is closed. */
  malfunction: Malfunction | null;
  onClose: () => void;
}

export function ResolveDialog({ malfunction, onClose }: ResolveDialogProps) {
  const shown = useLast(malfunction);
  const resolve = useWrite(malfunctionContract.resolve);
  const photoField = usePhotosField(shown?.tenantId);
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
            <Input.TextArea rows={2} maxLength={500} placeholder="如：锁舌变形，卡住不能弹开" />
          ),
        },
        {
          name: "measure",
          label: "处理措施",
          control: (
            <Input.TextArea
              rows={3}
              maxLength={500}
              placeholder="如：更换电控锁，开门测试 3 次正常"
            />
          ),
        },
      ]}
      submitText="完成处理"
      submit={async ({ photos = [], ...said }) => {
        const photoIds = photos.map(({ id }) => id);
        await resolve.mutateAsync({ params: { id: shown?.id ?? 0 }, body: { ...said, photoIds } });
        toast.success("处理结果已保存，等待关闭");
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
