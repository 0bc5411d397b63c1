-- How the jobs stand, for whoever measures: their tables belong to the queue alone, which makes them after us.
create function measure_jobs()
returns table (waiting int, oldest_seconds float8, failed int)
language plpgsql stable security definer set search_path = pg_catalog as $$
begin
  return query
  select (count(*) filter (where is_due))::int,
    coalesce(extract(epoch from now() - min(run_at) filter (where is_due)), 0)::float8,
    (count(*) filter (where attempts >= max_attempts))::int
  from (
    select run_at, attempts, max_attempts,
      locked_at is null and run_at <= now() and attempts < max_attempts as is_due
    from graphile_worker.jobs) job;
end $$;
revoke execute on function measure_jobs() from public;
grant execute on function measure_jobs() to cabinet_tenant, cabinet_platform;
