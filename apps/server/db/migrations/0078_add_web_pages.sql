-- The web page for riders and recipients: each tenant's switch, and photos uploaded by app users.

create table web_page_setting (
  tenant_id int primary key references tenant,
  is_on boolean not null default false,
  edit_version int not null default 1,
  edited_at timestamptz not null default now(),
  edited_by text not null
);
select protect_tenant_table('web_page_setting', 'select, insert, update');

-- Like `created_by`, without a foreign key: a photo outlives its uploader.
alter table file add column end_user_id bigint;
alter table file add constraint file_uploader check (num_nonnulls(created_by, end_user_id) <= 1);
