-- The service period of cabinets with its record, and cabinets' secrets: use, end, and from where.

-- No row: nothing agreed yet, and no limit. Days are Shanghai's, both of them included. Tenants may
-- look; what is agreed is the platform's to write.
create table cabinet_service (
  tenant_id int not null,
  cabinet_id bigint not null,
  starts_on date,
  ends_on date,
  stopped_at timestamptz,
  stop_reason text,
  check ((starts_on is null) = (ends_on is null)),
  check (ends_on >= starts_on),
  check ((stopped_at is null) = (stop_reason is null)),
  primary key (tenant_id, cabinet_id),
  foreign key (tenant_id, cabinet_id) references cabinet on delete cascade
);
create index cabinet_service_end on cabinet_service (ends_on);
select protect_tenant_table('cabinet_service', 'select');
grant insert, update on cabinet_service to cabinet_platform;

create table cabinet_service_record (
  tenant_id int not null,
  id bigint generated always as identity,
  cabinet_id bigint not null,
  at timestamptz not null default now(),
  action text not null check (action in ('OPENED', 'RENEWED', 'ADJUSTED', 'STOPPED', 'RESUMED')),
  actor_id bigint not null,
  actor_name text not null,
  -- {startsOn, endsOn, isStopped}
  before jsonb not null,
  after jsonb not null,
  reason text not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, cabinet_id) references cabinet on delete cascade
);
create index cabinet_service_record_at on cabinet_service_record (at desc);
create index cabinet_service_record_cabinet
  on cabinet_service_record (tenant_id, cabinet_id, at desc);
select protect_tenant_table('cabinet_service_record', 'select');
grant insert on cabinet_service_record to cabinet_platform;

-- A secret that has ended is wiped; what remains says that there was one.
alter table cabinet_secret
  alter column sealed_secret drop not null,
  add column last_used_at timestamptz,
  add column issued_by text,
  add column revoked_at timestamptz,
  add column revoked_by text;
create index cabinet_secret_end on cabinet_secret (expires_at) where expires_at is not null;

-- From where a cabinet may connect; none: from anywhere.
create table cabinet_network (
  tenant_id int not null,
  cabinet_id bigint not null,
  network cidr not null,
  primary key (tenant_id, cabinet_id, network),
  foreign key (tenant_id, cabinet_id) references cabinet on delete cascade
);
select protect_tenant_table('cabinet_network');
