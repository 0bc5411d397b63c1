-- Accounts of one tenant and kind with the same roles may do the same: it is worked out once for all of
-- them, and only rows that really change are written, since sign-ins wait for those.
create or replace function refresh_accounts(tenants int[], ids bigint[]) returns void language sql as $$
  with concerned as materialized (
    select o.tenant_id, o.id, o.user_type, array(
      select r.role_id from operator_role r
      where r.tenant_id = o.tenant_id and r.operator_id = o.id order by r.role_id) as roles
    from unnest(tenants, ids) c (tenant_id, id)
    join operator o on o.tenant_id = c.tenant_id and o.id = c.id
  ), alike as materialized (
    select k.tenant_id, k.user_type, k.roles, permissions_of(k.tenant_id, k.one_id) as permissions,
      is_store_bound(k.tenant_id, k.one_id) as is_store_bound
    from (
      select tenant_id, user_type, roles, min(id) as one_id from concerned
      group by tenant_id, user_type, roles) k
  )
  update operator o set permissions = a.permissions, is_store_bound = a.is_store_bound
  from concerned c
  join alike a on a.tenant_id = c.tenant_id and a.user_type = c.user_type and a.roles = c.roles
  where o.tenant_id = c.tenant_id and o.id = c.id
    and (o.permissions, o.is_store_bound) is distinct from (a.permissions, a.is_store_bound)
$$;
