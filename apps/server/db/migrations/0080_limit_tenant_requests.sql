-- Limits of a tenant's calls, exports and live channels, null: unlimited, as for the platform; and the use of them.

alter table tenant
  add column max_requests int check (max_requests > 0),
  add column max_exports int check (max_exports > 0),
  add column max_live_channels int check (max_live_channels > 0);
update tenant set max_requests = 30000, max_exports = 10, max_live_channels = 1000 where id <> 1;

-- Counted by each process and added every other second. Rows are deleted after an hour.
create table tenant_use (
  tenant_id int not null references tenant,
  minute timestamptz not null,
  process_id uuid not null,
  requests int not null,
  live_channels int not null,
  primary key (tenant_id, minute, process_id)
);
select protect_tenant_table('tenant_use', 'select');
grant insert, update, delete on tenant_use to cabinet_platform;
