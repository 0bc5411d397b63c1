-- Top-ups in a browser outside of WeChat (H5): WeChat wants the payer's address with the order, and answers with a page.

-- Kept until WeChat has taken the order.
alter table top_up add column payer_address inet;
alter table top_up add column pay_url text;
