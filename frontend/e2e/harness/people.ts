/** The users that `Server.start` makes. */
export const people = {
  administrator: { username: 'anna', password: 'correct horse battery' },
  operator: { username: 'otto', password: 'correct horse operator' },
  viewer: { username: 'vera', password: 'correct horse viewer' },
} as const
export type Role = keyof typeof people
