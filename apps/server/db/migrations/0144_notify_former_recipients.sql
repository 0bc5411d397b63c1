-- A former recipient is told that their pickup code opens nothing any more.

alter table sms_message drop constraint sms_message_scene_check;
alter table sms_message add constraint sms_message_scene_check check (scene in ('SIGN_IN_CODE', 'PICKUP_CODE', 'STORED',
  'OVERDUE', 'OUTAGE', 'RECIPIENT_CHANGED', 'PICKED_UP', 'TAKEN_BACK', 'REFUNDED', 'MALFUNCTION')) not valid;
