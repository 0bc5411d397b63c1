-- People of the app: locks with a reason and an end, tags, and what is left of whoever was deleted.

-- Whether a lock still holds is asked of the clock. Of a deleted person the row stays, for its orders
-- and journals; its phone is then a mark that is nobody's.
alter table end_user
  drop constraint end_user_phone_check,
  add column locked_at timestamptz,
  add column locked_until timestamptz,
  add column lock_reason text,
  add column deleted_at timestamptz,
  add constraint end_user_phone_check check (
    case when deleted_at is null then phone ~ '^1[3-9]\d{9}$' else phone like '#%' end);
create index end_user_anywhere on end_user (id desc) where deleted_at is null;
create index end_user_registered on end_user (tenant_id, id desc) where deleted_at is null;

create function is_locked(u end_user) returns boolean language sql stable
  return (u).state = 'LOCKED' and ((u).locked_until is null or (u).locked_until > now());

-- The few orders under way among the many that a person had.
create index storage_order_live_recipient on storage_order (tenant_id, recipient_id)
  where state in ('PENDING', 'DEPOSITING', 'STORED', 'OVERDUE', 'PICKING', 'EXCEPTION');
create index storage_order_live_rider on storage_order (tenant_id, rider_id)
  where state in ('PENDING', 'DEPOSITING', 'STORED', 'OVERDUE', 'PICKING', 'EXCEPTION');

-- Open to what is new. At another one goods come out and debts are paid, and nothing begins.
create function tenant_is_open(t tenant) returns boolean language sql stable
  return (t).state = 'ACTIVE' and ((t).expires_at is null or (t).expires_at > now());

-- Who locked or unlocked whom, why, and until when.
create table end_user_lock (
  tenant_id int not null,
  id bigint generated always as identity,
  end_user_id bigint not null,
  is_lock boolean not null,
  reason text not null,
  locked_until timestamptz,
  at timestamptz not null default now(),
  actor_name text not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, end_user_id) references end_user
);
create index end_user_lock_user on end_user_lock (tenant_id, end_user_id, id desc);
select protect_tenant_table('end_user_lock', 'select, insert');

create table tag (
  tenant_id int not null references tenant,
  id bigint generated always as identity,
  name text not null,
  color text not null check (color in ('BLUE', 'GREEN', 'GOLD', 'RED', 'PURPLE', 'GRAY')),
  remark text not null default '',
  edit_version int not null default 1,
  edited_at timestamptz not null default now(),
  edited_by text not null,
  primary key (tenant_id, id),
  constraint tag_name unique (tenant_id, name)
);
create index tag_anywhere on tag (id desc);
select protect_tenant_table('tag');

create table end_user_tag (
  tenant_id int not null,
  end_user_id bigint not null,
  tag_id bigint not null,
  primary key (tenant_id, end_user_id, tag_id),
  foreign key (tenant_id, end_user_id) references end_user,
  foreign key (tenant_id, tag_id) references tag on delete cascade
);
create index end_user_tag_tag on end_user_tag (tenant_id, tag_id);
select protect_tenant_table('end_user_tag');

-- Messages to whoever was deleted say neither to whom nor what.
alter table sms_message
  drop constraint sms_message_phone_check,
  add constraint sms_message_phone_check check (phone = '' or phone ~ '^1[3-9]\d{9}$');
grant update (phone, sealed_text) on sms_message to cabinet_tenant, cabinet_platform;

-- Nobody puts money into the wallet of whoever was deleted, whatever was under way. Whoever deletes
-- holds the row: this waits, and looks again.
create function refuse_deleted_end_user() returns trigger language plpgsql as $$
begin
  perform from end_user u
    where u.tenant_id = new.tenant_id and u.id = new.end_user_id and u.deleted_at is null
    for key share;
  if not found then
    raise exception 'end user % was deleted', new.end_user_id
      using errcode = 'check_violation', constraint = 'end_user_is_there';
  end if;
  return new;
end $$;
create trigger end_user_is_there before insert on ledger_journal
  for each row execute function refuse_deleted_end_user();
create trigger end_user_is_there before insert on top_up
  for each row execute function refuse_deleted_end_user();
create trigger end_user_is_there before insert on user_package
  for each row execute function refuse_deleted_end_user();

drop function find_app_session(bytea);
drop type app_session_row;
create type app_session_row as (
  end_user_id bigint, tenant_id int, phone text, name text, is_locked boolean, locked_until timestamptz,
  tenant_is_active boolean, tenant_is_deleted boolean
);
create function find_app_session(hash bytea) returns setof app_session_row
language plpgsql security definer set search_path = public as $$
declare
  found_session app_session;
begin
  select * into found_session from app_session s
    where s.token_hash = hash and s.expires_at > now() and s.last_seen_at > now() - interval '7 days';
  if not found then return; end if;
  -- Idle time is kept to the hour, so that most requests only read.
  if found_session.last_seen_at < now() - interval '1 hour' then
    update app_session set last_seen_at = now() where token_hash = hash;
    update end_user set last_seen_at = now()
      where tenant_id = found_session.tenant_id and id = found_session.end_user_id;
  end if;
  return query
    select u.id, u.tenant_id, u.phone, u.name, is_locked(u), u.locked_until, tenant_is_open(t),
      t.state = 'DELETED'
    from end_user u join tenant t on t.id = u.tenant_id
    where u.tenant_id = found_session.tenant_id and u.id = found_session.end_user_id
      and u.deleted_at is null;
end $$;
grant create on schema public to cabinet_platform;
alter function find_app_session(bytea) owner to cabinet_platform;
revoke create on schema public from cabinet_platform;
revoke execute on function find_app_session(bytea) from public;
grant execute on function find_app_session(bytea) to cabinet_tenant;
