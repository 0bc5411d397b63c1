-- What a tenant sets for itself, and how an account likes its console.

create table tenant_setting (
  tenant_id int primary key references tenant,
  -- Whether a risen number of faults is told aloud.
  is_hint boolean not null default true,
  -- Whether people are told by text message that their goods are overdue.
  tells_overdue boolean not null default true,
  -- For riders and recipients, where a cabinet or its store say nothing of their own.
  service_phone text not null default '',
  opening_hours text not null default '',
  -- In front of text messages; empty: the product's name.
  sms_sign text not null default '',
  logo_file_id uuid,
  -- Of the map service; the code that goes with the key is a secret.
  map_key text,
  sealed_map_code bytea,
  edit_version int not null default 1,
  edited_at timestamptz not null default now(),
  edited_by text not null,
  foreign key (tenant_id, logo_file_id) references file,
  check ((map_key is null) = (sealed_map_code is null))
);
select protect_tenant_table('tenant_setting', 'select, insert, update');

create table operator_preference (
  tenant_id int not null,
  operator_id bigint not null,
  -- `theme`, or `columns:` and the title of a list.
  name text not null check (length(name) <= 80),
  -- Null: as it comes, chosen again after something else.
  value jsonb,
  changed_at timestamptz not null default now(),
  primary key (tenant_id, operator_id, name),
  foreign key (tenant_id, operator_id) references operator on delete cascade
);
select protect_tenant_table('operator_preference', 'select, insert, update');
