-- What proves that a sensor value is later than an opening whose result is unknown.

-- Newest full snapshot: its first report, and the time at which it was requested (for a birth: received).
alter table cabinet add column snapshot_boot_no bigint;
alter table cabinet add column snapshot_n bigint;
alter table cabinet add column snapshot_asked_at timestamptz;
-- Id of the last RESYNC, and the time from which on one is due; null: none is needed.
alter table cabinet add column resync_id uuid;
alter table cabinet add column resync_due_at timestamptz;

-- Since when a door of the compartment is open without a break.
alter table compartment add column door_open_since timestamptz;
-- When the door of a stored order last opened without a command.
alter table live_order add column forced_at timestamptz;

-- Reason code of a cabinet's refusal, and the item state that an opening requires.
alter table command add column refusal text;
alter table command add column expect_item text;
