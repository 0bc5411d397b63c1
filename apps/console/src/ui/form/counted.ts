// Counter below an input: counts characters as the server does, an emoji as one.

/** `count` of antd's inputs; text beyond `max` is kept and marked, and the form's check names it. */
export const counted = (max?: number) => ({
  show: true,
  strategy: (text: string) => [...text].length,
  ...(max && { max }),
});
