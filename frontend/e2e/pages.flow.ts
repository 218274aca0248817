import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Series } from '~/api/types'
import { violations } from './harness/axe'
import { closeBrowser, inTab } from './harness/browser'
import { hasLine, settled } from './harness/ready'
import { Server } from './harness/server'

const pages = ['/', '/jobs', '/jobs?add=1', '/files', '/files?path=/content/movies', '/torrents', '/providers', '/library', '/checks', '/settings', '/users', '/backups', '/logs', '/about',
  '/setup?step=provider', '/setup?step=play', '/setup?step=arrs', '/setup?step=over', '/play/FILM']
const shots = process.env.NZBDAV_SHOTS

/** What a page has to show besides its frame. */
const shown: Record<string, (page: Page) => Promise<void>> = {
  '/': hasLine,
  '/jobs?add=1': (page) => page.getByRole('dialog', { name: 'Add' }).waitFor(),
}

// Every page of the demo, in all four looks: nothing in the console, nothing for axe-core, nothing wider than the window. With NZBDAV_SHOTS each leaves its picture there.
let demo: Server
let film = ''
beforeAll(async () => {
  demo = await Server.start({ demo: true })
  const found = await demo.call<{ items: { id: string; path: string }[] }>('GET', 'api/v1/files/search?query=mkv&limit=1')
  film = found.items[0]?.id ?? ''
  await draw(found.items[0]?.path ?? '')
})
afterAll(async () => {
  await closeBrowser()
  await demo.stop()
})

/** Reads the film of the post once: what the import took is a line too flat to be seen beside the demo's torrent. */
async function draw(path: string): Promise<void> {
  const body = await fetch(new URL(`dav${encodeURI(path)}`, demo.url)).then((response) => response.arrayBuffer())
  expect(body.byteLength).toBeGreaterThan(2_000_000)
  await demo.until(async () => {
    const { lines } = await demo.call<Series>('GET', 'api/v1/series?span=hour')
    const sum = lines.find((line) => line.name === 'provider.0')?.values.reduce<number>((total, value) => total + (value ?? 0), 0)
    return (sum ?? 0) > 500_000
  }, 'the film is in the series of the provider')
}

describe.each([['light', 1440], ['dark', 1440], ['light', 390], ['dark', 390]] as const)('%s, %i px', (scheme, width) => {
  it.each(pages)('%s', async (path) => {
    await inTab(demo, { path: path.replace('FILM', film), scheme, width }, async ({ page }) => {
      await settled(page)
      await shown[path]?.(page)
      if (shots !== undefined) {
        mkdirSync(shots, { recursive: true })
        const name = path.replace(/^\//, '').replace(/[^a-z0-9]+/gi, '-').toLowerCase() || 'overview'
        await page.screenshot({ path: join(shots, `${name}-${width}-${scheme}.png`) })
      }
      const found = await violations(page)
      if (found.length > 0) throw new Error(found.join('\n'))
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    })
  })
})
