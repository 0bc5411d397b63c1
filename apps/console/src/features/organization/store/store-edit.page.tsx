// 新增门店 and, with `?id=`, 编辑门店.
import {
  type StoreDetail,
  type StoreDraft,
  storeContract,
} from "@cabinet/contract/organization/store/store.contract.ts";
import { useState } from "react";
import { toast } from "../../../kit/feedback.ts";
import { useIsPlatform } from "../../../kit/permission.ts";
import { useWrite } from "../../../kit/query.ts";
import { useSignedIn } from "../../../kit/session.ts";
import { EditPage } from "../../../ui/display/one-record.tsx";
import { FormPage } from "../../../ui/form/form-frames.tsx";
import { StoreForm, storeFields } from "./store-fields.tsx";

const list = { path: "/point/index", title: "门店列表" } as const;

function draftOf({ tenantId: _, place, ...values }: StoreForm): StoreDraft {
  const { address = "", longitude = null, latitude = null } = place ?? {};
  return { ...values, address, longitude, latitude };
}

export default function StoreEditPage() {
  return (
    <EditPage
      noun="门店"
      spec={storeContract.get}
      list={list}
      create={<NewStore />}
      edit={(fetched) => <EditStore fetched={fetched} />}
    />
  );
}

function NewStore() {
  const isPlatform = useIsPlatform();
  const { tenantId: ownTenantId } = useSignedIn();
  const create = useWrite(storeContract.create);
  return (
    <FormPage
      title="新增门店"
      backTo={list.path}
      schema={StoreForm}
      fields={storeFields({ isPlatform, store: null })}
      initial={isPlatform ? {} : { tenantId: ownTenantId }}
      submitText="新增"
      submit={async (values) => {
        const { tenantId } = values;
        await create.mutateAsync({
          body: { ...draftOf(values), ...(isPlatform && { tenantId }) },
        });
        toast.success(`门店“${values.name.trim()}”已新增`);
      }}
    />
  );
}

/** Keeps the `editVersion` it was opened with: a later fetch must not defeat optimistic locking. */
function EditStore({ fetched }: { fetched: StoreDetail }) {
  const [store] = useState(fetched);
  const update = useWrite(storeContract.update);
  return (
    <FormPage
      title={`编辑门店：${store.name}`}
      backTo={list.path}
      schema={StoreForm}
      fields={storeFields({ isPlatform: false, store })}
      initial={initialOf(store)}
      submit={async (values) => {
        const body = { ...draftOf(values), editVersion: store.editVersion };
        await update.mutateAsync({ params: { id: store.id }, body });
        toast.success(`门店“${values.name.trim()}”已保存`);
      }}
    />
  );
}

function initialOf(store: StoreDetail): Partial<StoreForm> {
  const { tenantId, name, code, region, openingHours, contactName, managerId, remark } = store;
  const { address, longitude, latitude } = store;
  return {
    ...{ tenantId, name, code, region, openingHours, contactName, managerId, remark },
    place: { address, longitude, latitude },
  };
}
