// Sessions of the signed-in account; all but the current one can be signed out.
import {
  accountContract,
  type OwnSession,
} from "@cabinet/contract/identity/account/account.contract.ts";
import { toast } from "../../../kit/feedback.ts";
import { formatDateTime } from "../../../kit/format.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import { useAction } from "../../../ui/display/action.tsx";
import { Button } from "../../../ui/display/button.tsx";
import { PageCard } from "../../../ui/display/page-card.tsx";
import { AnswerState } from "../../../ui/display/states.tsx";
import { Age, Status } from "../../../ui/display/status.tsx";
import { DrawerRow } from "../../../ui/list/drawer-list.tsx";
import "../../../ui/display/basics.css";
import "../../../ui/list/drawer-list.css";

export function OwnSessions() {
  const answer = useCall(accountContract.sessions);
  const end = useWrite(accountContract.endOtherSessions);
  const { ask, dialog } = useAction();
  const { data: sessions } = answer;
  const others = sessions?.filter(({ isCurrent }) => !isCurrent).length ?? 0;
  const endOthers = () =>
    ask({
      title: "退出其他登录",
      effect: `您在其他 ${others} 处的登录会立即退出，那里没有保存的内容会丢失；当前这里不受影响。如果有您不认识的登录，请随后修改密码。`,
      confirm: "全部退出",
      isDanger: true,
      run: async () => {
        const { ended } = await end.mutateAsync({});
        toast.success(ended > 0 ? `已退出 ${ended} 处登录` : "其他登录都已经结束");
      },
    });
  return (
    <PageCard
      title="在线会话"
      extra={others > 0 && <Button onClick={endOthers}>退出其他登录</Button>}
    >
      {sessions ? (
        <ul className="ui-drawer-rows">
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      ) : (
        <AnswerState answer={answer} />
      )}
      {dialog}
    </PageCard>
  );
}

function SessionRow({ session }: { session: OwnSession }) {
  const { isCurrent, device, address, createdAt, lastSeenAt } = session;
  return (
    <DrawerRow
      name={
        <>
          {device}
          <small>
            {address ?? "地址未知"}，{formatDateTime(createdAt)} 登录
          </small>
        </>
      }
      state={
        isCurrent ? (
          <Status tone="good">当前登录</Status>
        ) : (
          <>
            <Age time={lastSeenAt} />
            <small>最近活动</small>
          </>
        )
      }
    />
  );
}
