import type { Page } from 'playwright-core'

/** Waits until the page stands: a heading is there and nothing says that it loads. The live stream never ends, so "networkidle" would never come. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1, h2').first().waitFor()
  await page.waitForFunction(() => document.querySelector('.mantine-Skeleton-root') === null)
}
