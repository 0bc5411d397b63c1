// Device list of the lean page: filters, ten rows with a menu each, pagination, from the same call.
import { Button, Card, Dropdown, Flex, Form, Input, Select, Space, Table, Tag } from "antd";
import { type SignedIn, useCall } from "./api.tsx";

interface Cabinet {
  id: number;
  sn: string;
  name: string;
  modelName: string | null;
  storeName: string | null;
  connectivity: string;
  compartments: number;
  lastSeenAt: string | null;
}

const CHOICES = ["接入状态", "运行状态", "设备柜型", "门店"];

export default function CabinetList({ session }: { session: SignedIn }) {
  const page = useCall<{ list: Cabinet[]; total: number }>(
    "/admin/v1/locker/list?page=1&pageSize=10",
    session,
  );
  return (
    <Card>
      <Form layout="inline">
        <Form.Item label="设备" name="keyword">
          <Input />
        </Form.Item>
        {CHOICES.map((label) => (
          <Form.Item key={label} label={label} name={label}>
            <Select style={{ width: 120 }} allowClear options={[{ value: "1", label: "全部" }]} />
          </Form.Item>
        ))}
        <Space>
          <Button type="primary">查询</Button>
          <Button>重置</Button>
        </Space>
      </Form>
      <Table<Cabinet>
        rowKey="id"
        loading={!page}
        dataSource={page?.list ?? []}
        pagination={{ total: page?.total ?? 0, pageSize: 10 }}
        columns={[
          { title: "设备名称", dataIndex: "name" },
          { title: "设备编号", dataIndex: "sn" },
          { title: "设备柜型", dataIndex: "modelName" },
          { title: "门店", dataIndex: "storeName" },
          {
            title: "状态",
            dataIndex: "connectivity",
            render: (text: string) => <Tag color={text === "ONLINE" ? "green" : "red"}>{text}</Tag>,
          },
          { title: "最近在线", dataIndex: "lastSeenAt" },
          {
            title: "操作",
            render: () => (
              <Flex>
                <Button type="link">编辑</Button>
                <Button type="link">格口管理</Button>
                <Dropdown menu={{ items: [{ key: "restart", label: "重启" }] }}>
                  <Button type="link">更多</Button>
                </Dropdown>
              </Flex>
            ),
          },
        ]}
      />
    </Card>
  );
}
