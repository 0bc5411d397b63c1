-- Signing in by a tenant's mini-program of WeChat: its setting, and who is who in it.

create table mini_program_setting (
  tenant_id int primary key references tenant,
  app_id text not null,
  sealed_secret bytea not null,
  check_state text not null default 'NONE' check (check_state in ('NONE', 'PENDING', 'OK', 'FAILED')),
  check_text text not null default '',
  checked_at timestamptz,
  edit_version int not null default 1,
  edited_at timestamptz not null default now(),
  edited_by text not null
);
select protect_tenant_table('mini_program_setting', 'select, insert, update');

-- An openid is one mini-program's name for a person; another mini-program knows them by another.
create table mini_program_user (
  tenant_id int not null,
  app_id text not null,
  openid text not null,
  end_user_id bigint not null,
  bound_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  primary key (tenant_id, app_id, openid),
  -- Whoever proved the phone last.
  unique (tenant_id, app_id, end_user_id),
  foreign key (tenant_id, end_user_id) references end_user on delete cascade
);
create index mini_program_user_of on mini_program_user (tenant_id, end_user_id);
create index mini_program_user_seen on mini_program_user (tenant_id, app_id, last_seen_at desc);
select protect_tenant_table('mini_program_user');
