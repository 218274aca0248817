let ahead = 0

/** Takes the server's time as the stream tells it: a browser's clock may be minutes off, and "next try in 40 s" is of the server's. */
export function setServerTime(time: string, now = Date.now()): void {
  const server = Date.parse(time)
  if (!Number.isNaN(server)) ahead = server - now
}

/** Milliseconds that the server's clock is ahead of this browser's. */
export function serverAhead(): number {
  return ahead
}
