-- Apart from the migration that adds the constraint: this one reads all messages without keeping writers out.

alter table sms_message validate constraint sms_message_scene_check;
