-- Third parties who call us: applications and their keys, what each call said, whose order is whose.

-- Who calls: a delivery company, or the tenant's own back end. `code` is what its requests name it by.
create table open_app (
  tenant_id int not null references tenant,
  id bigint generated always as identity,
  code text not null unique check (code ~ '^app_[0-9a-z]{16}$'),
  name text not null,
  scopes text[] not null,
  -- Requests that are proven to be its own.
  rate_per_minute int not null default 600 check (rate_per_minute between 1 and 6000),
  -- What a stay costs is between the third party and the tenant: its doors open without anybody paying here.
  is_settling boolean not null default false,
  remark text not null default '',
  created_at timestamptz not null default now(),
  edited_at timestamptz not null default now(),
  edited_by text not null,
  disabled_at timestamptz,
  disabled_reason text,
  primary key (tenant_id, id)
);
create unique index open_app_name on open_app (tenant_id, name);
select protect_tenant_table('open_app');

-- At most two in force; what has ended keeps no secret.
create table open_app_key (
  tenant_id int not null,
  app_id bigint not null,
  kid text not null check (kid ~ '^[0-9a-z-]{4,32}$'),
  sealed_secret bytea,
  created_at timestamptz not null default now(),
  issued_by text not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  revoked_by text,
  last_used_at timestamptz,
  primary key (tenant_id, app_id, kid),
  foreign key (tenant_id, app_id) references open_app on delete cascade
);
select protect_tenant_table('open_app_key');

-- From where its requests may come; none: from anywhere.
create table open_app_network (
  tenant_id int not null,
  app_id bigint not null,
  network cidr not null,
  primary key (tenant_id, app_id, network),
  foreign key (tenant_id, app_id) references open_app on delete cascade
);
select protect_tenant_table('open_app_network');

-- Each number once: kept longer than a request is fresh, on either side of our clock.
create table open_nonce (
  tenant_id int not null,
  app_id bigint not null,
  nonce text not null,
  seen_at timestamptz not null default now(),
  primary key (tenant_id, app_id, nonce),
  foreign key (tenant_id, app_id) references open_app on delete cascade
);
create index open_nonce_age on open_nonce (seen_at);
select protect_tenant_table('open_nonce', 'select, insert, delete');

-- Every call that named one of our applications, good or refused; phones and codes in it are masked.
create table open_call (
  tenant_id int not null,
  id bigint generated always as identity,
  at timestamptz not null default now(),
  app_id bigint not null,
  kid text not null,
  -- Of the contract, such as `open-api.createOrder`.
  call text not null,
  method text not null,
  target text not null,
  address inet,
  status int not null,
  -- OK, or the code that the third party was told.
  result text not null,
  -- Why it was not believed, which only the owner learns.
  refusal text,
  ms int not null,
  request_id text not null,
  idempotency_key text,
  -- What its signature had to be made of.
  signed_text text,
  request_body text,
  response_body text,
  order_id bigint,
  cabinet_id bigint,
  third_party_no text,
  primary key (tenant_id, id),
  foreign key (tenant_id, app_id) references open_app
);
create index open_call_anywhere on open_call (id desc);
create index open_call_app on open_call (tenant_id, app_id, id desc);
create index open_call_order on open_call (tenant_id, order_id, id desc) where order_id is not null;
create index open_call_at on open_call (at);
select protect_tenant_table('open_call');

-- The order of a third party and ours; what of ours they were last told.
create table business_order (
  tenant_id int not null,
  order_id bigint not null,
  app_id bigint not null,
  third_party_no text not null,
  created_at timestamptz not null default now(),
  told_state text,
  told_at timestamptz,
  primary key (tenant_id, order_id),
  unique (tenant_id, app_id, third_party_no),
  foreign key (tenant_id, app_id) references open_app
);
create index business_order_anywhere on business_order (order_id desc);
create index business_order_app on business_order (tenant_id, app_id, order_id desc);
create index business_order_no on business_order (tenant_id, third_party_no);
select protect_tenant_table('business_order');

-- Third parties open doors and order things too.
alter table order_event drop constraint order_event_actor_kind_check;
alter table order_event add constraint order_event_actor_kind_check
  check (actor_kind in ('END_USER', 'OPERATOR', 'SYSTEM', 'PARTNER'));
alter table command drop constraint command_actor_kind_check;
alter table command add constraint command_actor_kind_check
  check (actor_kind in ('END_USER', 'OPERATOR', 'SYSTEM', 'PARTNER'));
