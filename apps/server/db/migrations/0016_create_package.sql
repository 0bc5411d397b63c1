-- Packages (套餐): what a tenant sells, the cards that people bought, and which order each use paid for.

create table package (
  tenant_id int not null references tenant,
  id bigint generated always as identity,
  name text not null,
  kind text not null check (kind in ('BONUS', 'USES', 'PERIOD')),
  sides text[] not null check (cardinality(sides) > 0 and sides <@ array['SINGLE', 'DOUBLE']),
  price_fen bigint not null check (price_fen > 0),
  bonus_fen bigint not null default 0 check (bonus_fen >= 0),
  uses int check (uses > 0),
  valid_days int check (valid_days > 0),
  cover_limit_fen bigint check (cover_limit_fen > 0),
  is_on_sale boolean not null default false,
  remark text not null default '',
  created_at timestamptz not null default now(),
  edit_version int not null default 1,
  edited_at timestamptz not null default now(),
  edited_by text not null,
  -- Cards outlive their package, and journals name it.
  deleted_at timestamptz,
  primary key (tenant_id, id),
  check (case kind
    when 'BONUS' then bonus_fen > 0 and num_nulls(uses, valid_days, cover_limit_fen) = 3
    when 'USES' then bonus_fen = 0 and uses is not null and valid_days is not null
    else bonus_fen = 0 and uses is null and valid_days is not null end)
);
create index package_anywhere on package (id desc) where deleted_at is null;
select protect_tenant_table('package', 'select, insert, update');

-- A card that somebody bought, on the terms of that day. Whether it is used up or expired is derived.
create table user_package (
  tenant_id int not null,
  id bigint generated always as identity,
  end_user_id bigint not null,
  package_id bigint not null,
  name text not null,
  kind text not null check (kind in ('USES', 'PERIOD')),
  sides text[] not null,
  price_fen bigint not null check (price_fen >= 0),
  cover_limit_fen bigint check (cover_limit_fen > 0),
  uses int check (uses > 0),
  uses_left int check (uses_left between 0 and uses),
  bought_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, end_user_id) references end_user,
  foreign key (tenant_id, package_id) references package,
  check ((kind = 'USES') = (uses is not null) and (uses is null) = (uses_left is null))
);
create index user_package_user on user_package (tenant_id, end_user_id, expires_at);
create index user_package_package on user_package (tenant_id, package_id);
create index user_package_anywhere on user_package (id desc);
select protect_tenant_table('user_package', 'select, insert, update');

-- An order is paid for by at most one card, and once.
create table package_use (
  tenant_id int not null,
  order_id bigint not null,
  user_package_id bigint not null,
  fen bigint not null check (fen > 0),
  used_at timestamptz not null default now(),
  primary key (tenant_id, order_id),
  foreign key (tenant_id, user_package_id) references user_package
);
create index package_use_card on package_use (tenant_id, user_package_id, order_id desc);
select protect_tenant_table('package_use');
