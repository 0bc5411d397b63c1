-- What an account's roles grant is kept with the account, so that signing a request in reads three rows
-- and joins nothing. The database itself keeps it right, whoever changes roles, grants or menu entries.

alter table operator add column permissions text[] not null default '{}';

create function permissions_of(of_tenant int, of_operator bigint) returns text[] language sql stable
  return array(
    select distinct p
    from operator_role r
    join role_menu_entry g on g.tenant_id = r.tenant_id and g.role_id = r.role_id
    join menu_entry m on m.id = g.menu_entry_id
    cross join unnest(m.permissions) p
    where r.tenant_id = of_tenant and r.operator_id = of_operator
    order by p);

create function refresh_permissions() returns trigger
language plpgsql security definer set search_path = public as $$
begin
  -- One change at a time: what another transaction grants or takes meanwhile is seen by whoever is later.
  perform pg_advisory_xact_lock(7214002);
  if tg_table_name = 'operator_role' then
    update operator o set permissions = permissions_of(o.tenant_id, o.id)
    from (select distinct tenant_id, operator_id from changed) c
    where o.tenant_id = c.tenant_id and o.id = c.operator_id;
  elsif tg_table_name = 'role_menu_entry' then
    update operator o set permissions = permissions_of(o.tenant_id, o.id)
    from (select distinct r.tenant_id, r.operator_id
      from changed c join operator_role r on r.tenant_id = c.tenant_id and r.role_id = c.role_id) c
    where o.tenant_id = c.tenant_id and o.id = c.operator_id;
  else
    update operator o set permissions = permissions_of(o.tenant_id, o.id)
    from (select distinct r.tenant_id, r.operator_id
      from changed c
      join role_menu_entry g on g.menu_entry_id = c.id
      join operator_role r on r.tenant_id = g.tenant_id and r.role_id = g.role_id) c
    where o.tenant_id = c.tenant_id and o.id = c.operator_id;
  end if;
  return null;
end $$;

create trigger permissions_granted after insert on operator_role
  referencing new table as changed for each statement execute function refresh_permissions();
create trigger permissions_taken after delete on operator_role
  referencing old table as changed for each statement execute function refresh_permissions();
create trigger permissions_granted after insert on role_menu_entry
  referencing new table as changed for each statement execute function refresh_permissions();
create trigger permissions_taken after delete on role_menu_entry
  referencing old table as changed for each statement execute function refresh_permissions();
create trigger permissions_changed after update on menu_entry
  referencing new table as changed for each statement execute function refresh_permissions();

create or replace function find_session(hash bytea, is_activity boolean) returns setof session_row
language plpgsql security definer set search_path = public as $$
declare
  found_session session;
begin
  select * into found_session from session s
    where s.token_hash = hash and s.expires_at > now() and s.last_seen_at > now() - interval '30 minutes';
  if not found then return; end if;
  -- Idle time is kept to the minute, so that most requests only read.
  if is_activity and found_session.last_seen_at < now() - interval '1 minute' then
    update session set last_seen_at = now() where token_hash = hash;
  end if;
  return query
    select o.id, o.tenant_id, o.username, o.display_name, o.user_type, o.must_change_password,
      t.state = 'ACTIVE' and (t.expires_at is null or t.expires_at > now()),
      case when o.user_type = 0 then '{}'::text[] else o.permissions end
    from operator o join tenant t on t.id = o.tenant_id
    where o.tenant_id = found_session.tenant_id and o.id = found_session.operator_id
      and o.disabled_at is null;
end $$;

grant create on schema public to cabinet_platform;
alter function refresh_permissions() owner to cabinet_platform;
revoke create on schema public from cabinet_platform;
revoke execute on function refresh_permissions() from public;

set local role cabinet_platform;
update operator set permissions = permissions_of(tenant_id, id);
reset role;
