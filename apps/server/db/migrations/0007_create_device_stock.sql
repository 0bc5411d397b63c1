-- The platform's stock of new devices, and how each gets its secret: once, by its activation code.

-- Platform-wide: a device belongs to nobody until it is assigned. No grant to cabinet_tenant.
create table device_stock (
  id bigint generated always as identity primary key,
  -- The number on its plate, and later that of its cabinet.
  sn text not null unique check (sn ~ '^[A-Z0-9]{8,32}$'),
  model_id bigint not null references cabinet_model,
  batch text not null default '',
  remark text not null default '',
  state text not null default 'IN_STOCK' check (state in ('IN_STOCK', 'ASSIGNED', 'ACTIVATED', 'SCRAPPED')),
  -- One hand-in of a spreadsheet; it may be handed in again when its answer was lost.
  import_id uuid,
  imported_at timestamptz not null default now(),
  imported_by text not null,
  owner_tenant_id int references tenant,
  cabinet_id bigint,
  assigned_at timestamptz,
  activated_at timestamptz,
  -- Keyed hash of the activation code; null where none is in force.
  code_hash bytea,
  code_expires_at timestamptz,
  -- Hash of the claim that the code is bound to, from its first use on.
  claim_hash bytea,
  -- The secret that was given for this code, and how many this device was given in all.
  issued_kid text,
  issued_count int not null default 0,
  check ((owner_tenant_id is null) = (cabinet_id is null)),
  check ((state in ('ASSIGNED', 'ACTIVATED')) = (cabinet_id is not null)),
  check ((code_hash is null) = (code_expires_at is null)),
  foreign key (owner_tenant_id, cabinet_id) references cabinet
);
create index device_stock_imported on device_stock (imported_at desc, id desc);
create unique index device_stock_cabinet on device_stock (owner_tenant_id, cabinet_id);
grant select, insert, update, delete on device_stock to cabinet_platform;

create table device_stock_event (
  id bigint generated always as identity primary key,
  stock_id bigint not null references device_stock on delete cascade,
  at timestamptz not null default now(),
  kind text not null check (kind in
    ('IMPORTED', 'CHANGED', 'ASSIGNED', 'RECALLED', 'CODE_RENEWED', 'SCRAPPED', 'ACTIVATED',
     'ACTIVATED_AGAIN', 'ACTIVATION_REFUSED')),
  actor_name text not null,
  detail text not null default ''
);
create index device_stock_event_stock on device_stock_event (stock_id, id desc);
grant select, insert on device_stock_event to cabinet_platform;

-- A secret that was never used may still be replaced by whoever holds the claim.
alter table cabinet_secret add column first_used_at timestamptz;
