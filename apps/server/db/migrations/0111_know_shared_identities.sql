-- Two cabinets with one identity (a copied storage card).

-- The start of the cabinet that was heard last, with the evidence of a second cabinet; see cabinet-run.rules.ts.
alter table cabinet add column birth_run jsonb;
-- When births last showed that two cabinets share the identity.
alter table cabinet add column identity_shared_at timestamptz;

alter table maintenance_rule drop constraint maintenance_rule_kind_check;
alter table maintenance_rule add constraint maintenance_rule_kind_check check (kind in
  ('*', 'OFFLINE', 'OPEN_FAILED', 'UNCOMMANDED_OPENING', 'IDENTITY_SHARED', 'DOOR_LEFT_OPEN', 'OCCUPANCY_ABNORMAL',
   'VIBRATION', 'TAMPER', 'POWER_LOW', 'BOARD_FAULT', 'TEMPERATURE_HIGH', 'TEMPERATURE_LOW', 'NETWORK_POOR', 'OTHER',
   'CERTIFICATE', 'CALLBACK'));
alter table malfunction drop constraint malfunction_kind_check;
alter table malfunction add constraint malfunction_kind_check check (kind in
  ('OFFLINE', 'OPEN_FAILED', 'UNCOMMANDED_OPENING', 'IDENTITY_SHARED', 'DOOR_LEFT_OPEN', 'OCCUPANCY_ABNORMAL',
   'VIBRATION', 'TAMPER', 'POWER_LOW', 'BOARD_FAULT', 'TEMPERATURE_HIGH', 'TEMPERATURE_LOW', 'NETWORK_POOR', 'OTHER'))
  not valid;
