-- Signed heads of the audit chains, one a day: the key is not in the database.
create table audit_seal (
  tenant_id int not null references tenant,
  day date not null,
  seq bigint not null,
  hash bytea not null,
  signature bytea not null,
  sealed_at timestamptz not null default now(),
  primary key (tenant_id, day)
);
select protect_tenant_table('audit_seal', 'select, insert');
