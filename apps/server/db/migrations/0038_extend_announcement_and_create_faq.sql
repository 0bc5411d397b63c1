-- Announcements with an author, an audience and a time, who has read them; questions with answers; the pictures in both.

alter table announcement
  -- Whose it is; the platform's go to the accounts of other tenants.
  add column tenant_id int not null default 1 references tenant,
  add column kind text not null default 'VERSION' check (kind in ('NOTICE', 'VERSION')),
  add column title text not null default '',
  add column audience text not null default 'OPERATOR' check (audience in ('OPERATOR', 'END_USER')),
  -- Of accounts: which kinds of them.
  add column user_types smallint[] not null default '{1}',
  -- Of the platform's: which tenants' accounts; null: those of all.
  add column tenant_ids int[] check (cardinality(tenant_ids) > 0),
  add column is_pinned boolean not null default false,
  -- It is seen from here on, by the clock; null: it never was.
  add column publish_at timestamptz,
  add column expires_at timestamptz,
  -- Consoles were told that it is there.
  add column told_at timestamptz,
  add column withdraw_reason text,
  add column edition int not null default 1,
  add column edited_by text not null default '',
  add column created_at timestamptz not null default now(),
  add column created_by text not null default '';
update announcement set publish_at = updated_at, told_at = updated_at where state = 'PUBLISHED';
alter table announcement
  alter column tenant_id drop default,
  alter column kind drop default,
  drop constraint announcement_pkey,
  add primary key (tenant_id, id),
  add unique (id),
  add check (state <> 'PUBLISHED' or publish_at is not null),
  add check (expires_at > publish_at),
  add check (kind = 'NOTICE' or (tenant_id = 1 and audience = 'OPERATOR')),
  add check (tenant_ids is null or (tenant_id = 1 and audience = 'OPERATOR'));
create index announcement_published on announcement (publish_at desc, id desc)
  where state = 'PUBLISHED';
create index announcement_untold on announcement (publish_at)
  where state = 'PUBLISHED' and told_at is null;
select protect_tenant_table('announcement');
create policy announcements_of_platform on announcement for select to cabinet_tenant
  using (tenant_id = 1 and (select current_tenant_id()) is not null and state = 'PUBLISHED'
    and publish_at <= now() and audience = 'OPERATOR'
    and (tenant_ids is null or (select current_tenant_id()) = any(tenant_ids)));

-- What it said before: each save adds one.
create table announcement_edition (
  tenant_id int not null,
  announcement_id bigint not null,
  edition int not null,
  title text not null,
  version text not null,
  content text not null,
  edited_at timestamptz not null default now(),
  edited_by text not null,
  primary key (tenant_id, announcement_id, edition),
  foreign key (tenant_id, announcement_id) references announcement on delete cascade
);
insert into announcement_edition (tenant_id, announcement_id, edition, title, version, content,
  edited_at, edited_by)
select tenant_id, id, edition, title, version, content, updated_at, edited_by from announcement;
select protect_tenant_table('announcement_edition', 'select, insert');

-- Of the reader's tenant: one row for each who opened it.
create table announcement_read (
  tenant_id int not null references tenant,
  announcement_id bigint not null references announcement (id) on delete cascade,
  reader_kind text not null check (reader_kind in ('OPERATOR', 'END_USER')),
  reader_id bigint not null,
  read_at timestamptz not null default now(),
  primary key (tenant_id, announcement_id, reader_kind, reader_id)
);
create index announcement_read_of on announcement_read (announcement_id, read_at desc);
select protect_tenant_table('announcement_read', 'select, insert');

create table faq_category (
  tenant_id int not null references tenant,
  id bigint generated always as identity unique,
  name text not null,
  -- Those for accounts are the platform's alone.
  audience text not null check (audience in ('OPERATOR', 'END_USER')),
  -- Smaller ones come first.
  sort int not null,
  edit_version int not null default 1,
  edited_by text not null default '',
  primary key (tenant_id, id),
  unique (tenant_id, audience, name),
  check (audience = 'END_USER' or tenant_id = 1)
);
select protect_tenant_table('faq_category');
create policy categories_of_platform on faq_category for select to cabinet_tenant
  using (tenant_id = 1 and (select current_tenant_id()) is not null);

create table faq (
  tenant_id int not null,
  id bigint generated always as identity unique,
  category_id bigint not null,
  question text not null,
  answer text not null,
  is_on boolean not null default false,
  sort int not null,
  edit_version int not null default 1,
  edited_by text not null default '',
  updated_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, category_id) references faq_category
);
create index faq_sort on faq (tenant_id, category_id, sort, id);
select protect_tenant_table('faq');
create policy questions_of_platform on faq for select to cabinet_tenant
  using (tenant_id = 1 and (select current_tenant_id()) is not null and is_on);

-- Questions of the platform that a tenant does not show its own people.
create table faq_hidden (
  tenant_id int not null references tenant,
  faq_id bigint not null references faq (id) on delete cascade,
  hidden_at timestamptz not null default now(),
  hidden_by text not null,
  primary key (tenant_id, faq_id)
);
select protect_tenant_table('faq_hidden', 'select, insert, delete');

-- Which pictures stand in what; earlier editions keep theirs.
create table rich_text_image (
  tenant_id int not null,
  file_id uuid not null,
  announcement_id bigint,
  faq_id bigint,
  check ((announcement_id is null) <> (faq_id is null)),
  foreign key (tenant_id, file_id) references file,
  foreign key (tenant_id, announcement_id) references announcement on delete cascade,
  foreign key (tenant_id, faq_id) references faq on delete cascade
);
create unique index rich_text_image_announcement on rich_text_image
  (tenant_id, file_id, announcement_id) where announcement_id is not null;
create unique index rich_text_image_faq on rich_text_image
  (tenant_id, file_id, faq_id) where faq_id is not null;
create index rich_text_image_of_announcement on rich_text_image (tenant_id, announcement_id);
create index rich_text_image_of_faq on rich_text_image (tenant_id, faq_id);
select protect_tenant_table('rich_text_image', 'select, insert, delete');
-- Who asks must be shown what the picture stands in: the statement that looks for it says so.
create policy images_of_platform on rich_text_image for select to cabinet_tenant
  using (tenant_id = 1 and (select current_tenant_id()) is not null);
create policy pictures_of_platform on file for select to cabinet_tenant
  using (tenant_id = 1 and (select current_tenant_id()) is not null and purpose = 'NOTICE');
