import type { Page } from 'playwright-core'

/** Where the film is, in seconds; -1: there is none. */
export const time = async (page: Page) => page.evaluate(() => document.querySelector('video')?.currentTime ?? -1)
/** Waits until it plays beyond a second. */
export const plays = async (page: Page, from: number) => page.waitForFunction((least) => {
  const video = document.querySelector('video')
  return video !== null && !video.paused && !video.seeking && video.currentTime > least
}, from)

/** Waits until it plays. Browsers may refuse to begin without a click where a page was opened by its address. */
export async function begin(page: Page): Promise<void> {
  await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= HTMLMediaElement.HAVE_CURRENT_DATA)
  if (await page.evaluate(() => document.querySelector('video')?.paused)) await page.keyboard.press('k')
  await plays(page, 0.2)
}
