// Test double for the map service's script, with the parts of its API that the console uses.
(() => {
  const query = new URL(document.currentScript.src).searchParams;
  const at = (lng, lat) => ({ getLng: () => lng, getLat: () => lat });
  /** 100 pixels are 0.1 degrees, from a corner near Hangzhou. */
  const degrees = (start, pixels) => Number((start + pixels / 1000).toFixed(2));
  const under = ({ clientX, clientY }) => at(degrees(120, clientX), degrees(30, clientY));

  class PlainMap {
    constructor(element, { zoom, center }) {
      this.element = element;
      this.setZoomAndCenter(zoom, center);
    }
    on(_click, listener) {
      this.element.addEventListener("click", (event) => {
        if (event.target === this.element) listener({ lnglat: under(event) });
      });
    }
    addControl() {}
    getZoom() {
      return this.zoom;
    }
    setZoomAndCenter(zoom, center) {
      this.zoom = zoom;
      this.element.dataset.center = center.join(",");
    }
  }

  class Marker {
    constructor({ position }) {
      this.button = document.createElement("button");
      this.button.style.cssText = "position:absolute;left:40px;top:40px;width:24px;height:24px";
      this.setPosition(position);
    }
    on(_dragend, listener) {
      this.button.addEventListener("mousedown", () => {
        const drop = (event) => listener({ lnglat: under(event) });
        document.addEventListener("mouseup", drop, { once: true });
      });
    }
    setPosition(position) {
      this.button.setAttribute("aria-label", `标记 ${position.join(",")}`);
    }
    setMap(map) {
      if (map) map.element.append(this.button);
      else this.button.remove();
    }
  }

  const station = { name: "西溪站", location: at(120.08, 30.27) };

  class AutoComplete {
    search(words, done) {
      if (!words.includes("西溪")) return done("no_data", {});
      // A tip that only repeats the search words has no location.
      const plain = { name: words, district: [], address: [], location: "" };
      const tip = { ...station, district: "浙江省杭州市西湖区", address: "天目山路" };
      return done("complete", { tips: [plain, tip] });
    }
  }

  class PlaceSearch {
    search(words, done) {
      if (words === "坏了") return done("error", {});
      if (!words.includes("西溪")) return done("no_data", {});
      const district = { pname: "浙江省", cityname: "杭州市", adname: "西湖区", address: [] };
      return done("complete", { poiList: { pois: [{ ...station, ...district }] } });
    }
  }

  class Geocoder {
    getAddress([lng, lat], done) {
      const road = `测试路 ${lng.toFixed(3)},${lat.toFixed(3)}`;
      const addressComponent = {
        province: "浙江省",
        city: "杭州市",
        district: "西湖区",
        township: "蒋村街道",
      };
      const formattedAddress = `浙江省杭州市西湖区蒋村街道${road}`;
      done("complete", { regeocode: { formattedAddress, addressComponent } });
    }
  }

  class Geolocation {
    getCurrentPosition(done) {
      done("complete", { position: at(120.155, 30.274), location_type: "ip" });
    }
  }

  /** Shifts by 0.005 degrees, about as far as GCJ-02 is from WGS-84. */
  const convertFrom = ([lng, lat], _type, done) =>
    done("complete", { locations: [at(lng + 0.005, lat + 0.005)] });

  const [Scale, ToolBar] = [class {}, class {}];
  const parts = { Marker, AutoComplete, PlaceSearch, Geocoder, Geolocation, Scale, ToolBar };
  window.AMap = { Map: PlainMap, convertFrom, ...parts };
  window[query.get("callback")]();
})();
