// Hits of the search box, grouped by noun; each leads to its record.
import { isLive } from "@cabinet/contract/orders/order/order.rules.ts";
import type {
  AccountHit,
  CabinetHit,
  SearchHits as Hits,
  OrderHit,
  PersonHit,
  StoreHit,
} from "@cabinet/contract/orders/search/search.contract.ts";
import type { ReactNode } from "react";
import { ConnectivityStatus, LifecycleStatus } from "../../../domain/cabinet/cabinet-status.tsx";
import { orderPath } from "../../../domain/order-link.tsx";
import { formatDateTime } from "../../../kit/format.ts";
import { Link, type Path, pathTo } from "../../../kit/paths.ts";
import { useIsPlatform, usePermissions } from "../../../kit/permission.ts";
import type { RowAction } from "../../../ui/list/row-actions.tsx";
import { OrderStateStatus } from "../order/index.ts";
import type { ActionKey, PageHit } from "./search-hit.rules.ts";

export interface SearchHitsProps {
  hits: Hits | undefined;
  pages: readonly PageHit[];
  actions: readonly PageHit[];
  /** Named in the text: Enter does it to the first hit that allows it. */
  action: ActionKey | null;
  actionsOf: (cabinet: CabinetHit) => readonly RowAction[];
  onClose: () => void;
  onOpenDoor: (orderId: number) => void;
  onPerson: (id: number) => void;
}

export function SearchHits(props: SearchHitsProps) {
  const { hits, pages, actions, action, actionsOf, onClose, onOpenDoor, onPerson } = props;
  const pageRow = ({ path, title, groups }: PageHit) => (
    <li key={path}>
      <HitLink to={path as Path} onClose={onClose} name={title} note={groups.join(" › ")} />
    </li>
  );
  return (
    <>
      <Group title="订单" list={hits?.orders}>
        {(order) => <OrderRow key={order.id} {...{ order, action, onClose, onOpenDoor }} />}
      </Group>
      <Group title="用户" list={hits?.people}>
        {(person) => <PersonRow key={person.id} person={person} onPerson={onPerson} />}
      </Group>
      <Group title="设备" list={hits?.cabinets}>
        {(cabinet) => (
          <CabinetRow
            key={cabinet.id}
            cabinet={cabinet}
            action={actionsOf(cabinet).find(({ key }) => key === action)}
            onClose={onClose}
          />
        )}
      </Group>
      <Group title="门店" list={hits?.stores}>
        {(store) => <StoreRow key={store.id} store={store} onClose={onClose} />}
      </Group>
      <Group title="账号" list={hits?.accounts}>
        {(account) => <AccountRow key={account.id} account={account} onClose={onClose} />}
      </Group>
      <Group title="页面" list={pages}>
        {pageRow}
      </Group>
      <Group title="操作" list={actions}>
        {pageRow}
      </Group>
    </>
  );
}

interface GroupProps<Hit> {
  title: string;
  list: readonly Hit[] | undefined;
  children: (hit: Hit) => ReactNode;
}

function Group<Hit>({ title, list, children }: GroupProps<Hit>) {
  if (!list || list.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ul>{list.map(children)}</ul>
    </section>
  );
}

interface HitTextProps {
  name: ReactNode;
  note?: ReactNode;
  state?: ReactNode;
}

function HitText({ name, note, state }: HitTextProps) {
  return (
    <>
      <b>{name}</b>
      {note && <small>{note}</small>}
      {state && <span className="search-state">{state}</span>}
    </>
  );
}

function HitLink({ to, onClose, ...text }: HitTextProps & { to: Path; onClose: () => void }) {
  return (
    <Link className="search-hit" data-hit to={to} onClick={onClose}>
      <HitText {...text} />
    </Link>
  );
}

/** Notes of a hit; platform staff also see its tenant. */
function useNote() {
  const isPlatform = useIsPlatform();
  return (hit: { tenantName: string }, ...notes: (string | null | undefined)[]) =>
    [...notes, isPlatform ? hit.tenantName : null].filter(Boolean).join(" · ");
}

