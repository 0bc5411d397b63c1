-- The last change of each application's order, so that the application can copy all changes in their order (0154).

create table business_order_change (
  tenant_id integer not null,
  order_id bigint not null,
  app_id bigint not null,
  changed_at timestamptz not null default now(),
  -- The transaction of the change: a reader stops before the oldest that is still running, so that no later commit can
  -- appear behind it.
  change_tx bigint not null default pg_current_xact_id()::text::bigint,
  primary key (tenant_id, order_id),
  foreign key (tenant_id, order_id) references business_order on delete cascade
);
create index business_order_change_app on business_order_change (tenant_id, app_id, change_tx, order_id);
select protect_tenant_table('business_order_change');

create function note_business_order_change() returns trigger language plpgsql set search_path = public as $$
begin
  insert into business_order_change (tenant_id, order_id, app_id)
  select tenant_id, order_id, app_id from business_order
  where tenant_id = new.tenant_id and order_id = new.order_id
  on conflict (tenant_id, order_id) do update
    set changed_at = excluded.changed_at, change_tx = excluded.change_tx
    where business_order_change.change_tx <> excluded.change_tx;
  return null;
end
$$;
create trigger order_taken after insert on business_order
  for each row execute function note_business_order_change();
create trigger order_changed after insert on order_event
  for each row execute function note_business_order_change();
