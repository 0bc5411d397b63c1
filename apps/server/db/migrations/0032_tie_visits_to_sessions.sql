-- A visit lives no longer than the session it was begun from, the rights of its account, and its tenant.
alter table session
  add column opened_by bytea references session on delete cascade,
  add constraint session_visit_is_opened check ((visited_tenant_id is null) = (opened_by is null));
create index session_opened_by on session (opened_by) where opened_by is not null;

create or replace function find_session(hash bytea, is_activity boolean) returns setof session_row
language plpgsql security definer set search_path = public as $$
declare
  found_session session;
begin
  select * into found_session from session s
    where s.token_hash = hash and s.expires_at > now() and s.last_seen_at > now() - interval '30 minutes';
  if not found then return; end if;
  -- Idle time is kept to the minute, so that most requests only read. Who visits is not idle at home.
  if is_activity and found_session.last_seen_at < now() - interval '1 minute' then
    update session set last_seen_at = now() where token_hash in (hash, found_session.opened_by);
  end if;
  if found_session.visited_tenant_id is null then
    return query
      select o.id, o.tenant_id, o.username, o.display_name, o.user_type, o.must_change_password,
        t.state = 'ACTIVE' and (t.expires_at is null or t.expires_at > now()),
        o.permissions, o.is_store_bound, o.tenant_id
      from operator o join tenant t on t.id = o.tenant_id
      where o.tenant_id = found_session.tenant_id and o.id = found_session.operator_id
        and o.disabled_at is null;
  else
    -- The tenant itself may have expired or be suspended: that is often why somebody looks.
    return query
      select o.id, v.id, o.username, o.display_name, o.user_type, o.must_change_password, true,
        permissions_of_tenant(v.id), false, o.tenant_id
      from operator o, tenant v
      where o.tenant_id = 1 and o.tenant_id = found_session.tenant_id
        and o.id = found_session.operator_id and o.user_type = 0 and o.disabled_at is null
        and v.id = found_session.visited_tenant_id and v.state <> 'DELETED';
  end if;
end $$;
