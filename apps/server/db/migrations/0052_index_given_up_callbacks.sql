-- What was given up of an address, by its time: asked each minute, however much nobody ever got.
create index callback_delivery_given_up on callback_delivery (tenant_id, endpoint_id, ended_at)
  where state = 'DEAD' and purpose = 'EVENT';
