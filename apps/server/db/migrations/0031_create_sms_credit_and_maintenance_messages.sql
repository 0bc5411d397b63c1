-- What tenants have bought of text messages, and who is told of malfunctions.

-- What a tenant has left, in segments. Held segments are still its own and wait for their message to go out.
create table sms_account (
  tenant_id int primary key references tenant,
  balance bigint not null default 0,
  held bigint not null default 0,
  check (held >= 0 and held <= balance)
);
select protect_tenant_table('sms_account', 'select, insert, update');

-- What the platform credited a tenant with, or took back of it. Written once, never altered.
create table sms_recharge (
  tenant_id int not null references tenant,
  id bigint generated always as identity,
  at timestamptz not null default now(),
  segments bigint not null,
  amount_fen bigint not null,
  -- Of one that takes back: which one, whole and once.
  reverses_id bigint,
  reason text not null,
  actor_id bigint,
  actor_name text not null,
  primary key (tenant_id, id),
  unique (tenant_id, reverses_id),
  foreign key (tenant_id, reverses_id) references sms_recharge,
  check (case when reverses_id is null then segments > 0 and amount_fen >= 0
    else segments < 0 and amount_fen <= 0 end)
);
create index sms_recharge_anywhere on sms_recharge (id desc);
select protect_tenant_table('sms_recharge', 'select');
grant insert on sms_recharge to cabinet_platform;

-- Each change of an account with what was in it then. Written once, never altered.
create table sms_credit_entry (
  tenant_id int not null references sms_account,
  id bigint generated always as identity,
  at timestamptz not null default now(),
  kind text not null check (kind in ('RECHARGE', 'REVERSAL', 'USE')),
  segments bigint not null check (case kind when 'RECHARGE' then segments > 0 else segments < 0 end),
  balance_after bigint not null check (balance_after >= 0),
  -- What it is the credit of: the same business never counts twice.
  biz_type text not null check (biz_type in ('SMS_RECHARGE', 'SMS_MESSAGE')),
  biz_id bigint not null,
  primary key (tenant_id, id),
  unique (tenant_id, biz_type, biz_id)
);
create index sms_credit_entry_at on sms_credit_entry (tenant_id, at);
select protect_tenant_table('sms_credit_entry', 'select, insert');

-- Set aside before a message is given to a carrier; posted when it went out, released when it did not.
create table sms_hold (
  tenant_id int not null,
  sms_id bigint not null,
  segments int not null check (segments > 0),
  state text not null default 'HELD' check (state in ('HELD', 'POSTED', 'RELEASED')),
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  primary key (tenant_id, sms_id),
  foreign key (tenant_id, sms_id) references sms_message
);
select protect_tenant_table('sms_hold', 'select, insert, update');

alter table sms_message
  drop constraint sms_message_scene_check,
  add constraint sms_message_scene_check
    check (scene in ('SIGN_IN_CODE', 'PICKUP_CODE', 'OVERDUE', 'MALFUNCTION'));

-- Who is told of which malfunctions, and how; '*' stands for the kinds that have no rule of their own.
create table maintenance_rule (
  tenant_id int not null references tenant,
  kind text not null check (kind in
    ('*', 'OFFLINE', 'OPEN_FAILED', 'DOOR_LEFT_OPEN', 'OCCUPANCY_ABNORMAL', 'VIBRATION', 'TAMPER',
     'POWER_LOW', 'BOARD_FAULT', 'TEMPERATURE_HIGH', 'TEMPERATURE_LOW', 'NETWORK_POOR', 'OTHER')),
  is_on boolean not null,
  -- Of the store in which it happened.
  to_caretakers boolean not null,
  to_manager boolean not null,
  by_console boolean not null,
  by_sms boolean not null,
  -- In Shanghai; text messages wait for their end.
  quiet_from time,
  quiet_to time,
  -- The same again at the same place is not told of within so long.
  calm_minutes int not null check (calm_minutes between 0 and 1440),
  -- Others are told when nobody has taken it on after so long; null: nobody is.
  escalate_minutes int check (escalate_minutes between 1 and 10080),
  edit_version int not null default 1,
  edited_at timestamptz not null default now(),
  edited_by text not null,
  primary key (tenant_id, kind),
  check ((quiet_from is null) = (quiet_to is null) and quiet_from <> quiet_to)
);
select protect_tenant_table('maintenance_rule');

create table maintenance_recipient (
  tenant_id int not null,
  kind text not null,
  step text not null check (step in ('FIRST', 'ESCALATION')),
  operator_id bigint not null,
  primary key (tenant_id, kind, step, operator_id),
  foreign key (tenant_id, kind) references maintenance_rule on delete cascade,
  foreign key (tenant_id, operator_id) references operator on delete cascade
);
create index maintenance_recipient_operator on maintenance_recipient (tenant_id, operator_id);
select protect_tenant_table('maintenance_recipient');

-- How far the telling of a malfunction has come.
create table maintenance_alert (
  tenant_id int not null,
  malfunction_id bigint not null,
  -- When something is to be done next; null: nothing any more.
  next_at timestamptz default now(),
  told_at timestamptz,
  escalated_at timestamptz,
  primary key (tenant_id, malfunction_id),
  foreign key (tenant_id, malfunction_id) references malfunction on delete cascade
);
create index maintenance_alert_due on maintenance_alert (next_at) where next_at is not null;
select protect_tenant_table('maintenance_alert', 'select, insert, update');

-- What one person was told.
create table maintenance_notice (
  tenant_id int not null references tenant,
  id bigint generated always as identity,
  created_at timestamptz not null default now(),
  step text not null check (step in ('FIRST', 'ESCALATION', 'TEST')),
  kind text not null,
  -- Null for a test.
  malfunction_id bigint,
  place text not null,
  detail text not null default '',
  -- Null once the account is deleted.
  operator_id bigint,
  operator_name text not null,
  by_console boolean not null,
  read_at timestamptz,
  -- NONE: not by text message; WAITING: for the end of quiet hours; MOOT: it was over by then.
  sms_state text not null check (sms_state in
    ('NONE', 'WAITING', 'QUEUED', 'NO_PHONE', 'CAPPED', 'MOOT')),
  sms_due_at timestamptz,
  sms_id bigint,
  primary key (tenant_id, id),
  unique (tenant_id, malfunction_id, step, operator_id),
  foreign key (tenant_id, malfunction_id) references malfunction on delete cascade,
  foreign key (tenant_id, operator_id) references operator on delete set null (operator_id),
  foreign key (tenant_id, sms_id) references sms_message,
  check ((sms_state = 'WAITING') = (sms_due_at is not null)),
  check ((sms_state = 'QUEUED') = (sms_id is not null))
);
create index maintenance_notice_anywhere on maintenance_notice (id desc);
create index maintenance_notice_operator on maintenance_notice (tenant_id, operator_id, id desc);
create index maintenance_notice_due on maintenance_notice (sms_due_at) where sms_due_at is not null;
select protect_tenant_table('maintenance_notice', 'select, insert, update');
