-- Checks the rows that exist, without stopping requests.

alter table malfunction validate constraint malfunction_kind_check;
