-- One word for one thing: accounts of operators, notices, cabinet models. Titles that an administrator
-- changed are kept.
update menu_entry set title = renamed.title
from (values
  ('/user/operationAdmin', '运营商列表', '运营人员'),
  ('/inform', '公告管理', '公告'),
  ('/cupboard/ModelList', '设备类型', '设备型号'),
  ('/cupboard/ModelAdd', '新增设备类型', '新增设备型号')
) as renamed (uri, former, title)
where menu_entry.uri = renamed.uri and menu_entry.title = renamed.former;
