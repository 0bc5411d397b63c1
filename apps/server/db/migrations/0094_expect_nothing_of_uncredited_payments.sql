-- The ledger has nothing of these payments; the difference compared them with their top-up.
update reconciliation_difference set expected_fen = 0
where kind in ('PAID_CLOSED', 'PAID_TWICE') and expected_fen <> 0;
