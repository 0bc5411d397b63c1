-- Files that people upload, adverts made of them, and what each cabinet should show and has downloaded.

-- Every object in the storage, known before it is written, so that nothing there is ever lost track of.
create table stored_object (
  key text primary key,
  created_at timestamptz not null default now()
);
grant select, insert, delete on stored_object to cabinet_platform;

create table file (
  tenant_id int not null references tenant,
  id uuid not null default gen_random_uuid() unique,
  purpose text not null,
  kind text not null check (kind in ('IMAGE', 'VIDEO', 'FIRMWARE')),
  media_type text not null,
  name text not null,
  size_bytes bigint not null check (size_bytes > 0),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  storage_key text not null unique references stored_object,
  width int,
  height int,
  duration_ms int,
  created_at timestamptz not null default now(),
  created_by bigint,
  -- Null while something is made of it; swept a day after it is not.
  unused_since timestamptz default now(),
  primary key (tenant_id, id)
);
create index file_unused on file (unused_since) where unused_since is not null;
select protect_tenant_table('file');

create table advert (
  tenant_id int not null references tenant,
  id bigint generated always as identity,
  title text not null,
  file_id uuid not null,
  position text not null check (position in ('STANDBY', 'HOME', 'PICKUP')),
  duration_seconds int not null check (duration_seconds between 3 and 600),
  -- Smaller ones play first.
  sort int not null,
  -- Days in Shanghai, both included; null: open to that side.
  from_date date,
  until_date date,
  -- Each day from one time to the other in minutes since midnight, across midnight when it is the later one; null: all day.
  from_minute int check (from_minute between 0 and 1439),
  until_minute int check (until_minute between 0 and 1439),
  target_kind text not null check (target_kind in ('ALL', 'STORE', 'CABINET', 'MODEL', 'SIDE')),
  target_ids bigint[] not null default '{}',
  target_side text check (target_side in ('SINGLE', 'DOUBLE')),
  state text not null default 'DRAFT' check (state in ('DRAFT', 'ON', 'OFF')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  created_by bigint,
  primary key (tenant_id, id),
  foreign key (tenant_id, file_id) references file,
  check (until_date >= from_date),
  check ((from_minute is null) = (until_minute is null) and from_minute <> until_minute),
  check ((target_kind = 'SIDE') = (target_side is not null)),
  check ((target_kind in ('STORE', 'CABINET', 'MODEL')) = (cardinality(target_ids) > 0))
);
create index advert_sort on advert (tenant_id, sort, id);
create index advert_on on advert (tenant_id) where state = 'ON';
select protect_tenant_table('advert');

-- What a cabinet should show, whole and with its version, beside what it reported.
create table cabinet_playlist (
  tenant_id int not null,
  cabinet_id bigint not null,
  version int not null default 0,
  -- As it goes over the link.
  items jsonb not null default '[]',
  changed_at timestamptz not null default now(),
  -- Null until it has connected.
  reported_version int,
  -- False: its program is of the time before playlists.
  is_supported boolean not null default true,
  -- The report it comes from.
  reported_boot_no bigint,
  reported_n bigint,
  primary key (tenant_id, cabinet_id),
  foreign key (tenant_id, cabinet_id) references cabinet on delete cascade
);
create index cabinet_playlist_behind on cabinet_playlist (changed_at)
  where reported_version is null or reported_version < version;
select protect_tenant_table('cabinet_playlist');

-- Which cabinet should have which advert, and how far it got with its file.
create table advert_download (
  tenant_id int not null,
  cabinet_id bigint not null,
  advert_id bigint not null,
  file_id uuid not null,
  state text not null default 'WAITING' check (state in ('WAITING', 'DOWNLOADING', 'READY', 'FAILED')),
  reason text,
  changed_at timestamptz not null default now(),
  primary key (tenant_id, cabinet_id, advert_id),
  foreign key (tenant_id, cabinet_id) references cabinet on delete cascade,
  foreign key (tenant_id, advert_id) references advert on delete cascade
);
create index advert_download_advert on advert_download (tenant_id, advert_id, state);
create index advert_download_file on advert_download (file_id, cabinet_id);
select protect_tenant_table('advert_download');
