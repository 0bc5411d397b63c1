-- Cabinet models that are edited: the grid they are drawn on, how often their cabinets are heard.

alter table cabinet_model
  add remark text not null default '',
  -- The grid of the drawing: columns and rows without a compartment hold screen and controller.
  add grid_columns int not null default 1 check (grid_columns >= 1),
  add grid_rows int not null default 1 check (grid_rows >= 1),
  -- Wished of a cabinet that has no wish of its own.
  add heartbeat_seconds int not null default 30 check (heartbeat_seconds between 10 and 60),
  -- A cabinet is offline after this much silence.
  add offline_seconds int not null default 90 check (offline_seconds between 30 and 1800),
  -- Raised with every change, so that of two people who edit at once the second is told.
  add version int not null default 1,
  add updated_at timestamptz not null default now(),
  add check (offline_seconds >= 2 * heartbeat_seconds);

update cabinet_model m set grid_columns = l.columns, grid_rows = l.rows
from (
  select id, max((cell ->> 'column')::int) as columns,
    max((cell ->> 'row')::int + coalesce((cell ->> 'rowSpan')::int, 1) - 1) as rows
  from cabinet_model cross join jsonb_array_elements(layout) as cell
  group by id
) l
where l.id = m.id;

-- Which cabinets a model has: counted in the list, changed with its layout.
create index cabinet_of_model on cabinet (model_id);
