/** Priorities as SABnzbd counts them. */
export const priorities = [
  { name: 'force', value: 2 },
  { name: 'high', value: 1 },
  { name: 'normal', value: 0 },
  { name: 'low', value: -1 },
] as const
