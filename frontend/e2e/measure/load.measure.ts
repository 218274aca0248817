import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { closeBrowser, openTab } from '../harness/browser'
import { Server } from '../harness/server'
import { asked, median, percentile, say } from './figures'

const pages = ['/', '/jobs', '/files', '/files?path=/content/movies', '/torrents', '/providers', '/library', '/settings', '/users', '/backups', '/logs', '/about']

/** What the watch in the page leaves there. */
type Watch = { usable: number | null; blocked: number; longest: number; shift: number }
declare global {
  interface Window { watch: Watch }
}

/** Runs before the page. Usable: from here on its heading stands and nothing says that it still loads. */
function watch() {
  const it: Watch = { usable: null, blocked: 0, longest: 0, shift: 0 }
  window.watch = it
  const look = () => {
    const ready = document.querySelector('main h1, h1') !== null && document.querySelector('.mantine-Skeleton-root, main [aria-busy=true]') === null
    if (!ready) it.usable = null
    else it.usable ??= performance.now()
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      it.blocked += Math.max(0, duration - 50)
      it.longest = Math.max(it.longest, duration)
    }
  }).observe({ type: 'longtask', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) if (!entry.hadRecentInput) it.shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
}

/** Bytes and answers that come, as they are on the line. The live stream never ends: what it brings does not count. */
async function counted(page: Page) {
  const sums = { bytes: 0, requests: 0 }
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Network.enable')
  cdp.on('Network.loadingFinished', ({ encodedDataLength }) => {
    sums.bytes += encodedDataLength
    sums.requests++
  })
  return sums
}

describe('the first load', () => {
  let server: Server
  beforeAll(async () => {
    server = await Server.start({ demo: true })
  })
  afterAll(async () => {
    await closeBrowser()
    await server.stop()
  })

  it('of each page, with nothing in the cache', async () => {
    const rounds = asked('NZBDAV_MEASURE_ROUNDS', 7)
    // The first answers of a server that was just started are its own warming up.
    await run('/')
    say(`page, median of ${rounds}`, 'kB', 'requests', 'FCP ms', 'usable ms', 'slowest ms', 'TBT ms', 'long task', 'CLS')
    for (const path of pages) {
      const all: Awaited<ReturnType<typeof run>>[] = []
      for (let round = 0; round < rounds; round++) all.push(await run(path))
      const of = (name: 'kB' | 'requests' | 'paint' | 'usable' | 'blocked' | 'longest' | 'shift') => median(all.map((one) => one[name]))
      say(path, of('kB'), of('requests'), of('paint'), of('usable'), percentile(all.map((one) => one.usable), 1), of('blocked'), of('longest'), of('shift').toFixed(3))
    }
  })

  async function run(path: string) {
    const { page, context } = await openTab(server, { path: null })
    await page.addInitScript(watch)
    const sums = await counted(page)
    await page.goto(new URL(path.replace(/^\//, ''), server.url).href)
    // What stands for half a second stands for good.
    await page.waitForFunction(() => window.watch.usable !== null && performance.now() - window.watch.usable > 500)
    const seen = await page.evaluate(() => ({ ...window.watch, paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN }))
    await context.close()
    return { ...seen, usable: seen.usable ?? NaN, kB: sums.bytes / 1000, requests: sums.requests }
  }
})
