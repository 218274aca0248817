import type { Page } from 'playwright-core'

/** Waits until the page stands: a heading is there and nothing says that it loads. The live stream never ends, so "networkidle" would never come. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1, h2').first().waitFor()
  await says('the page still loads', page.waitForFunction(() => document.querySelector('.mantine-Skeleton-root') === null))
}

/** Waits until the chart shows the line of provider 0: pixels of its colour, which neither grid nor letters have. Only what rises above zero is seen: the line of torrents is drawn over it. */
export async function hasLine(page: Page): Promise<void> {
  await says('the chart shows no line of provider 0', page.waitForFunction(() => {
    const canvas = document.querySelector('canvas')
    const pixels = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data
    const colour = getComputedStyle(document.documentElement).getPropertyValue('--nz-line-0').trim().slice(1)
    const parts = [0, 2, 4].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
    let count = 0
    for (let at = 0; pixels !== undefined && at < pixels.length; at += 4) if ((pixels[at + 3] ?? 0) > 60 && parts.every((part, of) => Math.abs((pixels[at + of] ?? 0) - part) < 12)) count++
    return count > 15
  }))
}

/** Adds to the error of a wait what was not so. */
async function says(what: string, wait: Promise<unknown>): Promise<void> {
  await wait.catch((error: unknown) => {
    throw new Error(`${what}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  })
}
