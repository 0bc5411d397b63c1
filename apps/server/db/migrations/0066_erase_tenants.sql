-- The erasure of a tenant's data, which takes several transactions: begun, and complete.
alter table tenant
  add column erase_began_at timestamptz,
  add column erased_at timestamptz;
