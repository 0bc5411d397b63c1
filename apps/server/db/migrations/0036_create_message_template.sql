-- How tenants word and send messages, messages to subscribers in WeChat, and how many they have allowed.

alter table sms_message
  drop constraint sms_message_scene_check,
  add constraint sms_message_scene_check
    check (scene in ('SIGN_IN_CODE', 'PICKUP_CODE', 'STORED', 'OVERDUE', 'PICKED_UP', 'TAKEN_BACK',
      'REFUNDED', 'MALFUNCTION'));

-- What a tenant set for a scene; BOTH where the sides share one. The platform's texts are everybody's default.
create table message_template (
  tenant_id int not null references tenant,
  scene text not null,
  side text not null check (side in ('SINGLE', 'DOUBLE', 'BOTH')),
  plan text not null check (plan in ('SMS', 'SUBSCRIBE', 'FALLBACK', 'BOTH', 'OFF')),
  -- Null: the default text.
  sms_text text,
  sms_code text not null default '',
  sms_placeholders jsonb not null default '[]',
  -- Null: no subscribe message.
  subscribe_id text,
  subscribe_title text not null default '',
  subscribe_page text not null default '',
  subscribe_keywords jsonb not null default '[]',
  -- What WeChat last said against it; empty once one went through.
  problem text not null default '',
  problem_at timestamptz,
  edit_version int not null default 1,
  edited_at timestamptz not null default now(),
  edited_by text not null,
  primary key (tenant_id, scene, side),
  check (sms_text is not null or (sms_code = '' and sms_placeholders = '[]'))
);
select protect_tenant_table('message_template');

-- A tenant reads the platform's texts; their other rows are nobody else's.
create function find_platform_sms(asked_scene text, asked_side text)
returns table (sms_text text, sms_code text, sms_placeholders jsonb)
language sql stable security definer set search_path = public as $$
  select t.sms_text, t.sms_code, t.sms_placeholders from message_template t
  where t.tenant_id = 1 and t.scene = asked_scene and t.side = asked_side and t.sms_text is not null
$$;
grant create on schema public to cabinet_platform;
alter function find_platform_sms(text, text) owner to cabinet_platform;
revoke create on schema public from cabinet_platform;
revoke execute on function find_platform_sms(text, text) from public;
grant execute on function find_platform_sms(text, text) to cabinet_tenant;

create table subscribe_message (
  tenant_id int not null,
  id bigint generated always as identity,
  created_at timestamptz not null default now(),
  scene text not null,
  side text not null,
  end_user_id bigint not null,
  app_id text not null,
  template_id text not null,
  order_id bigint,
  is_test boolean not null default false,
  -- Sealed: it may hold a code. Empty once nobody needs it any more.
  sealed_content bytea not null,
  -- A text message goes out where this one does not arrive.
  has_fallback boolean not null,
  state text not null default 'QUEUED'
    check (state in ('QUEUED', 'SENDING', 'SENT', 'DELIVERED', 'FAILED', 'UNKNOWN')),
  attempts int not null default 0,
  next_at timestamptz default now(),
  claimed_at timestamptz,
  settled_at timestamptz,
  -- One that was allowed is used up by it.
  is_counted boolean not null,
  -- WeChat's number of it, and why it did not take it.
  msg_id text,
  error_code int,
  problem text not null default '',
  sms_id bigint,
  primary key (tenant_id, id),
  foreign key (tenant_id, end_user_id) references end_user,
  foreign key (tenant_id, sms_id) references sms_message,
  check ((next_at is not null) = (state = 'QUEUED'))
);
create index subscribe_message_anywhere on subscribe_message (id desc);
create index subscribe_message_due on subscribe_message (next_at) where state = 'QUEUED';
create index subscribe_message_sending on subscribe_message (claimed_at) where state = 'SENDING';
create index subscribe_message_kept on subscribe_message (settled_at) where sealed_content <> ''::bytea;
create index subscribe_message_user on subscribe_message (tenant_id, end_user_id, id desc);
create index subscribe_message_order on subscribe_message (tenant_id, order_id) where order_id is not null;
create unique index subscribe_message_msg on subscribe_message (tenant_id, msg_id) where msg_id is not null;
select protect_tenant_table('subscribe_message', 'select, insert, update');

-- How many messages of a template a person lets us send: as the mini-program counts and as WeChat tells; they count the same.
create table subscribe_allowance (
  tenant_id int not null,
  app_id text not null,
  template_id text not null,
  end_user_id bigint not null,
  reported int not null default 0,
  pushed int not null default 0,
  used int not null default 0,
  changed_at timestamptz not null default now(),
  primary key (tenant_id, app_id, template_id, end_user_id),
  foreign key (tenant_id, end_user_id) references end_user on delete cascade
);
create index subscribe_allowance_of on subscribe_allowance (tenant_id, end_user_id);
select protect_tenant_table('subscribe_allowance');

-- The templates that a tenant's mini-program has, as WeChat last told.
create table subscribe_catalog (
  tenant_id int primary key references tenant,
  app_id text not null,
  templates jsonb not null default '[]',
  state text not null default 'PENDING' check (state in ('PENDING', 'OK', 'FAILED')),
  problem text not null default '',
  fetched_at timestamptz
);
select protect_tenant_table('subscribe_catalog', 'select, insert, update');

-- What was told of an order once, however often it is asked for.
create table order_telling (
  tenant_id int not null references tenant,
  order_id bigint not null,
  scene text not null,
  occasion text not null,
  at timestamptz not null default now(),
  primary key (tenant_id, order_id, scene, occasion)
);
create index order_telling_at on order_telling (at);
select protect_tenant_table('order_telling', 'select, insert, delete');
