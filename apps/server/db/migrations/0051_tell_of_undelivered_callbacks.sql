-- Callbacks that do not arrive are told of like a malfunction, by a rule of their own (维护消息).
alter table maintenance_rule drop constraint maintenance_rule_kind_check;
alter table maintenance_rule add constraint maintenance_rule_kind_check check (kind in
  ('*', 'OFFLINE', 'OPEN_FAILED', 'DOOR_LEFT_OPEN', 'OCCUPANCY_ABNORMAL', 'VIBRATION', 'TAMPER',
   'POWER_LOW', 'BOARD_FAULT', 'TEMPERATURE_HIGH', 'TEMPERATURE_LOW', 'NETWORK_POOR', 'OTHER',
   'CERTIFICATE', 'CALLBACK'));

-- When people were last told of its trouble, and of which.
alter table callback_endpoint
  add column told_at timestamptz,
  add column told_trouble text check (told_trouble in ('FAILING', 'DEAD', 'GONE')),
  add check ((told_at is null) = (told_trouble is null));
-- What is there already is no news.
update callback_endpoint set told_at = now(), told_trouble = 'FAILING';
