// Miniature of a cabinet's screen with an advert at its position.
import type { AdvertFile } from "@cabinet/contract/fleet/advert/advert.contract.ts";
import {
  type AdvertPosition,
  advertPositionSize,
  advertPositionText,
} from "@cabinet/contract/fleet/advert/advert.rules.ts";
import { AdvertMedia } from "./advert-media.tsx";
import "./advert-screen.css";

interface AdvertScreenProps {
  position: AdvertPosition;
  /** Null: shows only the position. */
  file: AdvertFile | null;
  title: string;
}

export function AdvertScreen({ position, file, title }: AdvertScreenProps) {
  const { width, height } = advertPositionSize[position];
  return (
    <figure className="advert-screen">
      <div className="advert-screen-glass scheme-light" data-position={position}>
        {position === "HOME" && <span className="advert-screen-bar">智能存取柜</span>}
        <div className="advert-screen-place" style={{ aspectRatio: `${width} / ${height}` }}>
          {file ? (
            <AdvertMedia file={file} alt={title || "广告"} />
          ) : (
            <span className="advert-media-note">
              {width}×{height}
            </span>
          )}
        </div>
        {position === "HOME" && <HomeScreen />}
        {position === "PICKUP" && <PickupScreen />}
      </div>
      <figcaption>{advertPositionText[position]}</figcaption>
    </figure>
  );
}

function HomeScreen() {
  return (
    <div className="advert-screen-home" aria-hidden="true">
      <i>取件</i>
      <i>存件</i>
    </div>
  );
}

const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "清空", "0", "确认"];

function PickupScreen() {
  return (
    <div className="advert-screen-pickup" aria-hidden="true">
      <span>请输入取件码</span>
      <b />
      <div>
        {KEYS.map((key) => (
          <i key={key}>{key}</i>
        ))}
      </div>
    </div>
  );
}
