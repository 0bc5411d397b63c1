-- Days for which a tenant keeps events of cabinets, commands and audit entries; the bounds are those of the form.
alter table tenant_setting
  add column keep_events_days int not null default 365 check (keep_events_days between 180 and 3650),
  add column keep_commands_days int not null default 730 check (keep_commands_days between 180 and 3650),
  add column keep_audit_days int not null default 1095 check (keep_audit_days between 180 and 3650);

grant delete on cabinet_event, command to cabinet_platform;

-- Up to when each kind of rows has been removed in all tenants: rows due before this time are gone.
create table retention_pass (
  kind text primary key check (kind in ('events', 'commands', 'audit')),
  complete_until timestamptz not null default now()
);
insert into retention_pass (kind) values ('events'), ('commands'), ('audit');
grant select on retention_pass to cabinet_tenant, cabinet_platform;
grant update on retention_pass to cabinet_platform;

-- The last removed link of an audit chain, signed with a key that the database does not have: the chain begins behind it.
create table audit_base (
  tenant_id int primary key references tenant,
  seq bigint not null,
  hash bytea not null,
  signature bytea not null,
  moved_at timestamptz not null default now()
);
select protect_tenant_table('audit_base', 'select');
grant insert, update on audit_base to cabinet_platform;
grant delete on audit_log, audit_link to cabinet_platform;

-- Moving the base is the only way to remove entries of a tenant that is not being erased.
create function remove_behind_audit_base() returns trigger language plpgsql as $$
begin
  if (tg_op = 'UPDATE' and new.seq <= old.seq) or not exists (
    select from audit_link link
    where link.tenant_id = new.tenant_id and link.seq = new.seq and link.hash = new.hash)
  then
    raise exception 'an audit chain is shortened at one of its links only' using errcode = '42501';
  end if;
  delete from audit_log audit using audit_link link
  where link.tenant_id = new.tenant_id and link.seq <= new.seq
    and audit.tenant_id = new.tenant_id and audit.id = link.entry_id;
  delete from audit_link link where link.tenant_id = new.tenant_id and link.seq <= new.seq;
  return null;
end $$;
create trigger base_moved after insert or update on audit_base
  for each row execute function remove_behind_audit_base();

create function refuse_removal_by_hand() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() < 2 then
    if exists (select from tenant where tenant.id = old.tenant_id and tenant.erase_began_at is not null) then
      return old;
    end if;
    raise exception 'entries of the audit log are not deleted by hand' using errcode = '42501';
  end if;
  -- Article 21 of the Cybersecurity Law: network logs are kept for at least six months.
  if tg_table_name = 'audit_log' then
    if old.at > now() - interval '180 days' then
      raise exception 'the audit log keeps this entry' using errcode = '42501';
    end if;
  end if;
  return old;
end $$;
create trigger entry_is_kept before delete on audit_log
  for each row execute function refuse_removal_by_hand();
create trigger link_is_kept before delete on audit_link
  for each row execute function refuse_removal_by_hand();
