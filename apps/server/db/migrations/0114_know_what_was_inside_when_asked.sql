-- A sensor proves that a door opened, or that goods came or went, only if it said something else when the opening was requested.

-- State of the item sensor and of the door at the request; null: none, or a command of an earlier release.
alter table command add column asked_item text, add column asked_door text;
