/**
 * Gives what asks for a look at the log: one look at a time, and one more if it was asked for meanwhile or the look says that there is more. A look that fails is not repeated:
 * the stream tells when the server is back.
 * @param look True if more lines wait than one call brings.
 */
export function looker(look: () => Promise<boolean>): () => void {
  let running = false
  let again = false
  return () => {
    again = true
    if (running) return
    running = true
    void (async () => {
      while (again) {
        again = false
        again = await look().catch(() => false) || again
      }
      running = false
    })()
  }
}
