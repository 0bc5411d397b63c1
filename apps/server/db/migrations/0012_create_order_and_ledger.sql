-- Orders and money: end users, wallets, the double-entry ledger, orders by month, what they come to by day.

-- Partly typed phones and numbers are looked for.
create extension if not exists pg_trgm;

-- A rider or a recipient; known by phone, one row a tenant.
create table end_user (
  tenant_id int not null references tenant,
  id bigint generated always as identity,
  phone text not null check (phone ~ '^1[3-9]\d{9}$'),
  name text not null default '',
  state text not null default 'ACTIVE' check (state in ('ACTIVE', 'LOCKED')),
  created_at timestamptz not null default now(),
  last_seen_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, phone)
);
create index end_user_phone_part on end_user using gin (phone gin_trgm_ops);
select protect_tenant_table('end_user');

-- What a person has with one tenant, in fen. Held money is still theirs and cannot be spent.
create table wallet (
  tenant_id int not null,
  end_user_id bigint not null,
  principal_fen bigint not null default 0,
  bonus_fen bigint not null default 0,
  held_principal_fen bigint not null default 0,
  held_bonus_fen bigint not null default 0,
  primary key (tenant_id, end_user_id),
  foreign key (tenant_id, end_user_id) references end_user,
  check (held_principal_fen >= 0 and held_principal_fen <= principal_fen),
  check (held_bonus_fen >= 0 and held_bonus_fen <= bonus_fen)
);
select protect_tenant_table('wallet', 'select, insert, update');

-- One event of money; its legs below sum to zero. Written once, never altered.
create table ledger_journal (
  tenant_id int not null references tenant,
  id bigint generated always as identity,
  at timestamptz not null default now(),
  kind text not null check (kind in
    ('RECHARGE', 'RECHARGE_REFUND', 'PAYMENT', 'PAYMENT_REFUND', 'PACKAGE_BUY', 'ADMIN_ADJUST')),
  -- What it is the money of, such as ('ORDER_PAYMENT', hold id): the same business never counts twice.
  biz_type text not null,
  biz_id text not null,
  order_id bigint,
  -- Whose wallet it changed, by how much, and what was in it then.
  end_user_id bigint not null,
  principal_fen bigint not null default 0,
  bonus_fen bigint not null default 0,
  principal_after_fen bigint not null check (principal_after_fen >= 0),
  bonus_after_fen bigint not null check (bonus_after_fen >= 0),
  actor_kind text not null check (actor_kind in ('END_USER', 'OPERATOR', 'SYSTEM')),
  actor_id bigint,
  actor_name text not null,
  reason text,
  primary key (tenant_id, id),
  unique (tenant_id, biz_type, biz_id),
  foreign key (tenant_id, end_user_id) references end_user
);
create index ledger_journal_anywhere on ledger_journal (id desc);
create index ledger_journal_user on ledger_journal (tenant_id, end_user_id, id desc);
create index ledger_journal_order on ledger_journal (tenant_id, order_id) where order_id is not null;
create index ledger_journal_kind on ledger_journal (tenant_id, kind, id desc);
create index ledger_journal_at on ledger_journal (tenant_id, at);
select protect_tenant_table('ledger_journal', 'select, insert');

-- Money goes from accounts with a minus into accounts with a plus.
create table ledger_leg (
  tenant_id int not null,
  journal_id bigint not null,
  account text not null check (account in ('WALLET_PRINCIPAL', 'WALLET_BONUS', 'WECHAT', 'CASH',
    'ORDER_INCOME', 'PACKAGE_INCOME', 'GIFT', 'ADJUSTMENT')),
  amount_fen bigint not null check (amount_fen <> 0),
  primary key (tenant_id, journal_id, account),
  foreign key (tenant_id, journal_id) references ledger_journal
);
select protect_tenant_table('ledger_leg', 'select, insert');

-- Looked at when the transaction commits, so that a journal and its legs may come in any order.
create function check_journal_balance() returns trigger language plpgsql as $$
declare
  journal ledger_journal;
  is_balanced boolean;
begin
  if tg_table_name = 'ledger_leg' then
    select * into journal from ledger_journal j where j.tenant_id = new.tenant_id and j.id = new.journal_id;
  else
    journal := new;
  end if;
  select count(*) >= 2 and sum(l.amount_fen) = 0
    and coalesce(sum(l.amount_fen) filter (where l.account = 'WALLET_PRINCIPAL'), 0) = journal.principal_fen
    and coalesce(sum(l.amount_fen) filter (where l.account = 'WALLET_BONUS'), 0) = journal.bonus_fen
  into is_balanced
  from ledger_leg l where l.tenant_id = journal.tenant_id and l.journal_id = journal.id;
  if not is_balanced then
    raise exception 'journal % does not balance', journal.id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger ledger_journal_balance after insert on ledger_journal
  deferrable initially deferred for each row execute function check_journal_balance();
