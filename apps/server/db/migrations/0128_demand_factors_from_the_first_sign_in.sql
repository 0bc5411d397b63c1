-- Accounts that decide about trust or move money need a second factor from their first sign-in; exceptions have a date (0143).

-- Before it, the demand does not apply; `infinity`: an account or tenant of the demo.
alter table operator add column factor_exempt_until timestamptz;
alter table tenant add column factor_exempt_until timestamptz;

-- Nobody of an existing installation is locked out by the upgrade.
update operator set factor_exempt_until = now() + interval '30 days' where not has_second_factor;

alter type session_row add attribute is_factor_exempt boolean;

CREATE OR REPLACE FUNCTION public.find_session(hash bytea, is_activity boolean)
 RETURNS SETOF session_row
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public'
AS $function$
declare
  found_session session;
  is_proven boolean;
  is_proven_recently boolean;
begin
  select * into found_session from session s
    where s.token_hash = hash and s.expires_at > now() and s.last_seen_at > now() - interval '30 minutes';
  if not found then return; end if;
  -- Idle time is kept to the minute, so that most requests only read. Who visits is not idle at home.
  if is_activity and found_session.last_seen_at < now() - interval '1 minute' then
    update session set last_seen_at = now() where token_hash in (hash, found_session.opened_by);
  end if;
  is_proven := found_session.proven_at is not null;
  is_proven_recently := is_proven and found_session.proven_at > now() - make_interval(mins => coalesce((
    select setting.proof_minutes from tenant_setting setting where setting.tenant_id = found_session.tenant_id), 15));
  if found_session.visited_tenant_id is null then
    return query
      select o.id, o.tenant_id, o.username, o.display_name, o.user_type, o.must_change_password,
        t.state = 'ACTIVE' and (t.expires_at is null or t.expires_at > now()),
        o.permissions, o.is_store_bound, o.tenant_id, o.has_second_factor, o.needs_second_factor,
        is_proven, is_proven_recently,
        coalesce(greatest(o.factor_exempt_until, t.factor_exempt_until) > now(), false)
      from operator o join tenant t on t.id = o.tenant_id
      where o.tenant_id = found_session.tenant_id and o.id = found_session.operator_id
        and o.disabled_at is null;
  else
    -- The tenant itself may have expired or be suspended: that is often why somebody looks.
    return query
      select o.id, v.id, o.username, o.display_name, o.user_type, o.must_change_password, true,
        permissions_of_tenant(v.id), false, o.tenant_id, o.has_second_factor, o.needs_second_factor,
        is_proven, is_proven_recently,
        coalesce(greatest(o.factor_exempt_until, t.factor_exempt_until) > now(), false)
      from operator o join tenant t on t.id = o.tenant_id, tenant v
      where o.tenant_id = 1 and o.tenant_id = found_session.tenant_id
        and o.id = found_session.operator_id and o.user_type = 0 and o.disabled_at is null
        and v.id = found_session.visited_tenant_id and v.state <> 'DELETED';
  end if;
end $function$;
