-- Who may do what, and where: what a tenant has, roles with their stores, accounts, visits of the platform.

-- Whether it has expired is asked of the clock. A deleted tenant keeps its rows and frees its name.
alter table tenant
  drop constraint tenant_state_check,
  add constraint tenant_state_check check (state in ('ACTIVE', 'SUSPENDED', 'DELETED')),
  drop constraint tenant_name_key,
  add column contact_name text not null default '',
  add column contact_phone text not null default '',
  add column remark text not null default '',
  -- Null: as many as they like.
  add column max_operators int check (max_operators > 0),
  add column max_cabinets int check (max_cabinets > 0),
  add column suspend_reason text,
  add column edit_version int not null default 1;
create unique index tenant_name on tenant (name) where state <> 'DELETED';

alter table operator
  add column phone text not null default '' check (phone = '' or phone ~ '^1[3-9]\d{9}$'),
  add column remark text not null default '',
  add column disable_reason text,
  add column last_sign_in_at timestamptz,
  -- Sees the cabinets of some stores alone; kept, like the permissions, by the database.
  add column is_store_bound boolean not null default false,
  add column edit_version int not null default 1;

-- Whose cabinets its members see: all, those of the stores they look after, or those listed.
alter table role
  add column remark text not null default '',
  add column store_scope text not null default 'ALL' check (store_scope in ('ALL', 'OWN', 'LISTED')),
  add column edit_version int not null default 1;

create table role_store (
  tenant_id int not null,
  role_id bigint not null,
  store_id bigint not null,
  primary key (tenant_id, role_id, store_id),
  foreign key (tenant_id, role_id) references role on delete cascade,
  foreign key (tenant_id, store_id) references store on delete cascade
);
create index role_store_store on role_store (tenant_id, store_id);
select protect_tenant_table('role_store');

-- The stores that a store-bound account sees.
create view visible_store with (security_invoker = true) as
  select tenant_id, operator_id, store_id from operator_store
  union
  select r.tenant_id, r.operator_id, s.store_id
  from operator_role r join role_store s on s.tenant_id = r.tenant_id and s.role_id = r.role_id;
grant select on visible_store to cabinet_tenant, cabinet_platform;

-- What the platform keeps from a tenant, each with all that is below it in the menu.
create table tenant_withheld_entry (
  tenant_id int not null references tenant,
  menu_entry_id bigint not null references menu_entry on delete cascade,
  primary key (tenant_id, menu_entry_id)
);
select protect_tenant_table('tenant_withheld_entry', 'select');
grant insert, delete on tenant_withheld_entry to cabinet_platform;

-- What a tenant has of the menu, and so the most that any of its roles can grant.
create function tenant_entries(of_tenant int) returns setof menu_entry language sql stable as $$
  with recursive offered as (
    select m.* from menu_entry m
    where (of_tenant = 1 or (m.uri not like '/register%' and m.uri not like '/set/power%'))
      and not exists (
        select from tenant_withheld_entry w where w.tenant_id = of_tenant and w.menu_entry_id = m.id)
  ), had as (
    select o.* from offered o where o.parent_id is null
    union all
    select o.* from offered o join had on had.id = o.parent_id
  )
  select * from had
$$;

create function permissions_of_tenant(of_tenant int) returns text[] language sql stable
return array(
  select distinct p from tenant_entries(of_tenant) m cross join unnest(m.permissions) p order by p);

create or replace function permissions_of(of_tenant int, of_operator bigint) returns text[] language sql stable
return (
  select case when o.user_type = 0 then permissions_of_tenant(of_tenant) else array(
    select distinct p
    from tenant_entries(of_tenant) m cross join unnest(m.permissions) p
    where m.id in (
      select g.menu_entry_id
      from operator_role r
      join role_menu_entry g on g.tenant_id = r.tenant_id and g.role_id = r.role_id
      where r.tenant_id = of_tenant and r.operator_id = of_operator)
    order by p) end
  from operator o where o.tenant_id = of_tenant and o.id = of_operator);

-- Maintenance staff always are; operators when no role of theirs shows them every store.
create function is_store_bound(of_tenant int, of_operator bigint) returns boolean language sql stable
return (
  select o.user_type = 2 or (o.user_type = 1 and not exists (
    select from operator_role r join role on role.tenant_id = r.tenant_id and role.id = r.role_id
    where r.tenant_id = of_tenant and r.operator_id = of_operator and role.store_scope = 'ALL'))
  from operator o where o.tenant_id = of_tenant and o.id = of_operator);

create function refresh_accounts(tenants int[], ids bigint[]) returns void language sql as $$
  update operator o set permissions = permissions_of(o.tenant_id, o.id),
    is_store_bound = is_store_bound(o.tenant_id, o.id)
  from unnest(tenants, ids) c (tenant_id, id)
  where o.tenant_id = c.tenant_id and o.id = c.id
