-- What WeChat tells a tenant's mini-program by itself (消息推送): its two secrets, how it goes, what came.

alter table mini_program_setting
  add column push_mode text not null default 'OFF'
    check (push_mode in ('OFF', 'PLAIN', 'COMPATIBLE', 'SAFE')),
  add column sealed_push_token bytea,
  add column sealed_push_key bytea,
  -- When WeChat proved with the present secrets that it reaches us.
  add column push_proven_at timestamptz,
  add column push_seen_at timestamptz,
  add column push_trouble text not null default '',
  add column push_trouble_at timestamptz,
  add check (push_mode = 'OFF' or sealed_push_token is not null),
  add check (push_mode in ('OFF', 'PLAIN') or sealed_push_key is not null);

-- WeChat repeats what was not answered in time, byte for byte: the second is no second event.
create table mini_program_push (
  tenant_id int not null references tenant,
  digest bytea not null,
  app_id text not null,
  event text not null,
  times int not null default 1,
  received_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  primary key (tenant_id, digest)
);
create index mini_program_push_received on mini_program_push (received_at);
select protect_tenant_table('mini_program_push', 'select, insert, update, delete');

-- A certificate of WeChat Pay that ends is told of like a malfunction, by a rule of its own (维护消息).
alter table maintenance_rule drop constraint maintenance_rule_kind_check;
alter table maintenance_rule add constraint maintenance_rule_kind_check check (kind in
  ('*', 'OFFLINE', 'OPEN_FAILED', 'DOOR_LEFT_OPEN', 'OCCUPANCY_ABNORMAL', 'VIBRATION', 'TAMPER',
   'POWER_LOW', 'BOARD_FAULT', 'TEMPERATURE_HIGH', 'TEMPERATURE_LOW', 'NETWORK_POOR', 'OTHER',
   'CERTIFICATE'));
-- At how many days before its end people were last told; null: not yet.
alter table payment_setting add column certificate_told smallint;

-- Sign-ins are kept for a year (the law asks for six months), then forgotten.
grant delete on login_log to cabinet_platform;

-- The stores that whoever asked for an export sees, as a digest; * where that is all of them.
alter table list_export add column reach text not null default '*';
