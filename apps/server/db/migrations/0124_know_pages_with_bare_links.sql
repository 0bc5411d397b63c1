-- Addresses of tenants' pages carry a code instead of the tenant's number. Printed links of pages that are on remain valid.

alter table web_page_setting add column has_bare_links boolean not null default false;
update web_page_setting set has_bare_links = true where is_on;
