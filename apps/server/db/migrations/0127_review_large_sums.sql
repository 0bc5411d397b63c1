-- Money that a console account moves beyond the tenant's sum of 24 hours waits for a second person (0142).

-- Fen; 0: nothing waits.
alter table tenant_setting add column review_fen integer not null default 0 check (review_fen >= 0);

create table money_review (
  tenant_id integer not null,
  id bigint generated always as identity,
  -- The call that waits, the permission it needs, and its path parameters and body.
  call text not null,
  permission text not null,
  input jsonb not null,
  -- The journals that it would have posted, in order: executed are these or none.
  postings jsonb not null,
  kind text not null,
  end_user_id bigint not null,
  order_id bigint,
  principal_fen bigint not null,
  bonus_fen bigint not null,
  reason text not null,
  requester_tenant_id integer not null,
  requester_id bigint not null,
  requester_name text not null,
  requested_at timestamptz not null default now(),
  expires_at timestamptz not null,
  state text not null default 'PENDING' check (state in ('PENDING', 'APPROVED', 'REFUSED')),
  decider_id bigint,
  decider_name text,
  decided_at timestamptz,
  decision text,
  check ((state = 'PENDING') = (decided_at is null)),
  primary key (tenant_id, id),
  foreign key (tenant_id, end_user_id) references end_user
);
create index money_review_end_user on money_review (tenant_id, end_user_id);
create index money_review_pending on money_review (tenant_id, expires_at) where state = 'PENDING';
create index money_review_requester on money_review (requester_id, requested_at);
select protect_tenant_table('money_review', 'select, insert');
-- Agreed is what was requested: only the decision can be written later.
grant update (state, decider_id, decider_name, decided_at, decision) on money_review to cabinet_tenant, cabinet_platform;

-- A tenant does not see accounts of the platform, which may request as well.
create function review_requester(of_tenant integer, of_id bigint, permission text,
  other_tenant integer, other_id bigint, out may_still boolean, out is_same_person boolean)
language sql stable security definer set search_path = public as $$
  select requester.disabled_at is null
      and (requester.tenant_id = 1 and requester.user_type = 0 or permission = any(requester.permissions)),
    requester.id = other.id or requester.phone <> '' and requester.phone = other.phone
  from operator requester, operator other
  where requester.tenant_id = of_tenant and requester.id = of_id
    and other.tenant_id = other_tenant and other.id = other_id
$$;
revoke all on function review_requester(integer, bigint, text, integer, bigint) from public;
grant execute on function review_requester(integer, bigint, text, integer, bigint) to cabinet_platform, cabinet_tenant;
