// Chunk of antd's Modal and Drawer.
export { default as Drawer } from "antd/es/drawer";
export { default as Modal } from "antd/es/modal";
