-- A sensor that says empty proves that goods are gone only if the same cabinet has shown them: a copy of its card never did.

-- Number of the start that last showed goods in the compartment.
alter table compartment add column present_boot_no bigint;
