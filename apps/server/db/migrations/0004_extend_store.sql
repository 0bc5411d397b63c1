-- What an operator knows of a store: whom to call, who looks after it, and who changed it last.

alter table store
  add column contact_name text not null default '',
  add column contact_phone text not null default '',
  -- The account that answers for it; when that goes, nobody does.
  add column manager_id bigint,
  add column remark text not null default '',
  -- Counts what people changed of it: a form that was opened before a change is refused.
  add column edit_version int not null default 1,
  add column edited_at timestamptz not null default now(),
  add column edited_by text not null default '',
  add foreign key (tenant_id, manager_id) references operator on delete set null (manager_id),
  add check ((longitude is null) = (latitude is null));

create index store_manager on store (tenant_id, manager_id);
