// Home of the lean page: menu, the same four figures and two short lists, from the same calls, and a link to the list.
import {
  Button,
  Card,
  Col,
  Flex,
  Layout,
  Menu,
  type MenuProps,
  Row,
  Statistic,
  Typography,
} from "antd";
import { lazy, Suspense, useState } from "react";
import { type SignedIn, useCall } from "./api.tsx";

const CabinetList = lazy(() => import("./cabinet-list.tsx"));

interface MenuEntry {
  uri: string;
  title: string;
  kind: "MENU" | "BUTTON";
  children: MenuEntry[];
}

interface Page<Row> {
  list: Row[];
}

interface Cabinet {
  id: number;
  name: string;
  storeName: string | null;
  lastSeenAt: string;
}

interface Command {
  id: string;
  cabinetName: string;
  no: number | null;
  state: string;
  createdAt: string;
}

const time = new Intl.DateTimeFormat("zh-CN", { dateStyle: "short", timeStyle: "short" });

type MenuItem = NonNullable<MenuProps["items"]>[number];

function itemsOf(entries: MenuEntry[]): MenuItem[] {
  return entries
    .filter((entry) => entry.kind === "MENU")
    .map(({ uri, title, children }) => {
      const items = itemsOf(children);
      return { key: uri, label: title, ...(items.length > 0 && { children: items }) };
    });
}

/** Frame with the menu around the home or the list. */
export function Home({ session }: { session: SignedIn }) {
  const menu = useCall<MenuEntry[]>("/admin/v1/menu", session);
  const [isList, setIsList] = useState(false);
  return (
    <Layout style={{ minHeight: "100vh" }}>
      <Layout.Sider width={220}>
        <Menu theme="dark" mode="inline" items={itemsOf(menu ?? [])} />
      </Layout.Sider>
      <Layout>
        <Layout.Header style={{ background: "#fff" }}>
          <Button type="link" data-to="home" onClick={() => setIsList(false)}>
            首页
          </Button>
          <Typography.Text>您好，{session.username}</Typography.Text>
        </Layout.Header>
        <Layout.Content style={{ padding: 24 }}>
          {isList ? (
            <Suspense>
              <CabinetList session={session} />
            </Suspense>
          ) : (
            <Overview session={session} onList={() => setIsList(true)} />
          )}
        </Layout.Content>
      </Layout>
    </Layout>
  );
}

function Overview({ session, onList }: { session: SignedIn; onList: () => void }) {
  const cabinets = useCall<{ total: number; online: number; offline: number }>(
    "/admin/v1/locker/num/statistics",
    session,
  );
  const faults = useCall<number>("/admin/v1/preservation/size?status=CREATED", session);
  const offline = useCall<Page<Cabinet>>(
    "/admin/v1/locker/list?page=1&pageSize=6&connectivity=OFFLINE&sort=lastSeenAt&order=desc",
    session,
  );
  const commands = useCall<Page<Command>>("/admin/v1/command/list?page=1&pageSize=6", session);
  const figures = [
    { title: "设备总数", value: cabinets?.total },
    { title: "在线设备", value: cabinets?.online },
    { title: "离线设备", value: cabinets?.offline },
    { title: "待处理故障", value: faults },
  ];
  return (
    <>
      <Row gutter={16}>
        {figures.map(({ title, value }) => (
          <Col key={title} span={6}>
            <Card>
              <Statistic title={title} value={value ?? 0} loading={value === undefined} />
            </Card>
          </Col>
        ))}
      </Row>
      <Button type="link" data-to="list" onClick={onList}>
        设备列表
      </Button>
      <Row gutter={16}>
        <Lines
          title="最近离线的设备"
          rows={offline?.list.map(({ id, name, storeName, lastSeenAt }) => {
            return { key: id, cells: [name, storeName, time.format(new Date(lastSeenAt))] };
          })}
        />
        <Lines
          title="最近的远程操作"
          rows={commands?.list.map(({ id, cabinetName, no, state, createdAt }) => {
            const what = `${no} 号 ${state}`;
            return { key: id, cells: [cabinetName, what, time.format(new Date(createdAt))] };
          })}
        />
      </Row>
    </>
  );
}

interface LinesProps {
  title: string;
  rows: { key: string | number; cells: (string | null)[] }[] | undefined;
}

function Lines({ title, rows }: LinesProps) {
  return (
    <Col span={12}>
      <Card title={title} loading={!rows}>
        {rows?.map(({ key, cells }) => (
          <Flex key={key} justify="space-between">
            {cells.map((cell) => (
              <Typography.Text key={cell}>{cell}</Typography.Text>
            ))}
          </Flex>
        ))}
      </Card>
    </Col>
  );
}
