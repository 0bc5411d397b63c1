-- Cabinets, their compartments, the commands they are given and the events they report.

-- Platform-wide: one model serves cabinets of many tenants.
create table cabinet_model (
  id bigint generated always as identity primary key,
  name text not null unique,
  side text not null check (side in ('SINGLE', 'DOUBLE')),
  vendor text not null default '',
  -- [{no, size, column, row, rowSpan, boardAddress}]
  layout jsonb not null,
  capabilities text[] not null default '{}',
  created_at timestamptz not null default now()
);
grant select on cabinet_model to cabinet_tenant;
grant select, insert, update, delete on cabinet_model to cabinet_platform;

create table store (
  tenant_id int not null references tenant,
  id bigint generated always as identity,
  name text not null,
  code text not null,
  region text not null default '',
  address text not null default '',
  longitude double precision,
  latitude double precision,
  opening_hours text not null default '',
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, code)
);
select protect_tenant_table('store');

-- The stores that a maintenance account looks after; it sees their cabinets alone.
create table operator_store (
  tenant_id int not null,
  operator_id bigint not null,
  store_id bigint not null,
  primary key (tenant_id, operator_id, store_id),
  foreign key (tenant_id, operator_id) references operator on delete cascade,
  foreign key (tenant_id, store_id) references store on delete cascade
);
select protect_tenant_table('operator_store');

create table cabinet (
  tenant_id int not null references tenant,
  id bigint generated always as identity,
  -- The number on its plate; MQTT client id and user name.
  sn text not null unique check (sn ~ '^[A-Z0-9]{8,32}$'),
  name text not null,
  model_id bigint not null references cabinet_model,
  store_id bigint,
  lifecycle text not null default 'INACTIVE' check (lifecycle in ('INACTIVE', 'ACTIVE', 'PAUSED', 'RETIRED')),
  created_at timestamptz not null default now(),

  desired_config jsonb not null default '{}',
  desired_config_version int not null default 1,
  reported_config jsonb,
  reported_config_version int,
  -- The report it comes from.
  reported_config_boot_no bigint,
  reported_config_n bigint,

  -- The present connection, from sign-in; null when there is none.
  connection_nonce text,
  connection_kid text,
  -- The session: it stands (is_greeted) from the hello that answers a birth to the end of the
  -- connection or the next birth. Only then may a command be sent.
  epoch bigint not null default 0,
  is_greeted boolean not null default false,
  -- The process that it is connected to, or that greeted it, and that sends its commands.
  gateway_id text,
  -- The newest birth.
  birth_nonce text,
  birth_boot_no bigint,
  birth_n bigint,
  -- Presence by this clock alone: offline from offline_at on, unless it is heard before.
  last_seen_at timestamptz,
  offline_at timestamptz,
  -- What the log and the consoles were last told.
  announced_connectivity text not null default 'NEVER'
    check (announced_connectivity in ('ONLINE', 'OFFLINE', 'NEVER')),
  -- The highest seq given to a command, and the highest that the cabinet answered.
  command_seq bigint not null default 0,
  acknowledged_seq bigint not null default 0,
  -- The newest report, and which before it are missing. A cabinet that lost its memory counts its
  -- starts from 1 again: boot_base is added to what it says, here and wherever boot_no stands.
  boot_base bigint not null default 0,
  boot_no bigint,
  last_n bigint,
  missing_reports bigint[] not null default '{}',
  gap_since timestamptz,
  resync_at timestamptz,
  heartbeat_boot_no bigint,
  heartbeat_mono bigint,
  app_version text,
  signal_dbm int,
  temperature_c real,
  clock_skew_seconds int,
  check ((last_seen_at is null) = (offline_at is null)),
  primary key (tenant_id, id),
  foreign key (tenant_id, store_id) references store
);
create index cabinet_store on cabinet (tenant_id, store_id);
-- The order of the list; an index on last_seen_at would be rewritten by every heartbeat.
create index cabinet_number on cabinet (tenant_id, sn);
create index cabinet_falling_silent on cabinet (offline_at) where announced_connectivity = 'ONLINE';
create index cabinet_gap on cabinet (gap_since) where gap_since is not null;
select protect_tenant_table('cabinet');

-- Two kids may overlap up to seven days.
create table cabinet_secret (
  tenant_id int not null,
  cabinet_id bigint not null,
  kid text not null,
  sealed_secret bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  primary key (tenant_id, cabinet_id, kid),
  foreign key (tenant_id, cabinet_id) references cabinet on delete cascade
);
select protect_tenant_table('cabinet_secret');

-- Challenges that were given out and not yet used.
create table device_challenge (
  nonce text primary key,
  expires_at timestamptz not null
);
create index device_challenge_expiry on device_challenge (expires_at);
grant select, insert, delete on device_challenge to cabinet_tenant, cabinet_platform;

-- One row: when presence was last looked at, so that our own absence is not taken for the cabinets'.
create table presence_sweep (
  is_only boolean primary key default true check (is_only),
  swept_at timestamptz not null default now()
);
insert into presence_sweep default values;
grant select, update on presence_sweep to cabinet_platform;

