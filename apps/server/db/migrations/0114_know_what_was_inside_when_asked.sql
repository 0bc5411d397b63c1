-- A sensor proves that goods came or went only if it said something else when the opening was requested.

-- Item sensor's state of the compartment at the request; null: none, or a command of an earlier release.
alter table command add column asked_item text;
