-- Orders that came before the partition of their month lay in the default one, and kept it from being
-- made, that month and every one after. Now they move into it.

create or replace function ensure_order_month(month date) returns void
language plpgsql security definer set search_path = public as $$
declare
  first bigint := first_order_id(month::timestamp at time zone 'Asia/Shanghai');
  past bigint := first_order_id((month + interval '1 month') at time zone 'Asia/Shanghai');
  base text;
  part text;
  rest text;
  key text;
begin
  foreach base in array array['storage_order', 'order_event'] loop
    part := base || to_char(month, '_YYYY_MM');
    continue when to_regclass(part) is not null;
    rest := base || '_default';
    key := case base when 'storage_order' then 'id' else 'order_id' end;
    execute format('create table %I (like %I including defaults including constraints)', part, base);
    -- Nothing joins the default partition while its rows move; its owner sees none of them otherwise.
    execute format('lock table %I in access exclusive mode', rest);
    execute format('alter table %I no force row level security', rest);
    execute format('with moved as (delete from %I where %I >= %s and %I < %s returning *)
      insert into %I select * from moved', rest, key, first, key, past, part);
    execute format('alter table %I force row level security', rest);
    execute format('alter table %I enable row level security', part);
    execute format('alter table %I force row level security', part);
    execute format('alter table %I attach partition %I for values from (%s) to (%s)', base, part, first, past);
  end loop;
end $$;