function OrderRow({
  order,
  action,
  onClose,
  onOpenDoor,
}: Pick<SearchHitsProps, "action" | "onClose" | "onOpenDoor"> & { order: OrderHit }) {
  const noteOf = useNote();
  const may = usePermissions();
  const { id, side, state, cabinetName, compartmentNo, recipient, thirdPartyNo } = order;
  return (
    <li>
      <HitLink
        to={orderPath(side, id)}
        onClose={onClose}
        name={`${recipient.phone}${recipient.name && ` ${recipient.name}`}`}
        note={noteOf(
          order,
          `${cabinetName} ${compartmentNo} 号格口`,
          formatDateTime(order.createdAt),
          thirdPartyNo ? `第三方单号 ${thirdPartyNo}` : `订单 ${id}`,
        )}
        state={<OrderStateStatus of={state} />}
      />
      {isLive(state) && may("order:open") && (
        <button
          type="button"
          className="search-open"
          data-hit
          data-action={action === "open" || undefined}
          aria-label={`开门：订单 ${id}`}
          onClick={() => onOpenDoor(id)}
        >
          开门
        </button>
      )}
    </li>
  );
}

function PersonRow({ person, onPerson }: { person: PersonHit; onPerson: (id: number) => void }) {
  const noteOf = useNote();
  return (
    <li>
      <button type="button" className="search-hit" data-hit onClick={() => onPerson(person.id)}>
        <HitText name={person.phone} note={noteOf(person, person.name)} />
      </button>
    </li>
  );
}

interface CabinetRowProps {
  cabinet: CabinetHit;
  action: RowAction | undefined;
  onClose: () => void;
}

function CabinetRow({ cabinet, action, onClose }: CabinetRowProps) {
  const noteOf = useNote();
  const may = usePermissions();
  const { id, sn, name, storeName, connectivity, lifecycle } = cabinet;
  const to = may("compartment:read")
    ? pathTo("/cupboard/blockManage", { id })
    : pathTo("/cupboard/index", { keyword: sn });
  return (
    <li>
      <HitLink
        to={to}
        onClose={onClose}
        name={name}
        note={noteOf(cabinet, sn, storeName)}
        state={
          lifecycle === "ACTIVE" ? (
            <ConnectivityStatus of={connectivity} />
          ) : (
            <LifecycleStatus of={lifecycle} />
          )
        }
      />
      {action && <ActionButton of={name} action={action} onClose={onClose} />}
    </li>
  );
}

interface ActionButtonProps {
  of: string;
  action: RowAction;
  onClose: () => void;
}

/** The box closes first: it is above the action's dialog. */
function ActionButton({ of, action, onClose }: ActionButtonProps) {
  const { label, blocked } = action;
  const name = `${label}：${of}`;
  if ("to" in action) {
    return (
      <Link
        className="search-open"
        data-hit
        data-action
        to={action.to}
        title={name}
        onClick={onClose}
      >
        {label}
      </Link>
    );
  }
  const run = () => {
    onClose();
    action.run();
  };
  return (
    <button
      type="button"
      className="search-open"
      data-hit={!blocked || undefined}
      data-action={!blocked || undefined}
      disabled={blocked !== undefined}
      title={blocked}
      aria-label={name}
      onClick={run}
    >
      {label}
    </button>
  );
}

function StoreRow({ store, onClose }: { store: StoreHit; onClose: () => void }) {
  const noteOf = useNote();
  return (
    <li>
      <HitLink
        to={pathTo("/point/index", { keyword: store.name })}
        onClose={onClose}
        name={store.name}
        note={noteOf(store, store.address)}
      />
    </li>
  );
}

function AccountRow({ account, onClose }: { account: AccountHit; onClose: () => void }) {
  const noteOf = useNote();
  const { username: keyword, displayName, userType } = account;
  const to =
    userType === 2
      ? pathTo("/user/userAdmin", { keyword })
      : pathTo("/user/operationAdmin", { keyword });
  return (
    <li>
      <HitLink to={to} onClose={onClose} name={keyword} note={noteOf(account, displayName)} />
    </li>
  );
}
