// Sign-ins and failed attempts of the signed-in account.
import { accountContract } from "@cabinet/contract/identity/account/account.contract.ts";
import {
  isSuccess,
  signInOutcomeText,
} from "@cabinet/contract/identity/login-log/login-log.rules.ts";
import { formatDateTime } from "../../../kit/format.ts";
import { useCall } from "../../../kit/query.ts";
import { PageCard } from "../../../ui/display/page-card.tsx";
import { Status } from "../../../ui/display/status.tsx";
import { DrawerList, DrawerRow, useDrawerPages } from "../../../ui/list/drawer-list.tsx";

export function OwnSignIns() {
  const pages = useDrawerPages();
  const { page, pageSize } = pages;
  const answer = useCall(
    accountContract.signIns,
    { query: { page, pageSize } },
    { keepPreviousData: true },
  );
  return (
    <PageCard title="登录记录">
      <DrawerList
        answer={answer}
        pages={pages}
        emptyText="暂无登录记录"
        row={({ id, at, outcome, device, address, isNewDevice }) => (
          <DrawerRow
            key={id}
            name={
              <>
                {formatDateTime(at)}
                <small>
                  {device}，{address ?? "地址未知"}
                </small>
              </>
            }
            state={
              <Status tone={isSuccess(outcome) && !isNewDevice ? "good" : "doubtful"}>
                {isNewDevice ? "新设备登录" : signInOutcomeText[outcome]}
              </Status>
            }
          />
        )}
      >
        <p className="account-note">
          有您不认识的登录成功时，请立即修改密码；账号或密码错误较多时，可能有人在猜您的密码。
        </p>
      </DrawerList>
    </PageCard>
  );
}
