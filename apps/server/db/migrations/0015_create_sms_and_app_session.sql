-- Messages to phones, and how riders and recipients sign in to the app.

-- What is to be sent, written in the transaction that it tells of; the text is sealed.
create table sms_message (
  tenant_id int not null references tenant,
  id bigint generated always as identity,
  created_at timestamptz not null default now(),
  scene text not null check (scene in ('SIGN_IN_CODE', 'PICKUP_CODE', 'OVERDUE')),
  phone text not null check (phone ~ '^1[3-9]\d{9}$'),
  sealed_text bytea not null,
  -- As the carriers count.
  segments int not null check (segments > 0),
  order_id bigint,
  primary key (tenant_id, id)
);
create index sms_message_anywhere on sms_message (id desc);
create index sms_message_phone on sms_message (tenant_id, phone, id desc);
create index sms_message_phone_part on sms_message using gin (phone gin_trgm_ops);
create index sms_message_order on sms_message (tenant_id, order_id) where order_id is not null;
select protect_tenant_table('sms_message', 'select, insert');

-- The newest code of a phone at a tenant; older ones are void.
create table sign_in_code (
  tenant_id int not null references tenant,
  phone text not null,
  code_hash bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  failures int not null default 0,
  primary key (tenant_id, phone)
);
create index sign_in_code_expiry on sign_in_code (expires_at);
select protect_tenant_table('sign_in_code');

create table app_session (
  token_hash bytea primary key,
  tenant_id int not null,
  end_user_id bigint not null,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  address inet,
  user_agent text,
  foreign key (tenant_id, end_user_id) references end_user on delete cascade
);
create index app_session_user on app_session (tenant_id, end_user_id);
select protect_tenant_table('app_session');

-- How often something was asked for within a while that began with the first; it knows no tenant.
create table ask_count (
  key text primary key,
  asked int not null,
  began_at timestamptz not null default now()
);
grant select, insert, update, delete on ask_count to cabinet_tenant, cabinet_platform;

-- Who a token of the app belongs to: asked before any tenant is known, so it runs as the platform.
create type app_session_row as (
  end_user_id bigint, tenant_id int, phone text, name text, is_locked boolean, tenant_is_active boolean
);
create function find_app_session(hash bytea) returns setof app_session_row
language plpgsql security definer set search_path = public as $$
declare
  found_session app_session;
begin
  select * into found_session from app_session s
    where s.token_hash = hash and s.expires_at > now() and s.last_seen_at > now() - interval '7 days';
  if not found then return; end if;
  -- Idle time is kept to the hour, so that most requests only read.
  if found_session.last_seen_at < now() - interval '1 hour' then
    update app_session set last_seen_at = now() where token_hash = hash;
    update end_user set last_seen_at = now()
      where tenant_id = found_session.tenant_id and id = found_session.end_user_id;
  end if;
  return query
    select u.id, u.tenant_id, u.phone, u.name, u.state = 'LOCKED',
      t.state = 'ACTIVE' and (t.expires_at is null or t.expires_at > now())
    from end_user u join tenant t on t.id = u.tenant_id
    where u.tenant_id = found_session.tenant_id and u.id = found_session.end_user_id;
end $$;
grant create on schema public to cabinet_platform;
alter function find_app_session(bytea) owner to cabinet_platform;
revoke create on schema public from cabinet_platform;
revoke execute on function find_app_session(bytea) from public;
grant execute on function find_app_session(bytea) to cabinet_tenant;
