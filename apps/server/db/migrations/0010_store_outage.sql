-- A store that loses its line is one malfunction; and presence that is cheap to write down.

alter table malfunction
  alter column cabinet_id drop not null,
  -- Of a whole store, whose cabinets outage_cabinet lists; else of one cabinet.
  add column store_id bigint,
  -- The store's outage that took over what began as one cabinet's.
  add column merged_into_id bigint,
  -- Since when so many of an outage's cabinets are back that the line must be.
  add column line_back_at timestamptz,
  add foreign key (tenant_id, store_id) references store on delete cascade,
  add foreign key (tenant_id, merged_into_id) references malfunction
    on delete set null (merged_into_id),
  add constraint malfunction_place check (num_nonnulls(cabinet_id, store_id) = 1),
  add constraint malfunction_of_store
    check (store_id is null or (kind = 'OFFLINE' and compartment_no is null));
create unique index malfunction_store_open on malfunction (tenant_id, store_id)
  where store_id is not null and state in ('CREATED', 'ASSIGNED', 'PROCESSING');
create index malfunction_merged on malfunction (tenant_id, merged_into_id)
  where merged_into_id is not null;

create table outage_cabinet (
  tenant_id int not null,
  malfunction_id bigint not null,
  cabinet_id bigint not null,
  -- The last that was heard of it.
  last_seen_at timestamptz,
  back_at timestamptz,
  primary key (tenant_id, malfunction_id, cabinet_id),
  foreign key (tenant_id, malfunction_id) references malfunction on delete cascade,
  foreign key (tenant_id, cabinet_id) references cabinet on delete cascade
);
create index outage_cabinet_cabinet on outage_cabinet (tenant_id, cabinet_id);
select protect_tenant_table('outage_cabinet');

alter table cabinet
  -- A malfunction tells of its present absence, its own or its store's.
  add column is_absence_told boolean not null default false;
create index cabinet_absence_untold on cabinet (tenant_id, id)
  where announced_connectivity = 'OFFLINE' and not is_absence_told;
create index cabinet_absence_over on cabinet (tenant_id, id)
  where announced_connectivity = 'ONLINE' and is_absence_told;

-- Every heartbeat moves offline_at: without an index on it a heartbeat rewrites no index at all, and
-- the room left on each page lets the new row stay beside the old one.
drop index cabinet_falling_silent;
alter table cabinet set (fillfactor = 60);

-- Nobody's absence is a malfunction before this time: it was ours.
alter table presence_sweep add column excused_until timestamptz not null default '-infinity';
