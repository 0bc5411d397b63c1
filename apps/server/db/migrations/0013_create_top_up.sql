-- Money coming in, and on which side of the business a journal and a hold came about.

-- Of journals about an order: the side of its cabinet. Null for what belongs to neither.
alter table ledger_journal add column side text check (side in ('SINGLE', 'DOUBLE'));

create table top_up (
  tenant_id int not null references tenant,
  id bigint generated always as identity,
  end_user_id bigint not null,
  channel text not null check (channel in ('CASH', 'WECHAT')),
  state text not null default 'CREATED'
    check (state in ('CREATED', 'PAID', 'CLOSED', 'PARTIAL_REFUND', 'REFUNDED')),
  -- What is paid, and what is given on top.
  principal_fen bigint not null check (principal_fen > 0),
  bonus_fen bigint not null default 0 check (bonus_fen >= 0),
  package_id bigint,
  -- Our number at the payment service, and theirs; or the receipt of money taken by hand.
  out_trade_no text,
  transaction_no text,
  created_at timestamptz not null default now(),
  paid_at timestamptz,
  actor_kind text not null check (actor_kind in ('END_USER', 'OPERATOR', 'SYSTEM')),
  actor_id bigint,
  actor_name text not null,
  reason text,
  primary key (tenant_id, id),
  unique (tenant_id, out_trade_no),
  foreign key (tenant_id, end_user_id) references end_user
);
create index top_up_anywhere on top_up (id desc);
create index top_up_user on top_up (tenant_id, end_user_id, id desc);
create index top_up_state on top_up (tenant_id, state, id desc);
select protect_tenant_table('top_up', 'select, insert, update');
