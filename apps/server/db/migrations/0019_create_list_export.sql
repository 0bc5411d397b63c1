-- Exports: a list as it stood at one moment, kept in chunks until its page has fetched them.

create table list_export (
  tenant_id int not null,
  id uuid not null default gen_random_uuid(),
  -- Nobody else may fetch it; the session says what may be seen while its rows are read.
  operator_id bigint not null,
  session_hash bytea not null,
  -- Read with the eyes of platform staff: rows of every tenant.
  is_platform boolean not null,
  call text not null,
  query jsonb not null,
  state text not null default 'WAITING' check (state in ('WAITING', 'RUNNING', 'READY', 'FAILED')),
  failure text,
  total int,
  row_count int not null default 0,
  created_at timestamptz not null default now(),
  -- While its rows are read, the process that reads them renews this.
  seen_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, operator_id) references operator on delete cascade
);
create index list_export_waiting on list_export (created_at) where state = 'WAITING';
create index list_export_age on list_export (created_at);
select protect_tenant_table('list_export');

create table list_export_chunk (
  tenant_id int not null,
  export_id uuid not null,
  no int not null,
  -- A JSON array.
  rows text not null,
  primary key (tenant_id, export_id, no),
  foreign key (tenant_id, export_id) references list_export on delete cascade
);
select protect_tenant_table('list_export_chunk');

-- How many wait, or did before then: of all tenants, whoever asks.
create function waiting_exports(before timestamptz default 'infinity') returns int
language sql stable security definer set search_path = public
as $$ select count(*)::int from list_export where state = 'WAITING' and created_at < before $$;
grant create on schema public to cabinet_platform;
alter function waiting_exports(timestamptz) owner to cabinet_platform;
revoke create on schema public from cabinet_platform;
revoke execute on function waiting_exports(timestamptz) from public;
grant execute on function waiting_exports(timestamptz) to cabinet_tenant;
