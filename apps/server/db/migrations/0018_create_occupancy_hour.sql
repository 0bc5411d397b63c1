-- How full cabinets are: looked at every five minutes, kept by the hour.

create table occupancy_hour (
  tenant_id int not null references tenant,
  hour timestamptz not null,
  cabinet_id bigint not null,
  size text not null check (size in ('S', 'M', 'L', 'XL')),
  -- Where the cabinet stood then.
  store_id bigint,
  samples int not null,
  -- Sums over the samples: compartments in use, and compartments that could be.
  occupied int not null,
  total int not null,
  -- Samples at which none was left.
  full_samples int not null,
  -- The most that were in use at once.
  peak int not null,
  last_at timestamptz not null,
  primary key (tenant_id, hour, cabinet_id, size),
  foreign key (tenant_id, cabinet_id) references cabinet on delete cascade
);
create index occupancy_hour_age on occupancy_hour (hour);
create index occupancy_hour_cabinet on occupancy_hour (tenant_id, cabinet_id, hour);
select protect_tenant_table('occupancy_hour');
