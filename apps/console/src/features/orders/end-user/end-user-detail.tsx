// Detail view of one end user: state, notes, wallet, cards, open orders and lock history.

import {
  type EndUserDetail as Detail,
  type EndUser,
  endUserContract,
  type PersonOrder,
} from "@cabinet/contract/orders/end-user/end-user.contract.ts";
import { legalTextTitle } from "@cabinet/contract/orders/legal-text/legal-text.rules.ts";
import { sideBase } from "../../../domain/cabinet/page-side.ts";
import { PersonsPhone } from "../../../domain/hidden-phone.tsx";
import { OrderLink } from "../../../domain/order-link.tsx";
import { formatDateTime, formatMoney } from "../../../kit/format.ts";
import { Link, pathTo } from "../../../kit/paths.ts";
import { usePermissions } from "../../../kit/permission.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import { type DescriptionItem, DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { AnswerState } from "../../../ui/display/states.tsx";
import { Status } from "../../../ui/display/status.tsx";
import { DrawerRow } from "../../../ui/list/drawer-list.tsx";
import { useLiveRefresh } from "../../../ui/live/live.tsx";
import { UserJournals } from "../../money/ledger/index.ts";
import { UserCards } from "../../money/package/index.ts";
import { LiveOrders, OrderStateStatus } from "../order/index.ts";
import { EndUserStatus } from "./end-user-columns.tsx";
import { TagChips } from "./tag-chips.tsx";
import { UserNotes } from "./user-notes.tsx";
import "../../../ui/display/basics.css";
import "../../../ui/list/drawer-list.css";
import "./end-user.css";

/** Card of one person; `user` is what a list knows already. */
export function EndUserDetail({ id, user }: { id: number; user?: EndUser }) {
  const may = usePermissions();
  const answer = useCall(endUserContract.get, { params: { id } });
  useLiveRefresh("order", () => answer.refetch());
  const { data, error } = answer;
  const shown = data ?? user;
  if ((error && !data) || !shown) return <AnswerState answer={answer} />;
  return (
    <>
      <DrawerSection title="用户">
        <PersonFacts user={shown} detail={data} />
      </DrawerSection>
      <DrawerSection title="备注">{data ? <UserNotes user={data} /> : "正在加载…"}</DrawerSection>
      <DrawerSection title="进行中的订单">
        {data ? <CurrentOrders detail={data} /> : "正在加载…"}
      </DrawerSection>
      <DrawerSection title="最近订单">
        {data ? <LastOrders detail={data} /> : "正在加载…"}
      </DrawerSection>
      <DrawerSection title="钱包">
        <Facts
          facts={[
            ["可用余额", formatMoney(shown.principalFen + shown.bonusFen - shown.heldFen)],
            ["本金", formatMoney(shown.principalFen)],
            ["赠金", formatMoney(shown.bonusFen)],
            ["冻结", formatMoney(shown.heldFen)],
            ["可用的套餐卡", data && `${data.leftovers.cards} 张`],
            ["未付清的订单", data && debtText(data)],
          ]}
        />
        <WalletLinks endUserId={id} />
      </DrawerSection>
      {may("package:read") && (
        <DrawerSection title="套餐卡">
          <UserCards endUserId={id} />
        </DrawerSection>
      )}
      {may("ledger:read") && (
        <DrawerSection title="交易记录">
          <UserJournals endUserId={id}>{null}</UserJournals>
        </DrawerSection>
      )}
      <DrawerSection title="锁定记录">{data ? <Locks detail={data} /> : "正在加载…"}</DrawerSection>
    </>
  );
}

function debtText({ leftovers: { unpaidOrders, unpaidFen } }: Detail): string {
  return unpaidOrders === 0 ? "没有" : `${unpaidOrders} 个，共 ${formatMoney(unpaidFen)}`;
}

