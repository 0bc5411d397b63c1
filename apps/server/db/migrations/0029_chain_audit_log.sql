-- The audit log as a chain: each entry's hash stands on the one before it, tenant by tenant. Entries are
-- never touched again: their places and hashes are rows of their own, which the database alone writes.

create table audit_link (
  tenant_id int not null,
  seq bigint not null,
  entry_id bigint not null,
  hash bytea not null,
  primary key (tenant_id, seq)
);
create unique index audit_link_entry on audit_link (tenant_id, entry_id);
select protect_tenant_table('audit_link', 'select');
grant insert on audit_link to cabinet_platform;

-- Where each chain ends. Its row is locked last, at the commit, so that writers wait for no more than that.
create table audit_head (
  tenant_id int primary key,
  seq bigint not null,
  hash bytea not null
) with (fillfactor = 50);
select protect_tenant_table('audit_head', 'select');
grant insert, update on audit_head to cabinet_platform;

-- Whatever an entry says, as bytes that no setting of a session changes.
create function audit_content(e audit_log) returns bytea language sql stable
return convert_to(jsonb_build_array(e.tenant_id, e.id, (extract(epoch from e.at) * 1000000)::bigint,
  e.actor_tenant_id, e.actor_id, e.actor_name, e.call, e.summary, e.target, e.reason, e.before, e.after,
  host(e.address), e.request_id)::text, 'UTF8');

create function audit_hash(previous bytea, seq bigint, e audit_log) returns bytea language sql stable
return sha256(previous || int8send(seq) || audit_content(e));

create function chain_audit_entry() returns trigger
language plpgsql security definer set search_path = public as $$
declare
  head audit_head;
begin
  loop
    update audit_head h set seq = h.seq + 1, hash = audit_hash(h.hash, h.seq + 1, new)
    where h.tenant_id = new.tenant_id
    returning * into head;
    exit when found;
    insert into audit_head values (new.tenant_id, 0, '') on conflict do nothing;
  end loop;
  insert into audit_link values (new.tenant_id, head.seq, new.id, head.hash);
  return null;
end $$;

create constraint trigger entry_chained after insert on audit_log deferrable initially deferred
  for each row execute function chain_audit_entry();

grant create on schema public to cabinet_platform;
alter function chain_audit_entry() owner to cabinet_platform;
revoke create on schema public from cabinet_platform;
revoke execute on function chain_audit_entry() from public;

-- What was written before there was a chain.
set local role cabinet_platform;
do $$
declare
  e audit_log;
  head audit_head;
begin
  for e in select * from audit_log order by tenant_id, id loop
    if head.tenant_id is distinct from e.tenant_id then
      if head.tenant_id is not null then insert into audit_head select head.*; end if;
      head := row(e.tenant_id, 0, ''::bytea);
    end if;
    head.hash := audit_hash(head.hash, head.seq + 1, e);
    head.seq := head.seq + 1;
    insert into audit_link values (e.tenant_id, head.seq, e.id, head.hash);
  end loop;
  if head.tenant_id is not null then insert into audit_head select head.*; end if;
end $$;
reset role;

-- From now on the trigger alone writes them, also where platform staff are at work.
create function refuse_hand_on_chain() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() < 2 then
    raise exception 'the chain of the audit log is written by the database alone' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger chain_is_kept before insert or update on audit_link
  for each row execute function refuse_hand_on_chain();
create trigger chain_is_kept before insert or update on audit_head
  for each row execute function refuse_hand_on_chain();

-- Lists are read newest first, of one tenant and of all.
drop index audit_log_at;
create index audit_log_at on audit_log (tenant_id, at desc, id desc);
create index audit_log_time on audit_log (at desc, id desc);
create index audit_log_id on audit_log (id);
create index audit_log_request on audit_log (request_id);

-- What came of each sign-in; whoever typed something else than an account may have typed a password.
drop index login_log_tenant;
create index login_log_tenant on login_log (tenant_id, at desc, id desc);
create index login_log_time on login_log (at desc, id desc);
create index login_log_operator on login_log (tenant_id, operator_id, at desc, id desc);
grant update on login_log to cabinet_platform;
set local role cabinet_platform;
update login_log set outcome = 'CREDENTIALS_WRONG' where outcome = 'REFUSED';
update login_log set username = left(username, 1) || '***' where operator_id is null;
reset role;
revoke update on login_log from cabinet_platform;
alter table login_log add constraint login_log_outcome_check
  check (outcome in ('SIGNED_IN', 'CREDENTIALS_WRONG', 'DISABLED', 'THROTTLED', 'TENANT_EXPIRED'));
