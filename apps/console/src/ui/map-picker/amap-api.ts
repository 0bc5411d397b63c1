// Types of the AMap JS API 2.0, limited to what the map uses, from its reference.

export interface LngLat {
  getLng(): number;
  getLat(): number;
}
type Position = [longitude: number, latitude: number];
export type Status = "complete" | "no_data" | "error";
type Answer<Result> = (status: Status, result: Result) => void;

export interface AmapMap {
  on(event: "click", listener: (event: { lnglat: LngLat }) => void): void;
  addControl(control: object): void;
  setZoomAndCenter(zoom: number, center: Position): void;
  getZoom(): number;
}

export interface Marker {
  on(event: "dragend", listener: (event: { lnglat: LngLat }) => void): void;
  setPosition(position: Position): void;
  setMap(map: AmapMap | null): void;
}

/** Empty values come as an empty list or an empty text. */
type Text = string | readonly never[];

export interface Tip {
  name: string;
  district: Text;
  address: Text;
  location: LngLat | "" | undefined;
}

export interface Poi {
  name: string;
  address: Text;
  pname: string;
  cityname: string;
  adname: string;
  location: LngLat | null;
}

export interface Regeocode {
  formattedAddress: string;
  addressComponent: { province: Text; city: Text; district: Text; township: Text };
}

export interface Amap {
  Map: new (element: HTMLElement, options: object) => AmapMap;
  Marker: new (options: { draggable: boolean; position: Position }) => Marker;
  Scale: new () => object;
  ToolBar: new (options: { position: string }) => object;
  AutoComplete: new (options: {
    city: string;
  }) => { search(words: string, done: Answer<{ tips?: Tip[] }>): void };
  PlaceSearch: new (options: {
    pageSize: number;
    extensions: "all";
  }) => { search(words: string, done: Answer<{ poiList?: { pois: Poi[] } }>): void };
  Geocoder: new (options: {
    radius: number;
  }) => { getAddress(position: Position, done: Answer<{ regeocode?: Regeocode }>): void };
  convertFrom(from: Position, type: "gps", done: Answer<{ locations?: LngLat[] }>): void;
  Geolocation: new (options: {
    noGeoLocation: number;
    timeout: number;
  }) => {
    getCurrentPosition(done: Answer<{ position?: LngLat; message?: string }>): void;
  };
}
