-- Seconds since the last minute for which a scheduled job was added; negative while that lies in the future.
create function measure_schedule() returns float8
language plpgsql stable security definer set search_path = pg_catalog as $$
begin
  return (select extract(epoch from now() - max(last_execution))
    from graphile_worker._private_known_crontabs);
end $$;
revoke execute on function measure_schedule() from public;
grant execute on function measure_schedule() to cabinet_tenant, cabinet_platform;

-- Result that counts as final although a later report may still change it: nothing has come for long enough.
alter table command add column final_state text;
