import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Series } from '~/api/types'
import { violations } from './harness/axe'
import { closeBrowser, guarded, inTab, openTab, type Tab } from './harness/browser'
import { begin, plays, time } from './harness/playing'
import { hasLine, settled } from './harness/ready'
import { Server } from './harness/server'

const pages = ['/', '/jobs', '/jobs?add=1', '/files', '/files?path=/content/movies', '/torrents', '/releases', '/providers', '/library', '/checks', '/settings', '/users', '/backups', '/logs', '/about',
  '/setup?step=provider', '/setup?step=play', '/setup?step=arrs', '/setup?step=over', '/play/FILM']
const shots = process.env.NZBDAV_SHOTS

/** What a page has to show besides its frame. */
const shown: Record<string, (page: Page) => Promise<void>> = {
  '/': hasLine,
  '/jobs?add=1': (page) => page.getByRole('dialog', { name: 'Add' }).waitFor(),
}

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

// Every page of the demo, in all four looks: nothing in the console, nothing for axe-core, nothing wider than the window. With NZBDAV_SHOTS each leaves its picture there.
// One window for each width: a page is loaded once in it, in the first scheme, and changes to the other one where it stands, as it does at dusk.
describe.each([[1440, ['light', 'dark']], [390, ['dark', 'light']]] as const)('%i px', (width, schemes) => {
  let tab: Tab
  beforeAll(async () => {
    tab = await openTab(demo, { path: null, width, scheme: schemes[0] })
  })
  afterAll(async () => tab.close())

  it.each(pages)('%s', async (path) => {
    await guarded(tab, async ({ page }) => {
      await page.emulateMedia({ colorScheme: schemes[0] })
      await tab.open(path.replace('FILM', film))
      for (const scheme of schemes) {
        await page.emulateMedia({ colorScheme: scheme })
        await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor()
        await settled(page)
        await shown[path]?.(page)
        if (shots !== undefined) {
          mkdirSync(shots, { recursive: true })
          const name = path.replace(/^\//, '').replace(/[^a-z0-9]+/gi, '-').toLowerCase() || 'overview'
          await page.screenshot({ path: join(shots, `${name}-${width}-${scheme}.png`) })
        }
        const found = await violations(page)
        if (found.length > 0) throw new Error(`${scheme}: ${found.join('\n')}`)
        expect(await page.evaluate(() => document.documentElement.scrollWidth), scheme).toBeLessThanOrEqual(width)
      }
    })
  })
})

describe('a page of the demo', () => {
  it('comes whole: nothing moves on a phone while the overview is read', async () => {
    await inTab(demo, { path: null, width: 390 }, async ({ page }) => {
      await page.addInitScript(() => {
        const shifts: number[] = []
        Object.assign(window, { shifts })
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value)
        }).observe({ type: 'layout-shift', buffered: true })
      })
      await page.goto(demo.url)
      await hasLine(page)
      await settled(page)
      const sum = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts.reduce((all, one) => all + one, 0))
      expect(sum).toBeLessThanOrEqual(0.05)
    })
  })

  it('offers no form for the provider that the demo brings, and says why', async () => {
    await inTab(demo, { path: '/providers' }, async ({ page }) => {
      await page.getByText(/^The demo reads from a provider of its own\./).waitFor()
      await page.locator('[data-provider="0"]').waitFor()
      expect(await page.getByRole('link', { name: /^Edit/ }).count()).toBe(0)
      await page.goto(new URL('providers?edit=0', demo.url).href)
      await page.getByRole('dialog').getByText(/^The demo reads from a provider of its own\./).waitFor()
    })
  })

  it('shows the details of a line of the log beside the line, both in sight', async () => {
    await inTab(demo, { path: '/logs' }, async ({ page }) => {
      const line = page.getByRole('option').last()
      await line.click()
      const details = page.getByRole('region', { name: 'Selected line' })
      await details.waitFor()
      const height = page.viewportSize()?.height ?? 0
      for (const part of [details, page.getByRole('option', { selected: true })]) {
        const box = await part.boundingBox()
        expect(box).not.toBeNull()
        expect((box?.y ?? height) + (box?.height ?? 0)).toBeLessThanOrEqual(height)
      }
    })
  })
})

describe('the films of the demo', () => {
  it('has its films found by name, played in the page, and sought in', async () => {
    await inTab(demo, { path: '/files' }, async ({ page }) => {
      await settled(page)
      await page.keyboard.press('/')
      await page.keyboard.type('demo mkv')
      await page.getByRole('grid').getByRole('link', { name: /\.mkv$/ }).first().click()
      await page.getByRole('complementary').getByRole('link', { name: 'Play' }).click()
      await plays(page, 0.5)
      // Six tenths of 75 s.
      await page.keyboard.press('6')
      await plays(page, 45)
      await page.keyboard.press('j')
      await plays(page, 35)
      expect(await time(page)).toBeLessThan(45)
      await page.keyboard.press('k')
      expect(await page.evaluate(() => document.querySelector('video')?.paused)).toBe(true)
      // Where one stopped is kept.
      await page.goBack()
      await page.getByRole('complementary').getByRole('link', { name: 'Play' }).click()
      await page.getByText(/^Resumed at 0:/).waitFor()
      await plays(page, 35)
    })
  })

  it('shows statistics of the stream and the keyboard shortcuts on demand', async () => {
    const found = await demo.call<{ items: { id: string; name: string }[] }>('GET', 'api/v1/files/search?query=demo%20mkv')
    await inTab(demo, { path: `/play/${found.items[0]?.id ?? ''}` }, async ({ page }) => {
      await begin(page)
      await page.keyboard.press('i')
      await page.getByRole('region', { name: 'Stream statistics' }).getByText('640 × 360').waitFor()
      await page.keyboard.press('?')
      const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
      await keys.waitFor()
      const [box, stage] = [await keys.boundingBox(), await page.evaluate(() => document.documentElement.clientWidth)]
      expect(Math.abs((box?.x ?? 0) + (box?.width ?? 0) / 2 - stage / 2)).toBeLessThan(10)
      await page.keyboard.press('Escape')
    })
  })
})