create table compartment (
  tenant_id int not null,
  cabinet_id bigint not null,
  no int not null check (no between 1 and 999),
  size text not null check (size in ('S', 'M', 'L', 'XL')),
  board_address text not null,
  layout_column int not null,
  layout_row int not null,
  row_span int not null default 1,
  admin_state text not null default 'ENABLED' check (admin_state in ('ENABLED', 'DISABLED', 'FAULT')),
  admin_reason text,
  occupancy text not null default 'FREE' check (occupancy in ('FREE', 'RESERVED', 'OCCUPIED')),
  occupied_since timestamptz,
  door_front text not null default 'UNKNOWN' check (door_front in ('OPEN', 'CLOSED', 'UNKNOWN')),
  -- Null on a single-sided cabinet.
  door_back text check (door_back in ('OPEN', 'CLOSED', 'UNKNOWN')),
  item text not null default 'UNKNOWN' check (item in ('EMPTY', 'PRESENT', 'UNKNOWN')),
  -- The report that the doors and the item come from: newer ones win, row by row.
  reported_boot_no bigint,
  reported_n bigint,
  primary key (tenant_id, cabinet_id, no),
  foreign key (tenant_id, cabinet_id) references cabinet on delete cascade
);
select protect_tenant_table('compartment');

-- A command row is its own outbox entry: QUEUED and the notice to the gateway are one transaction.
create table command (
  tenant_id int not null,
  id uuid not null default gen_random_uuid(),
  cabinet_id bigint not null,
  kind text not null check (kind in ('OPEN', 'RESTART')),
  compartment_no int,
  side text check (side in ('FRONT', 'BACK')),
  state text not null default 'QUEUED' check (state in
    ('QUEUED', 'SENT', 'ACKED', 'CONFIRMED', 'NOT_CONFIRMED', 'REJECTED', 'EXPIRED', 'FAILED', 'UNKNOWN')),
  detail text,
  reason text not null,
  actor_id bigint,
  actor_name text not null,
  request_id text,
  -- The session in which it was asked for: it is sent in no other.
  epoch bigint not null default 0,
  seq bigint,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  sent_at timestamptz,
  acked_at timestamptz,
  settled_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, cabinet_id) references cabinet on delete cascade,
  check ((kind = 'OPEN') = (compartment_no is not null and side is not null))
);
create index command_cabinet on command (tenant_id, cabinet_id, created_at desc);
create index command_created on command (tenant_id, created_at desc);
create index command_created_anywhere on command (created_at desc);
create index command_unsettled on command (expires_at) where state in ('QUEUED', 'SENT', 'ACKED');
-- One open command in flight per compartment, so never both doors of a double-sided one.
create unique index command_in_flight on command (tenant_id, cabinet_id, compartment_no)
  where kind = 'OPEN' and state in ('QUEUED', 'SENT', 'ACKED');
create unique index restart_in_flight on command (tenant_id, cabinet_id)
  where kind = 'RESTART' and state in ('QUEUED', 'SENT', 'ACKED');
create unique index command_seq on command (tenant_id, cabinet_id, seq);
select protect_tenant_table('command', 'select, insert, update');

create table cabinet_event (
  tenant_id int not null,
  id bigint generated always as identity,
  cabinet_id bigint not null,
  -- Null for what the server itself observed, such as a lost connection.
  boot_no bigint,
  n bigint,
  kind text not null,
  compartment_no int,
  side text check (side in ('FRONT', 'BACK')),
  command_id uuid,
  device_at timestamptz,
  received_at timestamptz not null default now(),
  payload jsonb,
  primary key (tenant_id, id),
  foreign key (tenant_id, cabinet_id) references cabinet on delete cascade
);
create unique index cabinet_event_once on cabinet_event (tenant_id, cabinet_id, boot_no, n);
create index cabinet_event_cabinet on cabinet_event (tenant_id, cabinet_id, received_at desc);
create index cabinet_event_compartment
  on cabinet_event (tenant_id, cabinet_id, compartment_no, received_at desc)
  where compartment_no is not null;
select protect_tenant_table('cabinet_event', 'select, insert');

create table stock_audit (
  tenant_id int not null,
  id bigint generated always as identity,
  cabinet_id bigint not null,
  at timestamptz not null default now(),
  actor_id bigint not null,
  actor_name text not null,
  -- [{no, found, correct, note, occupancy, item}]: books and sensor as they were when it was handed in
  findings jsonb not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, cabinet_id) references cabinet on delete cascade
);
select protect_tenant_table('stock_audit', 'select, insert');

create table malfunction (
  tenant_id int not null,
  id bigint generated always as identity,
  cabinet_id bigint not null,
  compartment_no int,
  kind text not null check (kind in
    ('OFFLINE', 'OPEN_FAILED', 'DOOR_LEFT_OPEN', 'OCCUPANCY_ABNORMAL', 'VIBRATION', 'TAMPER',
     'POWER_LOW', 'BOARD_FAULT', 'TEMPERATURE_HIGH', 'TEMPERATURE_LOW', 'NETWORK_POOR', 'OTHER')),
  state text not null default 'CREATED' check (state in
    ('CREATED', 'ASSIGNED', 'PROCESSING', 'RESOLVED', 'CLOSED', 'IGNORED')),
  description text not null default '',
  repeat_count int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, cabinet_id) references cabinet on delete cascade
);
-- One open malfunction per cabinet, compartment and kind: a repeat raises its count.
create unique index malfunction_open on malfunction
  (tenant_id, cabinet_id, coalesce(compartment_no, 0), kind)
  where state in ('CREATED', 'ASSIGNED', 'PROCESSING');
create index malfunction_state on malfunction (tenant_id, state);
select protect_tenant_table('malfunction');

-- Platform-wide: what the platform tells its tenants.
create table announcement (
  id bigint generated always as identity primary key,
  version text not null,
  content text not null,
  state text not null default 'DRAFT' check (state in ('DRAFT', 'PUBLISHED', 'WITHDRAWN')),
  updated_at timestamptz not null default now()
);
grant select on announcement to cabinet_tenant;
grant select, insert, update, delete on announcement to cabinet_platform;
