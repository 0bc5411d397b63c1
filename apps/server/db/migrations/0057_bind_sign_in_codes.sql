-- A sign-in code belongs to the request that asked for it: others' wrong tries, and others' requests, leave it valid.
-- Replaces sign_in_code, which servers of the previous version still use; the next release drops it.

create table sign_in_request (
  request_hash bytea primary key,
  tenant_id int not null references tenant,
  phone text not null,
  code_hash bytea not null,
  expires_at timestamptz not null,
  failures int not null default 0
);
create index sign_in_request_expiry on sign_in_request (expires_at);
create index sign_in_request_phone on sign_in_request (tenant_id, phone);
select protect_tenant_table('sign_in_request');
