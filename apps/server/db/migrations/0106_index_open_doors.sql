-- Doors that are open for too long: a job looks every minute.

drop index concurrently if exists compartment_door_open;
create index concurrently compartment_door_open on compartment (door_open_since)
  where door_open_since is not null;
