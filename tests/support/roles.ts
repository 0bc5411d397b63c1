// Roles and their members: each test has its own tenant with an administrator, beside platform
// staff.
import {
  accessContract,
  type MenuEntry,
} from "@cabinet/contract/identity/access/access.contract.ts";
import { roleContract } from "@cabinet/contract/identity/access/role.contract.ts";
import type { UserType } from "@cabinet/contract/vocabulary/account.ts";
import { beforeAll, beforeEach } from "vitest";
import { makePerson } from "./people.ts";
import type { Person, TestServer } from "./test-server.ts";

interface World {
  platform: Person;
  tenantId: number;
  people: Record<UserType, Person>;
  admin: Person;
  /** Ids of menu entries by path. */
  ids: Map<string, number>;
}

/** All entries of a menu tree, nested ones included. */
export const flat = (entries: readonly MenuEntry[]): MenuEntry[] =>
  entries.flatMap((entry) => [entry, ...flat(entry.children)]);

export function useRoles(testServer: TestServer) {
  const team = {} as World;
  beforeAll(async () => {
    const { people } = await testServer.makeTenant(1);
    const tree = await testServer.call(accessContract.menuTree, people[0]);
    const ids = new Map(flat(tree.data).map(({ uri, id }) => [uri, id]));
    Object.assign(team, { platform: people[0], ids });
  });
  beforeEach(async () => {
    const { id: tenantId, people } = await testServer.makeTenant();
    Object.assign(team, { tenantId, people, admin: people[1] });
  });

  const entryIds = (...uris: string[]) => uris.map((uri) => team.ids.get(uri) ?? 0);
  const draft = { name: "区域主管", remark: "", storeScope: "ALL", storeIds: [], entryIds: [] };
  const create = (more: object = {}, as = team.admin) =>
    testServer.call(roleContract.create, as, { body: { ...draft, ...more } });
  const get = async (id: number, as = team.admin) =>
    (await testServer.call(roleContract.get, as, { params: { id } })).data;
  const update = async (id: number, more: object = {}, as = team.admin) => {
    const {
      name,
      remark,
      storeScope,
      stores,
      entryIds: had,
      editVersion,
    } = await get(id, team.platform);
    const storeIds = stores.map((store) => store.id);
    const body = { name, remark, storeScope, storeIds, entryIds: had, editVersion, ...more };
    return testServer.call(roleContract.update, as, { params: { id }, body });
  };
  const remove = (id: number, members: number, as = team.admin) =>
    testServer.call(roleContract.delete, as, { params: { id }, query: { members } });
  const saveMembers = (id: number, added: Person[], removed: Person[] = [], as = team.admin) =>
    testServer.call(roleContract.saveMembers, as, {
      params: { id },
      body: {
        addedOperatorIds: added.map(({ operatorId }) => operatorId),
        removedOperatorIds: removed.map(({ operatorId }) => operatorId),
      },
    });
  const list = async (query: object = {}, as = team.admin) =>
    (await testServer.call(roleContract.list, as, { query })).data.list;

  async function made(more: object = {}, as = team.admin): Promise<number> {
    const reply = await create(more, as);
    if (reply.code !== 0) throw new Error(reply.errMsg);
    return reply.data.id;
  }

  /** Makes a new account of the tenant with exactly these roles. */
  const withRoles = (...roleIds: number[]) => makePerson(testServer, team.tenantId, { roleIds });

  const permissionsOf = async (person: Person) =>
    flat((await testServer.call(accessContract.menu, person)).data).flatMap(
      (entry) => entry.permissions,
    );
  const roleNamed = async (name: string) =>
    (await list({ keyword: name })).find((role) => role.name === name)?.id ?? 0;

  const actions = { create, get, update, remove, saveMembers, list, made };
  return Object.assign(team, actions, { entryIds, withRoles, permissionsOf, roleNamed });
}
