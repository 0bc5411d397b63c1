-- What third parties are told by callbacks: where to, what happened, and each attempt to say so.

-- Which third party's program ordered it; null: nobody's.
alter table storage_order add column app_id bigint;

-- How many events of a tenant have a number; app 0: all of them, else those of one third party.
create table callback_sequence (
  tenant_id int not null references tenant,
  app_id bigint not null,
  last_seq bigint not null default 0,
  primary key (tenant_id, app_id)
);
select protect_tenant_table('callback_sequence', 'select, insert, update');

create table callback_endpoint (
  tenant_id int not null references tenant,
  id bigint generated always as identity,
  name text not null,
  url text not null,
  types text[] not null check (cardinality(types) > 0),
  -- Then it hears of this third party's orders alone.
  app_id bigint,
  state text not null default 'ENABLED' check (state in ('ENABLED', 'FAILING', 'DISABLED')),
  -- Why and when it came into this state; nobody's word for what happened by itself.
  state_reason text not null default '',
  state_at timestamptz not null default now(),
  -- Attempts that failed since the last one that succeeded.
  failures int not null default 0,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  -- What it answered to a wrong signature: REFUSED is as it should be.
  probe_result text check (probe_result in ('REFUSED', 'ACCEPTED', 'UNCLEAR')),
  probed_at timestamptz,
  created_at timestamptz not null default now(),
  created_by text not null,
  edit_version int not null default 1,
  edited_at timestamptz not null default now(),
  edited_by text not null,
  -- Its deliveries stay readable.
  deleted_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, app_id) references open_app
);
create unique index callback_endpoint_name on callback_endpoint (tenant_id, name)
  where deleted_at is null;
select protect_tenant_table('callback_endpoint', 'select, insert, update');

-- What its callbacks are signed with: at most two at a time, each kept sealed.
create table callback_secret (
  tenant_id int not null,
  id bigint generated always as identity,
  endpoint_id bigint not null,
  sealed bytea not null,
  -- The last characters, to tell one from another.
  hint text not null,
  created_at timestamptz not null default now(),
  -- Of one that was replaced: until when it signs beside the new one.
  expires_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, endpoint_id) references callback_endpoint on delete cascade
);
create index callback_secret_endpoint on callback_secret (tenant_id, endpoint_id);
select protect_tenant_table('callback_secret');

-- What happened, written in the transaction in which it did; the outbox of all callbacks.
create table callback_event (
  tenant_id int not null references tenant,
  id bigint generated always as identity,
  -- The same for every receiver and every attempt.
  uid uuid not null default gen_random_uuid(),
  at timestamptz not null default now(),
  type text not null,
  -- The same business is told once, however often it is published.
  key text not null,
  app_id bigint,
  order_id bigint,
  data jsonb not null,
  -- Its place among the tenant's events, and among those of its third party, given once it is
  -- committed: 1, 2, 3, … A test has 0.
  seq bigint,
  app_seq bigint,
  primary key (tenant_id, id),
  unique (tenant_id, type, key),
  unique (tenant_id, uid)
);
create unique index callback_event_seq on callback_event (tenant_id, seq) where seq > 0;
create index callback_event_unnumbered on callback_event (tenant_id, id) where seq is null;
create index callback_event_order on callback_event (tenant_id, order_id, id)
  where order_id is not null;
create index callback_event_at on callback_event (tenant_id, at);
create index callback_event_age on callback_event (at);
select protect_tenant_table('callback_event');

-- One event for one endpoint.
create table callback_delivery (
  tenant_id int not null,
  id bigint generated always as identity,
  endpoint_id bigint not null,
  event_id bigint not null,
  purpose text not null default 'EVENT' check (purpose in ('EVENT', 'TEST', 'PROBE')),
  state text not null default 'WAITING'
    check (state in ('WAITING', 'SENDING', 'DELIVERED', 'DEAD', 'CANCELLED')),
  created_at timestamptz not null default now(),
  -- A replay begins a new round; failures are those of this round.
  round int not null default 1,
  failures int not null default 0,
  attempts int not null default 0,
  next_at timestamptz default now(),
  -- Of one that is being sent: whose it is, and until when.
  lease uuid,
  leased_until timestamptz,
  delivered_at timestamptz,
  ended_at timestamptz,
  -- What came of the last attempt.
  last_status int,
  last_outcome text,
  primary key (tenant_id, id),
  unique (tenant_id, endpoint_id, event_id),
  foreign key (tenant_id, endpoint_id) references callback_endpoint,
  foreign key (tenant_id, event_id) references callback_event on delete cascade,
  check ((state = 'WAITING') = (next_at is not null)),
  check ((state = 'SENDING') = (lease is not null and leased_until is not null))
);
create index callback_delivery_event on callback_delivery (tenant_id, event_id);
create index callback_delivery_due on callback_delivery (tenant_id, endpoint_id, next_at, id)
  where state = 'WAITING';
create index callback_delivery_sending on callback_delivery (tenant_id, endpoint_id, leased_until)
  where state = 'SENDING';
create index callback_delivery_dead on callback_delivery (tenant_id, id desc) where state = 'DEAD';
create index callback_delivery_endpoint on callback_delivery (tenant_id, endpoint_id, id desc);
create index callback_delivery_anywhere on callback_delivery (id desc);
select protect_tenant_table('callback_delivery');

-- One request; what it was sent with is the event, its time and the endpoint's address then.
create table callback_attempt (
  tenant_id int not null,
  delivery_id bigint not null,
  no int not null,
  round int not null,
  started_at timestamptz not null default now(),
  url text not null,
  -- The webhook-timestamp and webhook-signature that were sent.
  sent_at timestamptz,
  signature text,
  address text,
  -- Null while it runs; UNKNOWN where the process ended before it knew.
  outcome text,
  status int,
  response_type text,
  response_text text,
  retry_after int,
  detail text,
  duration_ms int,
  primary key (tenant_id, delivery_id, no),
  foreign key (tenant_id, delivery_id) references callback_delivery on delete cascade
);
select protect_tenant_table('callback_attempt');
