-- Text messages that wait for a carrier, without the many whose receipts are awaited.

drop index concurrently if exists sms_message_queued;
create index concurrently sms_message_queued on sms_message (due_at) include (tenant_id, id, scene) where state = 'QUEUED';
