-- Due rows on which the work of a queue threw: they wait longer each time and stand behind the others (0146).
create table work_failure (
  tenant_id integer not null references tenant,
  work text not null,
  -- The row's key within its tenant.
  key text not null,
  attempts integer not null default 1 check (attempts > 0),
  retry_at timestamptz not null,
  primary key (tenant_id, work, key)
);
select protect_tenant_table('work_failure');
