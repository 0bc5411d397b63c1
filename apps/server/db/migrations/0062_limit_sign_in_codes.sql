-- Text messages with sign-in codes that a tenant sends in an hour, at most.

alter table tenant_setting add column codes_per_hour int not null default 2000 check (codes_per_hour between 1 and 100000);
