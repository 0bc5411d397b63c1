// Builds a tree of provinces, cities and districts from a table of six-digit codes.

export interface Region {
  value: string;
  label: string;
  children?: Region[];
}

type Names = Readonly<Record<string, string>>;

export interface RegionTable {
  province_list: Names;
  city_list: Names;
  county_list: Names;
}

/** Levels that exist only in the codes: their children are listed directly under the province. */
const NAMELESS = /^(县|市辖区|省直辖县|自治区直辖县)$/;

/** Names by the code of their parent: searching 3,000 districts once per city blocks the page for 250 ms. */
function byParent(names: Names, prefixLength: number) {
  return Map.groupBy(Object.entries(names), ([code]) => code.slice(0, prefixLength));
}

const leaf = (name: string): Region => ({ value: name, label: name });

export function regionTree({ province_list, city_list, county_list }: RegionTable): Region[] {
  const cities = byParent(city_list, 2);
  const counties = byParent(county_list, 4);
  return Object.entries(province_list).map(([code, province]) => {
    const children = (cities.get(code.slice(0, 2)) ?? []).flatMap(([cityCode, city]): Region[] => {
      const districts = (counties.get(cityCode.slice(0, 4)) ?? []).map(([, name]) => leaf(name));
      if (city === province || NAMELESS.test(city)) return districts;
      return [districts.length > 0 ? { ...leaf(city), children: districts } : leaf(city)];
    });
    return { ...leaf(province), children };
  });
}

/** Formats as `浙江省 杭州市 西湖区`. */
export function regionText(path: readonly string[]): string {
  return path.join(" ");
}

export function regionPath(text: string): string[] {
  return text.split(/\s+/).filter((part) => part !== "");
}