create constraint trigger ledger_leg_balance after insert on ledger_leg
  deferrable initially deferred for each row execute function check_journal_balance();

-- Set aside when a door is asked to open; posted when it did, released when it is proven that it did not.
create table wallet_hold (
  tenant_id int not null,
  id bigint generated always as identity,
  end_user_id bigint not null,
  order_id bigint not null,
  principal_fen bigint not null check (principal_fen >= 0),
  bonus_fen bigint not null check (bonus_fen >= 0),
  state text not null default 'HELD' check (state in ('HELD', 'POSTED', 'RELEASED')),
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, end_user_id) references wallet,
  check (principal_fen + bonus_fen > 0)
);
create unique index wallet_hold_of_order on wallet_hold (tenant_id, order_id) where state = 'HELD';
select protect_tenant_table('wallet_hold', 'select, insert, update');

-- A request that was made twice gets its first answer; another body under the same key is refused.
create table idempotency_key (
  tenant_id int not null,
  actor text not null,
  key text not null,
  fingerprint bytea not null,
  reply jsonb,
  created_at timestamptz not null default now(),
  primary key (tenant_id, actor, key)
);
create index idempotency_key_age on idempotency_key (created_at);
select protect_tenant_table('idempotency_key');

-- The id of an order is its time: seconds since 2024 in the upper bits, so that ids sort and months
-- are ranges of them; at most 53 bits, so that every program reads it.
create sequence order_number;
grant usage on sequence order_number to cabinet_tenant, cabinet_platform;
create function first_order_id(at timestamptz) returns bigint language sql immutable
  return (floor(extract(epoch from at))::bigint - 1704067200) << 22;
-- The lower bits tell nobody how many there were.
create function new_order_id(at timestamptz default now()) returns bigint language sql volatile
  return first_order_id(at) | (((nextval('order_number') & 4194303) * 2654435761) & 4194303);

create table storage_order (
  tenant_id int not null references tenant,
  id bigint not null default new_order_id(),
  created_at timestamptz not null default now(),
  side text not null check (side in ('SINGLE', 'DOUBLE')),
  cabinet_id bigint not null,
  -- Where the cabinet stood then.
  store_id bigint,
  compartment_no int not null,
  size text not null check (size in ('S', 'M', 'L', 'XL')),
  state text not null default 'PENDING' check (state in ('PENDING', 'DEPOSITING', 'STORED', 'OVERDUE',
    'PICKING', 'COMPLETED', 'CANCELLED', 'TAKEN_BACK', 'ADMIN_CLEARED', 'EXCEPTION')),
  -- What the door that was opened last was opened for.
  purpose text not null default 'DEPOSIT' check (purpose in ('DEPOSIT', 'PICKUP', 'TAKE_BACK')),
  pay_status text not null default 'NONE'
    check (pay_status in ('NONE', 'UNPAID', 'PAID', 'PARTIAL_REFUND', 'REFUNDED')),
  -- Of a third party, and theirs alone.
  third_party_no text,
  rider_id bigint,
  recipient_id bigint not null,
  item_note text not null default '',
  -- {scope, rule}: what was in force when it began.
  pricing jsonb not null,
  stored_at timestamptz,
  -- From then on it is overdue; an operator may put it off.
  overdue_at timestamptz,
  -- The goods are out, or it ended without any.
  ended_at timestamptz,
  -- What the stay cost when it was last reckoned; of it covered by a card, paid, and given back.
  price_fen bigint not null default 0 check (price_fen >= 0),
  covered_fen bigint not null default 0 check (covered_fen >= 0),
  waived_fen bigint not null default 0 check (waived_fen >= 0),
  paid_principal_fen bigint not null default 0 check (paid_principal_fen >= 0),
  paid_bonus_fen bigint not null default 0 check (paid_bonus_fen >= 0),
  refunded_principal_fen bigint not null default 0
    check (refunded_principal_fen between 0 and paid_principal_fen),
  refunded_bonus_fen bigint not null default 0
    check (refunded_bonus_fen between 0 and paid_bonus_fen),
  -- The card (次卡, 月卡) that covered it.
  user_package_id bigint,
  exception_reason text,
  primary key (tenant_id, id),
  foreign key (tenant_id, cabinet_id) references cabinet,
  foreign key (tenant_id, rider_id) references end_user,
  foreign key (tenant_id, recipient_id) references end_user
) partition by range (id);
create index storage_order_side on storage_order (tenant_id, side, id desc);
create index storage_order_anywhere on storage_order (side, id desc);
create index storage_order_cabinet on storage_order (tenant_id, cabinet_id, id desc);
create index storage_order_state on storage_order (tenant_id, side, state, id desc);
create index storage_order_rider on storage_order (tenant_id, rider_id, id desc);
create index storage_order_recipient on storage_order (tenant_id, recipient_id, id desc);
create index storage_order_third_party on storage_order (tenant_id, third_party_no)
  where third_party_no is not null;
