-- Faulty cabinets of 首页, lists and stores: by index instead of reading every compartment of all tenants.

drop index concurrently if exists compartment_faulty;
create index concurrently compartment_faulty on compartment (tenant_id, cabinet_id)
  where admin_state <> 'ENABLED' or (occupancy = 'FREE' and item = 'PRESENT')
    or (occupancy = 'OCCUPIED' and item = 'EMPTY');
