-- Settings of a tenant: a second factor of its administrators, refunds without a new proof, people of other stores.
alter table tenant_setting
  add column admins_need_factor boolean not null default false,
  add column refund_proof_fen int not null default 20000 check (refund_proof_fen >= 0),
  add column shares_people boolean not null default false;

-- Browsers that sign in: their id, and whether the account had signed in from it before.
alter table session add column device_id text;
alter table login_log
  add column device_id text,
  add column is_new_device boolean not null default false;

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
          and r.needs_second_factor)
      or k.user_type = 0 and exists (
        select from tenant_setting setting where setting.tenant_id = k.tenant_id
          and setting.admins_need_factor) as needs_second_factor
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

-- Administrators have no roles: their tenant's setting demands the factor.
create function refresh_administrators() returns trigger
language plpgsql security definer set search_path = public as $$
declare
  ids bigint[];
begin
  perform pg_advisory_xact_lock(7214002);
  select array_agg(o.id) into ids from operator o where o.tenant_id = new.tenant_id and o.user_type = 0;
  perform refresh_accounts(array_fill(new.tenant_id, array[coalesce(cardinality(ids), 0)]), ids);
  return null;
end $$;
grant create on schema public to cabinet_platform;
alter function refresh_administrators() owner to cabinet_platform;
revoke create on schema public from cabinet_platform;
revoke execute on function refresh_administrators() from public;
create trigger administrators_need_factor after insert or update of admins_need_factor on tenant_setting
  for each row execute function refresh_administrators();