select protect_tenant_table('storage_order', 'select, insert, update');

-- The timeline of an order: what happened, who did it, from which state to which.
create table order_event (
  tenant_id int not null,
  order_id bigint not null,
  id bigint generated always as identity,
  at timestamptz not null default now(),
  kind text not null,
  from_state text,
  to_state text,
  actor_kind text not null check (actor_kind in ('END_USER', 'OPERATOR', 'SYSTEM')),
  actor_id bigint,
  actor_name text not null,
  command_id uuid,
  detail jsonb not null default '{}',
  primary key (tenant_id, order_id, id)
) partition by range (order_id);
select protect_tenant_table('order_event', 'select, insert');

-- A month's partition of both, in Shanghai; what lies outside of all months goes to the default one.
create function ensure_order_month(month date) returns void
language plpgsql security definer set search_path = public as $$
declare
  first bigint := first_order_id(month::timestamp at time zone 'Asia/Shanghai');
  past bigint := first_order_id((month + interval '1 month') at time zone 'Asia/Shanghai');
  base text;
  part text;
begin
  foreach base in array array['storage_order', 'order_event'] loop
    part := base || to_char(month, '_YYYY_MM');
    if to_regclass(part) is null then
      execute format('create table %I partition of %I for values from (%s) to (%s)', part, base, first, past);
      execute format('alter table %I enable row level security', part);
      execute format('alter table %I force row level security', part);
    end if;
  end loop;
end $$;
revoke execute on function ensure_order_month(date) from public;
grant execute on function ensure_order_month(date) to cabinet_platform;
create table storage_order_default partition of storage_order default;
create table order_event_default partition of order_event default;
alter table storage_order_default enable row level security;
alter table storage_order_default force row level security;
alter table order_event_default enable row level security;
alter table order_event_default force row level security;
select ensure_order_month((date_trunc('month', now() at time zone 'Asia/Shanghai') + make_interval(months => n))::date)
from generate_series(-4, 3) n;

-- The orders that hold a compartment: at most one each, and no two of a cabinet with the same code.
create table live_order (
  tenant_id int not null,
  cabinet_id bigint not null,
  compartment_no int not null,
  order_id bigint not null,
  -- HMAC of the pickup code; null until the goods are in.
  code_hash bytea,
  -- Not finished by then, it is cancelled if nothing lies in it.
  deposit_until timestamptz,
  -- Null once it is known to be overdue, and before the goods are in.
  overdue_at timestamptz,
  primary key (tenant_id, cabinet_id, compartment_no),
  unique (tenant_id, order_id),
  unique (tenant_id, cabinet_id, code_hash),
  foreign key (tenant_id, cabinet_id, compartment_no) references compartment
);
create index live_order_deposit on live_order (deposit_until) where deposit_until is not null;
create index live_order_overdue on live_order (overdue_at) where overdue_at is not null;
select protect_tenant_table('live_order');

-- Which order a door was opened for, and by whom where it was no account of the console.
alter table command
  add column order_id bigint,
  add column purpose text check (purpose in ('DEPOSIT', 'PICKUP', 'TAKE_BACK')),
  add column actor_kind text not null default 'OPERATOR'
    check (actor_kind in ('END_USER', 'OPERATOR', 'SYSTEM'));
create index command_order on command (tenant_id, order_id) where order_id is not null;

-- What orders come to by day. Each change adds a row to the deltas, which are folded into the days
-- now and then; a sum over both is exact at any moment, and no row is hot.
create table order_delta (
  tenant_id int not null,
  id bigint generated always as identity,
  day date not null,
  side text not null,
  store_id bigint,
  cabinet_id bigint not null,
  started int not null default 0,
  stored int not null default 0,
  completed int not null default 0,
  overdue int not null default 0,
  income_fen bigint not null default 0,
  bonus_fen bigint not null default 0,
  refund_fen bigint not null default 0,
  stay_minutes bigint not null default 0,
  openings int not null default 0,
  opened int not null default 0,
  primary key (tenant_id, id)
);
select protect_tenant_table('order_delta');

create table order_day (
  tenant_id int not null,
  day date not null,
  side text not null,
  store_id bigint,
  cabinet_id bigint not null,
  started int not null default 0,
  stored int not null default 0,
  completed int not null default 0,
  overdue int not null default 0,
  income_fen bigint not null default 0,
  bonus_fen bigint not null default 0,
  refund_fen bigint not null default 0,
  stay_minutes bigint not null default 0,
  openings int not null default 0,
  opened int not null default 0,
  unique nulls not distinct (tenant_id, day, side, store_id, cabinet_id)
);
create index order_day_cabinet on order_day (tenant_id, cabinet_id, day);
select protect_tenant_table('order_day');
