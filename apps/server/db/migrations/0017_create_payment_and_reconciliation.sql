-- Paying by WeChat: a tenant's setting, what was told of it, refunds of top-ups; and the daily reconciliation.

create table payment_setting (
  tenant_id int primary key references tenant,
  is_on boolean not null default false,
  app_id text not null,
  mchid text not null,
  certificate_serial text not null,
  certificate_expires_at timestamptz not null,
  sealed_private_key bytea not null,
  sealed_api_v3_key bytea not null,
  public_key_id text not null,
  public_key text not null,
  notice_origin text not null,
  check_state text not null default 'NONE' check (check_state in ('NONE', 'PENDING', 'OK', 'FAILED')),
  check_text text not null default '',
  checked_at timestamptz,
  edit_version int not null default 1,
  edited_at timestamptz not null default now(),
  edited_by text not null
);
select protect_tenant_table('payment_setting', 'select, insert, update');

-- What WeChat told us, once each however often it was told; without what it told.
create table payment_notice (
  tenant_id int not null references tenant,
  notice_id text not null,
  event_type text not null,
  subject text not null,
  received_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  times int not null default 1,
  primary key (tenant_id, notice_id)
);
create index payment_notice_newest on payment_notice (tenant_id, seen_at desc);
select protect_tenant_table('payment_notice', 'select, insert, update');

alter table top_up
  add column openid text,
  add column prepay_id text,
  -- Until then it may be paid; afterwards it is closed at WeChat, too.
  add column expires_at timestamptz,
  add column problem text,
  -- When WeChat is asked next how it stands, and how often it was.
  add column next_check_at timestamptz,
  add column checks int not null default 0,
  add column refunded_principal_fen bigint not null default 0
    check (refunded_principal_fen between 0 and principal_fen),
  add column refunded_bonus_fen bigint not null default 0
    check (refunded_bonus_fen between 0 and bonus_fen);
create index top_up_check on top_up (next_check_at) where next_check_at is not null;
create index top_up_paid on top_up (tenant_id, paid_at) where paid_at is not null;

create table top_up_refund (
  tenant_id int not null,
  id bigint generated always as identity,
  top_up_id bigint not null,
  out_refund_no text not null,
  -- WeChat's own number.
  refund_no text,
  principal_fen bigint not null check (principal_fen > 0),
  bonus_fen bigint not null check (bonus_fen >= 0),
  -- Taken from the wallet when it is asked for; put back when it FAILED.
  state text not null default 'PROCESSING' check (state in ('PROCESSING', 'DONE', 'ABNORMAL', 'FAILED')),
  problem text,
  reason text not null,
  actor_id bigint,
  actor_name text not null,
  created_at timestamptz not null default now(),
  -- When WeChat took it on: its bill lists it on this day.
  accepted_at timestamptz,
  ended_at timestamptz,
  next_check_at timestamptz,
  checks int not null default 0,
  primary key (tenant_id, id),
  unique (tenant_id, out_refund_no),
  foreign key (tenant_id, top_up_id) references top_up
);
create index top_up_refund_of on top_up_refund (tenant_id, top_up_id);
create index top_up_refund_check on top_up_refund (next_check_at) where next_check_at is not null;
create index top_up_refund_accepted on top_up_refund (tenant_id, accepted_at) where accepted_at is not null;
select protect_tenant_table('top_up_refund', 'select, insert, update');

create table reconciliation_run (
  tenant_id int not null references tenant,
  id bigint generated always as identity,
  day date not null,
  state text not null default 'QUEUED' check (state in ('QUEUED', 'RUNNING', 'DONE', 'FAILED')),
  bill_state text not null default 'NONE' check (bill_state in ('NONE', 'WAITING', 'COMPARED', 'FAILED')),
  -- Null: by itself, as each night.
  actor_id bigint,
  actor_name text not null,
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  problem text,
  orders int not null default 0,
  journals int not null default 0,
  wallets int not null default 0,
  top_ups int not null default 0,
  bill_rows int not null default 0,
  found int not null default 0,
  primary key (tenant_id, id)
);
create index reconciliation_run_anywhere on reconciliation_run (id desc);
create index reconciliation_run_day on reconciliation_run (tenant_id, day, id desc);
select protect_tenant_table('reconciliation_run', 'select, insert, update');

-- The work list: what did not agree. Found again it is the same row until somebody has settled it.
create table reconciliation_difference (
  tenant_id int not null references tenant,
  id bigint generated always as identity,
  day date not null,
  kind text not null,
  area text not null,
  -- What it is about, so that it is known again: an order, a journal, a number at WeChat, a person.
  subject text not null,
  end_user_id bigint,
  order_id bigint,
  top_up_id bigint,
  expected_fen bigint,
  actual_fen bigint,
  detail text not null,
  -- Of money that came in: WeChat's number of it.
  transaction_no text,
  state text not null default 'OPEN' check (state in ('OPEN', 'RESOLVED')),
  found_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  resolved_at timestamptz,
  resolved_by text,
  resolution text,
  primary key (tenant_id, id)
);
create unique index reconciliation_difference_open on reconciliation_difference (tenant_id, kind, subject)
  where state = 'OPEN';
create index reconciliation_difference_anywhere on reconciliation_difference (id desc);
create index reconciliation_difference_state on reconciliation_difference (tenant_id, state, id desc);
select protect_tenant_table('reconciliation_difference', 'select, insert, update');
