-- What an operator sets for one cabinet, what storing there costs, and logs that show what was said.

alter table cabinet
  add column service_phone text not null default '',
  -- Where in the store it stands, for who looks for it.
  add column place text not null default '',
  -- Its own coordinates; null: those of its store.
  add column longitude double precision,
  add column latitude double precision,
  -- Empty: those of its store.
  add column opening_hours text not null default '',
  -- Counts what people changed of it: a form that was opened before a change is refused.
  add column edit_version int not null default 1,
  add column edited_at timestamptz,
  add column edited_by text,
  add column desired_config_at timestamptz,
  add column reported_config_at timestamptz,
  add check ((longitude is null) = (latitude is null));

-- What storing costs: of the tenant (neither store nor cabinet), of a store, or of a cabinet.
create table pricing_rule (
  tenant_id int not null references tenant,
  id bigint generated always as identity,
  store_id bigint,
  cabinet_id bigint,
  free_minutes int not null check (free_minutes >= 0),
  per_use_fen bigint not null check (per_use_fen >= 0),
  step_minutes int not null check (step_minutes > 0),
  step_fen bigint not null check (step_fen >= 0),
  -- Null: no upper limit.
  cap_fen bigint check (cap_fen >= 0),
  overdue_after_minutes int not null check (overdue_after_minutes > 0),
  edit_version int not null default 1,
  edited_at timestamptz not null default now(),
  edited_by text not null,
  primary key (tenant_id, id),
  unique nulls not distinct (tenant_id, store_id, cabinet_id),
  foreign key (tenant_id, store_id) references store on delete cascade,
  foreign key (tenant_id, cabinet_id) references cabinet on delete cascade,
  check (store_id is null or cabinet_id is null)
);
select protect_tenant_table('pricing_rule');

-- What was said about it on the link, oldest first: [{at, direction, topic, message}].
alter table command add column frames jsonb not null default '[]';

-- The newest first, whatever else is asked; rare kinds without walking over the frequent ones.
create index cabinet_event_received on cabinet_event (tenant_id, received_at desc, id desc);
create index cabinet_event_received_anywhere on cabinet_event (received_at desc, id desc);
create index cabinet_event_kind on cabinet_event (tenant_id, kind, received_at desc, id desc);
create index cabinet_event_kind_anywhere on cabinet_event (kind, received_at desc, id desc);
-- When a cabinet came and went, however much else it reports.
create index cabinet_event_presence on cabinet_event (tenant_id, cabinet_id, received_at desc)
  where kind in ('ONLINE', 'OFFLINE');
