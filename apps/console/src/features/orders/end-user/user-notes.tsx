// 备注 of a person, newest first: add one, delete one's own or, with all stores, any.
import {
  type EndUserDetail,
  type EndUserNote,
  endUserContract,
} from "@cabinet/contract/orders/end-user/end-user.contract.ts";
import { LONGEST_NOTE } from "@cabinet/contract/orders/end-user/end-user.rules.ts";
import Input from "antd/es/input";
import { useState } from "react";
import { personText } from "../../../domain/person-text.ts";
import { toast } from "../../../kit/feedback.ts";
import { formatDateTime } from "../../../kit/format.ts";
import { usePermission } from "../../../kit/permission.ts";
import { useWrite } from "../../../kit/query.ts";
import { useAction } from "../../../ui/display/action.tsx";
import { FormDialog } from "../../../ui/form/form-frames.tsx";
import { DrawerRow } from "../../../ui/list/drawer-list.tsx";
import "../../../ui/display/basics.css";
import "./end-user.css";

export function UserNotes({ user }: { user: EndUserDetail }) {
  const mayWrite = usePermission("end-user:write");
  const [isAdding, setIsAdding] = useState(false);
  const { ask, dialog } = useAction();
  const add = useWrite(endUserContract.addNote);
  const remove = useWrite(endUserContract.deleteNote);
  const { id, notes } = user;

  const askDelete = ({ id: noteId, text }: EndUserNote) =>
    ask({
      title: "删除备注",
      effect: <p className="end-user-note">{text}</p>,
      confirm: "删除",
      isDanger: true,
      run: () => remove.mutateAsync({ params: { id, noteId } }),
      done: "备注已删除",
    });

  return (
    <>
      {notes.length === 0 && <p className="ui-cell-none">暂无备注</p>}
      <ul className="ui-drawer-rows">
        {notes.map((note) => (
          <DrawerRow
            key={note.id}
            name={
              <>
                <span className="end-user-note">{note.text}</span>
                <small>
                  {formatDateTime(note.at)}，{note.actorName}
                </small>
              </>
            }
            state={
              mayWrite &&
              note.isDeletable && (
                <button type="button" className="ui-link" onClick={() => askDelete(note)}>
                  删除
                </button>
              )
            }
          />
        ))}
      </ul>
      {mayWrite && (
        <p className="end-user-links">
          <button type="button" className="ui-link" onClick={() => setIsAdding(true)}>
            添加备注
          </button>
        </p>
      )}
      <FormDialog
        open={isAdding}
        title={`添加备注：${personText(user)}`}
        schema={endUserContract.addNote.body}
        fields={[
          {
            name: "text",
            label: "备注",
            control: (
              <Input.TextArea
                rows={3}
                maxLength={LONGEST_NOTE}
                placeholder="如：常投诉，请先核实"
              />
            ),
          },
        ]}
        submitText="添加"
        submit={async (body) => {
          await add.mutateAsync({ params: { id }, body });
          toast.success("备注已添加");
        }}
        onClose={() => setIsAdding(false)}
      />
      {dialog}
    </>
  );
}
