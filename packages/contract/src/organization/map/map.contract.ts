// Calls for the map service (specification §7): availability, and the key it is loaded with.
import { type Static, Type } from "typebox";
import { endpoint } from "../../kit/endpoint.ts";
import { Nullable } from "../../kit/fields.ts";

export const MapSetting = Type.Object({
  key: Type.String({ description: "高德地图 JS API 的 key；它会出现在浏览器中，不是秘密" }),
  servicePath: Type.String({ description: "本机转发地图服务的路径，含当前账号的通行证" }),
});
export type MapSetting = Static<typeof MapSetting>;

export const mapContract = {
  setting: endpoint({
    method: "GET",
    path: "/admin/v1/map/setting",
    access: "signed-in",
    summary: "地图服务设置：未配置 key 时为空",
    reply: Nullable(MapSetting),
  }),
};
