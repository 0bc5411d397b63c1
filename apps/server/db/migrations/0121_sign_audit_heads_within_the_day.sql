-- Heads are signed every few minutes; of each day that is over the last one stays.

alter table audit_seal drop constraint audit_seal_pkey;
alter table audit_seal add primary key (tenant_id, seq);
create index audit_seal_day on audit_seal (tenant_id, day, seq);

create function prune_audit_seals(tenant integer) returns void
language sql security definer set search_path = public as $$
  delete from audit_seal seal
  where seal.tenant_id = tenant and exists (
    select from audit_seal later
    where later.tenant_id = tenant and later.day = seal.day and later.seq > seal.seq
      and later.day < (select max(newest.day) from audit_seal newest where newest.tenant_id = tenant))
$$;
revoke all on function prune_audit_seals(integer) from public;
grant execute on function prune_audit_seals(integer) to cabinet_platform, cabinet_tenant;
