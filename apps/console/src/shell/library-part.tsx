// Parts of the shell that need the component library, which the shell itself does without.
import type { ComponentType } from "react";

export const loadLibrary = () => import("./antd-provider.tsx");

/** Loads the library with the part. */
export async function inLibrary<Props extends object>(
  load: Promise<ComponentType<Props>>,
): Promise<ComponentType<Props>> {
  const [{ AntdProvider }, Part] = await Promise.all([loadLibrary(), load]);
  return (props: Props) => (
    <AntdProvider>
      <Part {...props} />
    </AntdProvider>
  );
}
