-- Roles as operators keep them: who changed one when, and which are a tenant's to begin with.

alter table role
  -- The userType that new accounts get it for; it keeps its part under another name.
  add column default_for smallint check (default_for in (1, 2)),
  add column created_at timestamptz not null default now(),
  add column edited_at timestamptz not null default now(),
  add column edited_by text not null default '';
create unique index role_default on role (tenant_id, default_for) where default_for is not null;
create index operator_role_role on operator_role (tenant_id, role_id);

set local role cabinet_platform;
update role set default_for = case name when '运营管理员' then 1 else 2 end,
    store_scope = case name when '运营管理员' then 'ALL' else 'OWN' end
  where name in ('运营管理员', '运维人员');
reset role;

-- What its members may do by it, of what the tenant has.
create function permissions_of_role(of_tenant int, of_role bigint) returns text[] language sql stable
return array(
  select distinct p
  from tenant_entries(of_tenant) m cross join unnest(m.permissions) p
  where m.id in (
    select menu_entry_id from role_menu_entry where tenant_id = of_tenant and role_id = of_role)
  order by p);
