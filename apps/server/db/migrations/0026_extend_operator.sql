-- Accounts of the console: who disabled one, and how many of them a tenant may have at work.

alter table operator add column disabled_by text;

-- Holds the tenant's row, so that places are given one after another; accounts at work count.
create function hold_operator_places(of_tenant int)
returns table (tenant_name text, max_operators int, used int)
language plpgsql security definer set search_path = public as $$
begin
  if current_tenant_id() <> of_tenant then return; end if;
  perform from tenant t where t.id = of_tenant for no key update;
  return query
    select t.name, t.max_operators,
      (select count(*)::int from operator o where o.tenant_id = t.id and o.disabled_at is null)
    from tenant t where t.id = of_tenant and t.state <> 'DELETED';
end $$;

grant create on schema public to cabinet_platform;
alter function hold_operator_places(int) owner to cabinet_platform;
revoke create on schema public from cabinet_platform;
revoke execute on function hold_operator_places(int) from public;
grant execute on function hold_operator_places(int) to cabinet_tenant, cabinet_platform;
