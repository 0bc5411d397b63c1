-- Uploaded files of a tenant, in megabytes; null: unlimited, as for the platform.

alter table tenant add column max_storage_mb int check (max_storage_mb > 0);
update tenant set max_storage_mb = 10240 where id <> 1;
