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

/** What came over the line, with headers: until the page was usable, and in all. What still runs, as the live stream does, does not count. */
function seen() {
  const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')] as PerformanceResourceTiming[]
  const paint = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN
  // What a frame finds there is painted at its end, and not before the first paint.
  const usable = Math.max(window.watch.usable ?? NaN, paint)
  const first = entries.filter((entry) => entry.responseEnd > 0 && entry.responseEnd <= usable)
  const kB = (some: readonly PerformanceResourceTiming[]) => some.reduce((sum, entry) => sum + entry.transferSize, 0) / 1000
  return { ...window.watch, paint, usable, kB: kB(first), requests: first.length, allKB: kB(entries), allRequests: entries.length, names: first.map((entry) => `${new URL(entry.name).pathname} ${entry.transferSize}`) }
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
    const { names } = await run('/')
    if (process.env.NZBDAV_MEASURE_NAMES !== undefined) for (const name of names) say(name)
    say(`page, median of ${rounds}`, 'kB', 'requests', 'kB later', 'requests', 'FCP ms', 'usable ms', 'slowest ms', 'TBT ms', 'long task', 'CLS')
    for (const path of pages) {
      const all: Awaited<ReturnType<typeof run>>[] = []
      for (let round = 0; round < rounds; round++) all.push(await run(path))
      const of = (name: 'kB' | 'requests' | 'allKB' | 'allRequests' | 'paint' | 'usable' | 'blocked' | 'longest' | 'shift') => median(all.map((one) => one[name]))
      say(path, of('kB'), of('requests'), of('allKB') - of('kB'), of('allRequests') - of('requests'), of('paint'), of('usable'), percentile(all.map((one) => one.usable), 1), of('blocked'), of('longest'), of('shift').toFixed(3))
    }
  })

  async function run(path: string) {
    const { page, context } = await openTab(server, { path: null })
    await page.addInitScript(watch)
    await page.goto(new URL(path.replace(/^\//, ''), server.url).href)
    // What stands for half a second stands for good.
    await page.waitForFunction(() => window.watch.usable !== null && performance.now() - window.watch.usable > 500)
    const result = await page.evaluate(seen)
    await context.close()
    return result
  }
})
