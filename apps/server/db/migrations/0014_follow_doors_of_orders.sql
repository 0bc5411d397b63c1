-- How an order follows its doors: what it knows of each opening, and which closing ends it.

alter table command
  -- What the cabinet had said of the compartment when the door was asked for.
  add column asked_boot_no bigint,
  add column asked_n bigint,
  -- The report that said CONFIRMED: what is older than it tells nothing about the door after it.
  add column opened_boot_no bigint,
  add column opened_n bigint,
  -- The state that its order has taken into account.
  add column order_seen text;
create index command_for_order on command (tenant_id, cabinet_id)
  where order_id is not null and state not in ('QUEUED', 'SENT', 'ACKED')
    and order_seen is distinct from state;

alter table live_order
  -- Its door was opened, and has not been seen to close since: the side, and the report that said so.
  add column opened_side text check (opened_side in ('FRONT', 'BACK')),
  add column opened_boot_no bigint,
  add column opened_n bigint,
  -- What the sensor saw when it closed, where that did not yet move the order on.
  add column closed_item text,
  -- The opening of which nobody can say whether it happened.
  add column doubt_id uuid;
create index live_order_followed on live_order (tenant_id, cabinet_id)
  where opened_n is not null or doubt_id is not null;