function PersonFacts({ user, detail }: { user: EndUser; detail: Detail | undefined }) {
  const show = useWrite(endUserContract.showPhone, { toasts: true });
  const mayReveal = usePermissions()("end-user:reveal");
  const reveal = async (reason: string) =>
    (await show.mutateAsync({ params: { id: user.id }, body: { reason } })).phone;
  const lock: DescriptionItem[] =
    user.state === "LOCKED"
      ? [
          ["锁定原因", user.lockReason],
          ["锁定时间", user.lockedAt && formatDateTime(user.lockedAt)],
          ["自动解锁", user.lockedUntil ? formatDateTime(user.lockedUntil) : "直到手动解锁"],
        ]
      : [];
  return (
    <Facts
      facts={[
        ["姓名", user.userName || null],
        [
          "手机号",
          <PersonsPhone
            key={user.id}
            masked={user.phone}
            reveal={mayReveal ? reveal : undefined}
          />,
        ],
        ["状态", <EndUserStatus key="state" user={user} />],
        ...lock,
        ["标签", <TagChips key="tags" tags={user.tags} />],
        ["租户", user.tenantName],
        ["微信小程序", detail && (detail.isWechatBound ? "已绑定" : "未绑定")],
        ...(detail?.legal ?? []).map(
          ({ kind, version, agreedAt }): DescriptionItem => [
            legalTextTitle[kind],
            agreedAt
              ? `${formatDateTime(agreedAt)} 同意第 ${version} 版`
              : `未同意第 ${version} 版`,
          ],
        ),
        ["注册时间", formatDateTime(user.createdAt)],
        ["最近使用", user.lastSeenAt ? formatDateTime(user.lastSeenAt) : "从未登录"],
      ]}
    />
  );
}

/** Links to the single-side pages: wallets and cards are the same for both sides. */
function WalletLinks({ endUserId }: { endUserId: number }) {
  const may = usePermissions();
  const base = sideBase("SINGLE");
  const links = [
    may("wallet:read") && (["充值与调整", pathTo(`${base}/pay/topUp`, { endUserId })] as const),
    may("wallet:read") &&
      (["充值记录", pathTo(`${base}/pay/topUp?view=topUps`, { endUserId })] as const),
    may("ledger:read") &&
      (["全部交易", pathTo(`${base}/pay/payRecord`, { endUserId, side: "ALL" })] as const),
  ].filter((link) => link !== false);
  if (links.length === 0) return null;
  return (
    <p className="end-user-links">
      {links.map(([title, to]) => (
        <Link key={title} className="ui-link" to={to}>
          {title}
        </Link>
      ))}
    </p>
  );
}

function CurrentOrders({ detail: { orders, liveOrders } }: { detail: Detail }) {
  const hidden = liveOrders - orders.length;
  return (
    <>
      {liveOrders === 0 && <p className="ui-cell-none">没有进行中的订单</p>}
      <LiveOrders
        orders={orders}
        of={(order) => (
          <OrderRow
            order={order}
            note={[
              order.isRider ? "已存件（本人）" : "待取件",
              order.storedAt && formatDateTime(order.storedAt),
            ]}
          />
        )}
      />
      {hidden > 0 && <p className="ui-cell-none">另有 {hidden} 个未列出</p>}
    </>
  );
}

function LastOrders({ detail: { recentOrders } }: { detail: Detail }) {
  if (recentOrders.length === 0) return <p className="ui-cell-none">没有已结束的订单</p>;
  return (
    <ul className="ui-drawer-rows">
      {recentOrders.map((order) => (
        <OrderRow
          key={order.id}
          order={order}
          note={[
            order.isRider ? "已存件（本人）" : "已取件",
            order.endedAt && formatDateTime(order.endedAt),
          ]}
        />
      ))}
    </ul>
  );
}

function OrderRow({ order, note }: { order: PersonOrder; note: (string | null)[] }) {
  return (
    <DrawerRow
      name={
        <>
          <OrderLink id={order.id} side={order.side} />
          <small>
            {order.cabinetName} {order.compartmentNo} 号格口
          </small>
        </>
      }
      state={
        <>
          <OrderStateStatus of={order.state} />
          <small>{note.filter(Boolean).join("，")}</small>
        </>
      }
    />
  );
}

function Locks({ detail: { locks } }: { detail: Detail }) {
  if (locks.length === 0) return <p className="ui-cell-none">没有锁定过</p>;
  return (
    <ul className="ui-drawer-rows">
      {locks.map((lock) => (
        <DrawerRow
          key={lock.id}
          name={
            <>
              {lock.reason}
              <small>
                {formatDateTime(lock.at)}，{lock.actorName}
              </small>
            </>
          }
          state={
            <>
              <Status tone={lock.isLock ? "bad" : "good"}>{lock.isLock ? "锁定" : "解锁"}</Status>
              {lock.isLock && (
                <small>
                  {lock.lockedUntil ? `至 ${formatDateTime(lock.lockedUntil)}` : "直到手动解锁"}
                </small>
              )}
            </>
          }
        />
      ))}
    </ul>
  );
}
