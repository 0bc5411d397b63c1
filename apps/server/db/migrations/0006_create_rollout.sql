-- Firmware images, and staged roll-outs of firmware and of parameters to cabinets.

-- The public key (Ed25519, PEM) whose owner signs the firmware of this model.
alter table cabinet_model add column maker_public_key text;

-- Platform-wide: one image serves cabinets of many tenants.
create table firmware (
  id bigint generated always as identity primary key,
  version text not null,
  min_version text not null,
  notes text not null default '',
  file_id uuid not null unique references file (id),
  file_name text not null,
  size_bytes bigint not null check (size_bytes > 0),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  -- By the maker, base64url: held for every model of the image when it was handed in.
  signature text not null,
  state text not null default 'DRAFT' check (state in ('DRAFT', 'RELEASED', 'WITHDRAWN')),
  withdrawn_reason text,
  created_by text not null,
  created_at timestamptz not null default now(),
  released_at timestamptz,
  withdrawn_at timestamptz,
  unique (id, version)
);
create table firmware_model (
  firmware_id bigint not null,
  model_id bigint not null references cabinet_model on delete cascade,
  version text not null,
  primary key (firmware_id, model_id),
  -- A version means one image on one model, for ever.
  unique (model_id, version),
  foreign key (firmware_id, version) references firmware (id, version) on delete cascade
);
grant select on firmware, firmware_model to cabinet_tenant;
grant select, insert, update, delete on firmware, firmware_model to cabinet_platform;

create table rollout (
  tenant_id int not null references tenant,
  id bigint generated always as identity,
  name text not null,
  kind text not null check (kind in ('FIRMWARE', 'CONFIG')),
  firmware_id bigint references firmware,
  config jsonb,
  -- Who was asked for: {modelId, storeId, side, cabinetIds}.
  selection jsonb not null,
  -- How much of the whole is reached at the end of each stage; the last is 100.
  stage_percents int[] not null,
  advance_percent int not null check (advance_percent between 1 and 100),
  dwell_minutes int not null check (dwell_minutes >= 0),
  stop_percent int not null check (stop_percent between 0 and 100),
  timeout_minutes int not null check (timeout_minutes > 0),
  state text not null default 'SCHEDULED' check (state in
    ('SCHEDULED', 'RUNNING', 'PAUSED', 'STOPPED', 'FINISHED', 'CANCELLED')),
  state_reason text,
  -- From 0; the targets of this stage and of those before it may be sent.
  stage int not null default 0,
  -- Since when enough of the stage has succeeded.
  stage_reached_at timestamptz,
  starts_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz,
  actor_id bigint,
  actor_name text not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  check ((kind = 'FIRMWARE') = (firmware_id is not null) and (kind = 'CONFIG') = (config is not null))
);
create index rollout_created on rollout (tenant_id, created_at desc);
create index rollout_open on rollout (starts_at) where state in ('SCHEDULED', 'RUNNING');
create index rollout_firmware on rollout (firmware_id) where firmware_id is not null;
select protect_tenant_table('rollout', 'select, insert, update');

create table rollout_target (
  tenant_id int not null,
  rollout_id bigint not null,
  cabinet_id bigint not null,
  kind text not null check (kind in ('FIRMWARE', 'CONFIG')),
  stage int not null,
  state text not null default 'WAITING' check (state in
    ('WAITING', 'SENT', 'ACCEPTED', 'DOWNLOADING', 'INSTALLING', 'SUCCEEDED', 'FAILED', 'REFUSED',
     'TIMED_OUT', 'CANCELLED', 'REVERTED')),
  detail text,
  -- Raised by every step, which is conditional on the one it was decided by.
  version int not null default 1,
  -- A failure that somebody took note of when the roll-out went on.
  is_excused boolean not null default false,
  attempts int not null default 0,
  -- The attempt under way, as the cabinet knows it.
  job_id uuid,
  epoch bigint,
  -- Not offered before: a door was open.
  not_before timestamptz,
  -- The program it ran, and the parameters that were wished, before.
  from_version text,
  old_config jsonb,
  desired_config_version int,
  -- The start of the program that said INSTALLED: a later one must run the new version.
  installed_boot_no bigint,
  sent_at timestamptz,
  -- The last sign of getting on with it.
  progressed_at timestamptz,
  settled_at timestamptz,
  primary key (tenant_id, rollout_id, cabinet_id),
  foreign key (tenant_id, rollout_id) references rollout on delete cascade,
  foreign key (tenant_id, cabinet_id) references cabinet on delete cascade
);
-- A cabinet is in one roll-out of a kind at a time.
create unique index rollout_target_open on rollout_target (tenant_id, cabinet_id, kind)
  where state in ('WAITING', 'SENT', 'ACCEPTED', 'DOWNLOADING', 'INSTALLING');
create index rollout_target_state on rollout_target (tenant_id, rollout_id, stage, state);
create index rollout_target_in_flight on rollout_target (progressed_at)
  where state in ('SENT', 'ACCEPTED', 'DOWNLOADING', 'INSTALLING');
create index rollout_target_silent on rollout_target (tenant_id, cabinet_id) where state = 'TIMED_OUT';
create index rollout_target_job on rollout_target (tenant_id, cabinet_id, job_id);
select protect_tenant_table('rollout_target', 'select, insert, update');

create table rollout_event (
  tenant_id int not null,
  id bigint generated always as identity,
  rollout_id bigint not null,
  at timestamptz not null default now(),
  kind text not null check (kind in
    ('CREATED', 'STARTED', 'ADVANCED', 'STOPPED', 'PAUSED', 'RESUMED', 'RETRIED', 'CANCELLED',
     'FINISHED', 'REVERTED')),
  -- The stage it went to, from 1.
  stage int,
  text text not null default '',
  -- Null for what the roll-out did by itself.
  actor_name text,
  primary key (tenant_id, id),
  foreign key (tenant_id, rollout_id) references rollout on delete cascade
);
create index rollout_event_rollout on rollout_event (tenant_id, rollout_id, id);
select protect_tenant_table('rollout_event', 'select, insert');
