-- When a backup was restored: what went out between its moment and this one nobody here knows.
create table restoration (restored_at timestamptz primary key default now());
grant select on restoration to cabinet_tenant;
grant select, insert on restoration to cabinet_platform;
