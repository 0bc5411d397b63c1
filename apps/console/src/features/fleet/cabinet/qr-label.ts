// Draws a cabinet's label: QR code of its web page with the standard's quiet zone, name, number.
import { cabinetPagePath } from "@cabinet/contract/orders/app/app-page.rules.ts";
import qrcode from "qrcode-generator";

const WIDTH = 600;
const QUIET_MODULES = 4;
const TEXT_HEIGHT = 130;

/** Black on white in every theme. Modules are whole pixels, so that every scanner reads them. */
export function drawQrLabel(canvas: HTMLCanvasElement, name: string, sn: string): void {
  const code = qrcode(0, "M");
  code.addData(window.location.origin + cabinetPagePath(sn));
  code.make();
  const count = code.getModuleCount();
  const size = Math.floor(WIDTH / (count + QUIET_MODULES * 2));
  const left = Math.floor((WIDTH - count * size) / 2);
  canvas.width = WIDTH;
  canvas.height = WIDTH + TEXT_HEIGHT - QUIET_MODULES * size;
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("浏览器不能绘制图片");
  pen.fillStyle = "#ffffff";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = "#000000";
  for (let row = 0; row < count; row++) {
    for (let column = 0; column < count; column++) {
      if (!code.isDark(row, column)) continue;
      pen.fillRect(left + column * size, left + row * size, size, size);
    }
  }
  const { fontFamily } = getComputedStyle(document.body);
  const middle = WIDTH / 2;
  const bottom = left + count * size;
  pen.textAlign = "center";
  pen.font = `600 40px ${fontFamily}`;
  pen.fillText(name, middle, bottom + 66, WIDTH - left);
  pen.font = `32px ${fontFamily}`;
  pen.fillText(sn, middle, bottom + 116, WIDTH - left);
}
