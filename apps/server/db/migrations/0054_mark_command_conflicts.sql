-- Marks commands about which a cabinet's reports contradict the command or each other.

alter table command
  -- SEQ: an ack names another seq than the command has. STAGE: "not executed" and "executed" were both reported.
  -- The first contradiction counts; the reports themselves stand in frames.
  add column conflict text check (conflict in ('SEQ', 'STAGE'));
