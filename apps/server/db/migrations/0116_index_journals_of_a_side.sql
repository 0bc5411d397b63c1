-- Newest journals of one side: a tenant with cabinets of the other side alone has none, and would be searched to the end.

drop index concurrently if exists ledger_journal_side;
create index concurrently ledger_journal_side on ledger_journal (tenant_id, side, id desc)
  where side is not null;
