import { writeFileSync } from 'node:fs'
import type { CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { closeBrowser, inTab } from '../harness/browser'
import { settled } from '../harness/ready'
import { Server } from '../harness/server'
import { asked, percentile, say } from './figures'
import { churn, fill } from './jobs'

const seconds = asked('NZBDAV_MEASURE_SECONDS', 8)
const Frame = 1000 / 60

/** Scrolls the list by so many pixels a frame, to and fro, and gives the time between frames. */
async function scrolled(page: Page, forMs: number, pixels: number): Promise<number[]> {
  return page.evaluate(async ({ forMs, pixels }) => {
    const grid = document.querySelector<HTMLElement>('[role=grid]')
    if (grid === null) throw new Error('there is no list')
    return new Promise<number[]>((done) => {
      const gaps: number[] = []
      const began = performance.now()
      // Read once: to read it in each frame would make the browser lay out twice.
      const most = grid.scrollHeight - grid.clientHeight
      let [last, by, at] = [began, pixels, grid.scrollTop]
      const step = (now: number) => {
        gaps.push(now - last)
        last = now
        if (now - began > forMs) return done(gaps.slice(2))
        if (at + by > most || at + by < 0) by = -by
        at += by
        grid.scrollTop = at
        requestAnimationFrame(step)
      }
      requestAnimationFrame(step)
    })
  }, { forMs, pixels })
}

async function work(cdp: CDPSession): Promise<Record<string, number>> {
  const { metrics } = await cdp.send('Performance.getMetrics')
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value * 1000]))
}

describe('frames', () => {
  let server: Server
  beforeAll(async () => {
    server = await Server.start()
    await fill(server, asked('NZBDAV_MEASURE_JOBS', 5000))
  })
  afterAll(async () => {
    await closeBrowser()
    await server.stop()
  })

  it('of a scroll through a long list, at rest and while its rows change four times a second', async () => {
    say(`jobs, ${seconds} s of scroll`, 'frames', 'median ms', 'p95', 'p99', 'longest', 'dropped', 'task/frame', 'script', 'style', 'layout', 'events')
    await inTab(server, { as: 'administrator', path: '/jobs' }, async ({ page }) => {
      await settled(page)
      await page.locator('[role=row][data-index="3"]').waitFor()
      const cdp = await page.context().newCDPSession(page)
      await cdp.send('Performance.enable')
      let events = 0
      await cdp.send('Network.enable')
      cdp.on('Network.eventSourceMessageReceived', ({ eventName }) => { if (eventName === 'jobs') events++ })
      const run = async (name: string, pixels = 20) => {
        events = 0
        const before = await work(cdp)
        const gaps = await scrolled(page, seconds * 1000, pixels)
        const after = await work(cdp)
        const each = (what: string) => ((after[what] ?? 0) - (before[what] ?? 0)) / gaps.length
        const dropped = gaps.reduce((sum, gap) => sum + Math.max(0, Math.round(gap / Frame) - 1), 0)
        say(name, gaps.length, percentile(gaps, 0.5), percentile(gaps, 0.95), percentile(gaps, 0.99), percentile(gaps, 1), dropped, each('TaskDuration'), each('ScriptDuration'), each('RecalcStyleDuration'), each('LayoutDuration'), events)
      }
      await run('warm-up')
      await run('nothing changes')
      const stop = churn(server)
      await page.waitForFunction(() => document.querySelector('[role=grid]') !== null)
      await server.until(() => Promise.resolve(events > 0), 'rows change')
      const profile = process.env.NZBDAV_MEASURE_PROFILE
      if (profile !== undefined) {
        await cdp.send('Profiler.enable')
        await cdp.send('Profiler.start')
      }
      await run('40 rows change, 4/s')
      await run('the same, 120 px a frame', 120)
      if (profile !== undefined) writeFileSync(profile, JSON.stringify((await cdp.send('Profiler.stop')).profile))
      await stop()
    })
  })
})
