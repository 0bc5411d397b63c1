-- Optional features of tenants with the days on which they are on. A feature without a row is on.

create table tenant_feature (
  tenant_id int not null references tenant check (tenant_id <> 1),
  feature text not null,
  is_on boolean not null,
  starts_on date,
  ends_on date,
  primary key (tenant_id, feature),
  check (starts_on <= ends_on)
);
select protect_tenant_table('tenant_feature', 'select');
grant insert, update, delete on tenant_feature to cabinet_platform;

-- Days begin and end in Shanghai; the last day counts.
create function tenant_feature_is_on(switch tenant_feature, at timestamptz) returns boolean
  language sql immutable
  return switch.is_on and (at at time zone 'Asia/Shanghai')::date
    between coalesce(switch.starts_on, '-infinity') and coalesce(switch.ends_on, 'infinity');

-- Security definer: sessions and applications are looked up before a tenant's scope is set.
create function tenant_off_features(of_tenant int) returns text[]
  language sql stable security definer set search_path to 'public'
  return array(select feature from tenant_feature switch
    where switch.tenant_id = of_tenant and not tenant_feature_is_on(switch, now())
    order by feature);
