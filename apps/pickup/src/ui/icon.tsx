// Line icons of the page, drawn on a grid of 24.

const paths = {
  store: "M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8",
  pickup: "M4 14v5h16v-5M12 15V4M7.5 8.5L12 4l4.5 4.5",
  home: "M4 11l8-7 8 7v9h-5v-6H9v6H4z",
  parcels: "M4 7h16v13H4zM4 7l3-4h10l3 4M9 11h6",
  person: "M12 12a4 4 0 100-8 4 4 0 000 8zM4 21c1-5 4-7 8-7s7 2 8 7",
  wallet: "M4 7h15v12H4zM4 7l11-4v4M15 13h1",
  card: "M3 6h18v12H3zM3 10h18M7 15h4",
  notice: "M6 17V11a6 6 0 0112 0v6l2 2H4zM10 21h4",
  text: "M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6",
  help: "M12 21a9 9 0 100-18 9 9 0 000 18zM9.5 9.5a2.5 2.5 0 113.5 2.3c-.7.4-1 .8-1 1.7M12 17h.01",
  report: "M12 4l9 16H3zM12 10v4M12 17h.01",
  phone: "M6 3h4l1.5 5L9 10c1 2.500 2.500 4 5 5l2-2.500 5 1.500v4c-9 2-18-7-15-15z",
  place:
    "M12 21c5-5 7-8 7-11a7 7 0 10-14 0c0 3 2 6 7 11zM12 12.500a2.500 2.500 0 100-5 2.500 2.500 0 000 5z",
  clock: "M12 21a9 9 0 100-18 9 9 0 000 18zM12 7v5l3 2",
  next: "M9 5l7 7-7 7",
  back: "M15 5l-7 7 7 7",
  done: "M5 13l5 5 9-11",
  warn: "M12 6v8M12 18h.01",
  camera:
    "M4 8h4l1.500-2h5L16 8h4v11H4zM12 16.500a3.200 3.200 0 100-6.400 3.200 3.200 0 000 6.400z",
} as const;

export type IconName = keyof typeof paths;

/** Icon of a parcel by the part that the person has in it. */
export const roleIcon = { RECIPIENT: "pickup", RIDER: "store" } as const;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
