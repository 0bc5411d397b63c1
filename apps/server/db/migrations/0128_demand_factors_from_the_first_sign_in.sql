-- Accounts that decide about trust or move money need a second factor from their first sign-in; exceptions have a date (0143).

-- Before it, the demand does not apply; `infinity`: an account or tenant of the demo.
alter table operator add column factor_exempt_until timestamptz;
alter table tenant add column factor_exempt_until timestamptz;

-- Nobody of an existing installation is locked out by the upgrade.
update operator set factor_exempt_until = now() + interval '30 days' where not has_second_factor;

-- Beside `find_session`, whose result must stay: servers of the release before have planned its columns.
create function factor_is_exempt(of_tenant integer, of_id bigint) returns boolean
language sql stable security definer set search_path = public as $$
  select coalesce(greatest(o.factor_exempt_until, t.factor_exempt_until) > now(), false)
  from operator o join tenant t on t.id = o.tenant_id
  where o.tenant_id = of_tenant and o.id = of_id
$$;
revoke all on function factor_is_exempt(integer, bigint) from public;
grant execute on function factor_is_exempt(integer, bigint) to cabinet_platform, cabinet_tenant;
