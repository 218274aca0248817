/** How long a player may take to come to the front before its scheme counts as one that nobody owns. */
export const Patience = 1500

/**
 * Follows a link of a player's scheme. True if the page lost the focus: something opened. A scheme that nobody owns fails silently, so the answer is false when nothing
 * has happened after 1.5 s.
 */
export async function launch(link: string, go: (link: string) => void = follow): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (opened: boolean) => {
      clearTimeout(timer)
      window.removeEventListener('blur', left)
      window.removeEventListener('pagehide', left)
      document.removeEventListener('visibilitychange', left)
      resolve(opened)
    }
    const left = () => end(true)
    const timer = setTimeout(() => end(false), Patience)
    window.addEventListener('blur', left)
    window.addEventListener('pagehide', left)
    document.addEventListener('visibilitychange', left)
    go(link)
  })
}

function follow(link: string): void {
  const anchor = document.createElement('a')
  anchor.href = link
  anchor.click()
}
