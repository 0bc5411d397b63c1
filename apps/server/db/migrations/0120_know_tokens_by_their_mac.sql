-- Tokens end with a MAC: invented ones are refused without a query. Those of the release before have none and stay valid until they expire.

alter table session add column has_mac boolean not null default false;
alter table app_session add column has_mac boolean not null default false;

create function live_tokens_without_mac(out of_session boolean, out of_app_session boolean)
language sql stable security definer set search_path = public as $$
  select exists (select from session where not has_mac and expires_at > now()),
    exists (select from app_session where not has_mac and expires_at > now())
$$;
