-- Doors that open without a command are malfunctions of a kind of their own.

alter table maintenance_rule drop constraint maintenance_rule_kind_check;
alter table maintenance_rule add constraint maintenance_rule_kind_check check (kind in
  ('*', 'OFFLINE', 'OPEN_FAILED', 'UNCOMMANDED_OPENING', 'DOOR_LEFT_OPEN', 'OCCUPANCY_ABNORMAL', 'VIBRATION',
   'TAMPER', 'POWER_LOW', 'BOARD_FAULT', 'TEMPERATURE_HIGH', 'TEMPERATURE_LOW', 'NETWORK_POOR', 'OTHER',
   'CERTIFICATE', 'CALLBACK'));
alter table malfunction drop constraint malfunction_kind_check;
alter table malfunction add constraint malfunction_kind_check check (kind in
  ('OFFLINE', 'OPEN_FAILED', 'UNCOMMANDED_OPENING', 'DOOR_LEFT_OPEN', 'OCCUPANCY_ABNORMAL', 'VIBRATION',
   'TAMPER', 'POWER_LOW', 'BOARD_FAULT', 'TEMPERATURE_HIGH', 'TEMPERATURE_LOW', 'NETWORK_POOR', 'OTHER'))
  not valid;
