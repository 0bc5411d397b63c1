-- The gateways at an outside MQTT broker that are alive: its receivers are shared out among them.
create table gateway (
  id text primary key,
  seen_at timestamptz not null default clock_timestamp()
);
grant select, insert, update, delete on gateway to cabinet_platform;
