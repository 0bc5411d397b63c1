-- People of the running transaction's tenant whose phone contains these digits, found by the trigram index. A tenant's
-- own query cannot use it: row-level security lets no LIKE run before the tenant is checked, and it compared every person.
create function end_users_with_digits(digits text) returns setof bigint rows 50
language plpgsql stable security definer set search_path = public set plan_cache_mode = force_custom_plan as $$
begin
  return query
    select id from end_user
    where tenant_id = current_tenant_id() and phone like '%' || digits || '%';
end $$;
grant create on schema public to cabinet_platform;
alter function end_users_with_digits(text) owner to cabinet_platform;
revoke create on schema public from cabinet_platform;
revoke execute on function end_users_with_digits(text) from public;
grant execute on function end_users_with_digits(text) to cabinet_tenant;
