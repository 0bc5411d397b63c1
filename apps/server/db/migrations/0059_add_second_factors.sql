-- Two-step verification of console accounts, and the time of a session's last proof.

create table totp (
  tenant_id int not null,
  operator_id bigint not null,
  sealed_secret bytea not null,
  confirmed_at timestamptz,
  -- Time step of the last accepted code: no code is accepted twice.
  last_step bigint not null default 0,
  primary key (tenant_id, operator_id),
  foreign key (tenant_id, operator_id) references operator on delete cascade
);
select protect_tenant_table('totp');

create table passkey (
  tenant_id int not null,
  id bigint generated always as identity,
  operator_id bigint not null,
  credential_id text not null unique,
  host text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, operator_id) references operator on delete cascade
);
create index passkey_operator on passkey (tenant_id, operator_id);
select protect_tenant_table('passkey');

create table recovery_code (
  tenant_id int not null,
  operator_id bigint not null,
  code_hash bytea not null,
  primary key (tenant_id, operator_id, code_hash),
  foreign key (tenant_id, operator_id) references operator on delete cascade
);
select protect_tenant_table('recovery_code');

alter table role add column needs_second_factor boolean not null default false;
alter table operator add column has_second_factor boolean not null default false;
-- Kept by refresh_accounts from the roles.
alter table operator add column needs_second_factor boolean not null default false;
-- Null: the second step of the sign-in is due. Servers of the previous version leave the default.
alter table session add column proven_at timestamptz default now();
-- Host and challenge of a passkey that is being asked for.
alter table session add column passkey_challenge text;

create or replace function refresh_accounts(tenants int[], ids bigint[]) returns void language sql as $$
  with concerned as materialized (
    select o.tenant_id, o.id, o.user_type, array(
      select r.role_id from operator_role r
      where r.tenant_id = o.tenant_id and r.operator_id = o.id order by r.role_id) as roles
    from unnest(tenants, ids) c (tenant_id, id)
    join operator o on o.tenant_id = c.tenant_id and o.id = c.id
  ), alike as materialized (
    select k.tenant_id, k.user_type, k.roles, permissions_of(k.tenant_id, k.one_id) as permissions,
      is_store_bound(k.tenant_id, k.one_id) as is_store_bound,
      exists (
        select from role r where r.tenant_id = k.tenant_id and r.id = any(k.roles)
          and r.needs_second_factor) as needs_second_factor
    from (
      select tenant_id, user_type, roles, min(id) as one_id from concerned
      group by tenant_id, user_type, roles) k
  )
  update operator o set permissions = a.permissions, is_store_bound = a.is_store_bound,
    needs_second_factor = a.needs_second_factor
  from concerned c
  join alike a on a.tenant_id = c.tenant_id and a.user_type = c.user_type and a.roles = c.roles
  where o.tenant_id = c.tenant_id and o.id = c.id
    and (o.permissions, o.is_store_bound, o.needs_second_factor)
      is distinct from (a.permissions, a.is_store_bound, a.needs_second_factor)
$$;

drop trigger store_scope_changed on role;
create trigger role_rules_changed after update on role for each row
  when ((old.store_scope, old.needs_second_factor) is distinct from (new.store_scope, new.needs_second_factor))
  execute function refresh_permissions();

alter type session_row add attribute has_second_factor boolean;
alter type session_row add attribute needs_second_factor boolean;
alter type session_row add attribute is_proven boolean;
alter type session_row add attribute is_proven_recently boolean;

create or replace function find_session(hash bytea, is_activity boolean) returns setof session_row
language plpgsql security definer set search_path = public as $$
declare
  found_session session;
  is_proven boolean;
  is_proven_recently boolean;
begin
  select * into found_session from session s
    where s.token_hash = hash and s.expires_at > now() and s.last_seen_at > now() - interval '30 minutes';
  if not found then return; end if;
  -- Idle time is kept to the minute, so that most requests only read. Who visits is not idle at home.
  if is_activity and found_session.last_seen_at < now() - interval '1 minute' then
    update session set last_seen_at = now() where token_hash in (hash, found_session.opened_by);
  end if;
  is_proven := found_session.proven_at is not null;
  is_proven_recently := is_proven and found_session.proven_at > now() - interval '15 minutes';
  if found_session.visited_tenant_id is null then
    return query
      select o.id, o.tenant_id, o.username, o.display_name, o.user_type, o.must_change_password,
        t.state = 'ACTIVE' and (t.expires_at is null or t.expires_at > now()),
        o.permissions, o.is_store_bound, o.tenant_id, o.has_second_factor, o.needs_second_factor,
        is_proven, is_proven_recently
      from operator o join tenant t on t.id = o.tenant_id
      where o.tenant_id = found_session.tenant_id and o.id = found_session.operator_id
        and o.disabled_at is null;
  else
    -- The tenant itself may have expired or be suspended: that is often why somebody looks.
    return query
      select o.id, v.id, o.username, o.display_name, o.user_type, o.must_change_password, true,
        permissions_of_tenant(v.id), false, o.tenant_id, o.has_second_factor, o.needs_second_factor,
        is_proven, is_proven_recently
      from operator o, tenant v
      where o.tenant_id = 1 and o.tenant_id = found_session.tenant_id
        and o.id = found_session.operator_id and o.user_type = 0 and o.disabled_at is null
        and v.id = found_session.visited_tenant_id and v.state <> 'DELETED';
  end if;
end $$;
