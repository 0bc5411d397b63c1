-- Since when a tenant is suspended or deleted. The platform itself never is, and never expires.

alter table tenant
  add column suspended_at timestamptz,
  add column deleted_at timestamptz,
  add constraint tenant_platform_stays
    check (id <> 1 or (state = 'ACTIVE' and expires_at is null));
