-- What consoles, senders and metrics ask of third parties' calls and callbacks, by an index each.

-- What a person tries does not wait behind events, and a paused address with many of them costs nothing.
create index callback_delivery_trial on callback_delivery (tenant_id, endpoint_id, next_at, id)
  where state = 'WAITING' and purpose <> 'EVENT';
drop index callback_delivery_due;
create index callback_delivery_due on callback_delivery (tenant_id, endpoint_id, next_at, id)
  where state = 'WAITING' and purpose = 'EVENT';
-- The health of an address: what nobody got, and what became of the last day.
create index callback_delivery_lost on callback_delivery (tenant_id, endpoint_id) where state = 'DEAD';
create index callback_delivery_day on callback_delivery (tenant_id, endpoint_id, created_at);
create index callback_delivery_at on callback_delivery (tenant_id, created_at);

-- How much an application has called today.
create index open_call_app_at on open_call (tenant_id, app_id, at);
create index open_call_third_party on open_call (tenant_id, third_party_no)
  where third_party_no is not null;
create index open_call_request on open_call (tenant_id, request_id);
