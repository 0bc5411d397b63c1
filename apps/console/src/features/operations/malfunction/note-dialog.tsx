// 添加记录: adds a note with photos to an open malfunction.
import {
  type Malfunction,
  type MalfunctionPhoto,
  malfunctionContract,
} from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import Input from "antd/es/input";
import { Type } from "typebox";
import { toast } from "../../../kit/feedback.ts";
import { useWrite } from "../../../kit/query.ts";
import { useLast } from "../../../ui/display/use-last.ts";
import { FormDialog } from "../../../ui/form/form-frames.tsx";
import { nameOf } from "./malfunction-status.tsx";
import { usePhotosField } from "./photos-input.tsx";

const Form = Type.Object({
  text: malfunctionContract.note.body.properties.text,
  photos: Type.Optional(Type.Unsafe<MalfunctionPhoto[]>({})),
});

export interface NoteDialogProps {
  /** Null while the dialog is closed. */
  malfunction: Malfunction | null;
  onClose: () => void;
}

export function NoteDialog({ malfunction, onClose }: NoteDialogProps) {
  const shown = useLast(malfunction);
  const add = useWrite(malfunctionContract.note);
  const photoField = usePhotosField(shown?.tenantId);
  return (
    <FormDialog
      open={malfunction !== null}
      title={shown ? `添加记录：${nameOf(shown)}` : ""}
      schema={Form}
      fields={[
        {
          name: "text",
          label: "记录",
          control: (
            <Input.TextArea rows={3} maxLength={500} placeholder="如：已到现场，缺配件，明早再来" />
          ),
        },
        photoField,
      ]}
      submitText="添加"
      submit={async ({ text, photos = [] }) => {
        const photoIds = photos.map(({ id }) => id);
        await add.mutateAsync({ params: { id: shown?.id ?? 0 }, body: { text, photoIds } });
        toast.success("记录已添加");
      }}
      onClose={onClose}
    />
  );
}
