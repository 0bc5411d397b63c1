-- Search box: the last four digits of a phone, and third-party numbers of all tenants, by index.

-- A stored column, because row-level security keeps `right(phone, 4)` and `like` out of index conditions.
alter table end_user add column phone_tail text not null generated always as (right(phone, 4)) stored;
create index end_user_phone_tail on end_user (phone_tail, tenant_id);

create index storage_order_partner_no on storage_order (third_party_no, tenant_id)
  where third_party_no is not null;
drop index storage_order_third_party;