$$;

create or replace function refresh_permissions() returns trigger
language plpgsql security definer set search_path = public as $$
declare
  tenants int[];
  ids bigint[];
begin
  -- One change at a time: what another transaction grants or takes meanwhile is seen by whoever is later.
  perform pg_advisory_xact_lock(7214002);
  if tg_table_name = 'operator' then
    perform refresh_accounts(array[new.tenant_id], array[new.id]);
    return null;
  elsif tg_table_name = 'operator_role' then
    select array_agg(c.tenant_id), array_agg(c.operator_id) into tenants, ids
    from (select distinct tenant_id, operator_id from changed) c;
  elsif tg_table_name = 'role_menu_entry' then
    select array_agg(c.tenant_id), array_agg(c.operator_id) into tenants, ids
    from (select distinct r.tenant_id, r.operator_id
      from changed c join operator_role r on r.tenant_id = c.tenant_id and r.role_id = c.role_id) c;
  elsif tg_table_name = 'role' then
    select array_agg(r.tenant_id), array_agg(r.operator_id) into tenants, ids
    from operator_role r where r.tenant_id = new.tenant_id and r.role_id = new.id;
  elsif tg_table_name = 'tenant_withheld_entry' then
    select array_agg(o.tenant_id), array_agg(o.id) into tenants, ids
    from operator o where o.tenant_id in (select tenant_id from changed);
  elsif tg_op = 'UPDATE' then
    -- Of the menu: anybody may be concerned, also by what hangs below another entry now.
    select array_agg(o.tenant_id), array_agg(o.id) into tenants, ids from operator o;
  else
    -- No role grants a new entry yet, and what a deleted one granted goes with its grants.
    select array_agg(o.tenant_id), array_agg(o.id) into tenants, ids
    from operator o where o.user_type = 0;
  end if;
  perform refresh_accounts(tenants, ids);
  return null;
end $$;

drop trigger permissions_changed on menu_entry;
create trigger permissions_changed after insert or update or delete on menu_entry
  for each statement execute function refresh_permissions();
create trigger store_scope_changed after update on role
  for each row when (old.store_scope is distinct from new.store_scope) execute function refresh_permissions();
create trigger entries_withheld after insert on tenant_withheld_entry
  referencing new table as changed for each statement execute function refresh_permissions();
create trigger entries_given_back after delete on tenant_withheld_entry
  referencing old table as changed for each statement execute function refresh_permissions();
create trigger account_made after insert or update of user_type on operator
  for each row execute function refresh_permissions();

-- Platform staff may look at a tenant as its administrator does: a session of theirs that only reads.
alter table session
  add column id bigint generated always as identity unique,
  add column visited_tenant_id int references tenant;

drop function find_session(bytea, boolean);
drop type session_row;
create type session_row as (
  operator_id bigint, tenant_id int, username text, display_name text, user_type smallint,
  must_change_password boolean, tenant_is_active boolean, permissions text[], is_store_bound boolean,
  home_tenant_id int
);
create function find_session(hash bytea, is_activity boolean) returns setof session_row
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
    select o.id, coalesce(found_session.visited_tenant_id, o.tenant_id), o.username, o.display_name,
      o.user_type, o.must_change_password,
      t.state = 'ACTIVE' and (t.expires_at is null or t.expires_at > now()),
      case when found_session.visited_tenant_id is null then o.permissions
        else permissions_of_tenant(found_session.visited_tenant_id) end,
      o.is_store_bound, o.tenant_id
    from operator o join tenant t on t.id = o.tenant_id
    where o.tenant_id = found_session.tenant_id and o.id = found_session.operator_id
      and o.disabled_at is null;
end $$;

-- Leaving: a visit's session belongs to a tenant that its own transactions do not see.
create function end_session(hash bytea) returns void
language sql security definer set search_path = public as $$
  delete from session where token_hash = hash
$$;

grant create on schema public to cabinet_platform;
alter function refresh_permissions() owner to cabinet_platform;
alter function find_session(bytea, boolean) owner to cabinet_platform;
alter function end_session(bytea) owner to cabinet_platform;
revoke create on schema public from cabinet_platform;
revoke execute on function refresh_permissions() from public;
revoke execute on function find_session(bytea, boolean), end_session(bytea) from public;
grant execute on function find_session(bytea, boolean), end_session(bytea) to cabinet_tenant;
grant execute on function end_session(bytea) to cabinet_platform;

set local role cabinet_platform;
update operator set permissions = permissions_of(tenant_id, id), is_store_bound = is_store_bound(tenant_id, id);
reset role;
