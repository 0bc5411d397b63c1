// Counter of a text field: characters as people count them. It cuts nothing; the form's check refuses what is too long.

interface Counted {
  count: { show: boolean; max: number; strategy: (text: string) => number };
}

export function counted(max: number): Counted {
  return { count: { show: true, max, strategy: (text) => [...text].length } };
}
