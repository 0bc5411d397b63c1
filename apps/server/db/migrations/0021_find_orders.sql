-- What the order list is asked for and no index of the orders answered yet.

create index storage_order_store on storage_order (tenant_id, store_id, id desc);
-- Rare ones among the many that are paid, or cost nothing.
create index storage_order_pay on storage_order (tenant_id, side, pay_status, id desc)
  where pay_status not in ('NONE', 'PAID');
-- All tenants' orders that are not simply completed, for the platform's own list.
create index storage_order_state_anywhere on storage_order (side, state, id desc)
  where state <> 'COMPLETED';
