import type { CDPSession } from 'playwright-core'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { closeBrowser, openTab } from '../harness/browser'
import { News } from '../harness/news'
import { Server } from '../harness/server'
import { asked, say } from './figures'
import { churn, fill } from './jobs'

const seconds = asked('NZBDAV_MEASURE_SECONDS', 120)
const Looks = 8
const pages = (process.env.NZBDAV_MEASURE_PAGES ?? '/,/jobs,/providers').split(',')

declare global {
  interface Window { replay: { source: EventTarget | null; kept: Map<string, MessageEvent<string>[]>; said: number; running: boolean } }
}

/** Keeps the stream and its latest events, so that they can be told over and over. Runs before the page. */
function keep() {
  const replay: Window['replay'] = { source: null, kept: new Map(), said: 0, running: false }
  window.replay = replay
  window.EventSource = class extends EventSource {
    constructor(url: string | URL) {
      super(url)
      replay.source = this
      for (const name of ['jobs', 'streams', 'status', 'providers', 'torrents']) {
        this.addEventListener(name, (event: MessageEvent<string>) => {
          replay.said++
          if (!replay.running) replay.kept.set(name, [...(replay.kept.get(name) ?? []).slice(-9), event])
        })
      }
    }
  }
}

/** Tells the kept events again, one of each name a frame. */
function start() {
  const { replay } = window
  replay.running = true
  let at = 0
  const step = () => {
    if (!replay.running) return
    at++
    for (const [name, events] of replay.kept) replay.source?.dispatchEvent(new MessageEvent(name, { data: events[at % events.length]?.data }))
    requestAnimationFrame(step)
  }
  requestAnimationFrame(step)
}

async function look(cdp: CDPSession) {
  // Twice: what the first collection finds dead may hold others.
  await cdp.send('HeapProfiler.collectGarbage')
  await cdp.send('HeapProfiler.collectGarbage')
  return [(await cdp.send('Runtime.getHeapUsage')).usedSize / 1e6, ...Object.values(await cdp.send('Memory.getDOMCounters'))]
}

describe('memory', () => {
  let news: News
  let server: Server
  beforeAll(async () => {
    news = await News.start()
    server = await Server.start({ env: news.settings() })
    await fill(server, asked('NZBDAV_MEASURE_JOBS', 5000))
  })
  afterAll(async () => {
    await closeBrowser()
    await server.stop()
    await news.stop()
  })

  it.each([['as they come', 4], ['again and again, one of each kind a frame', 60]])('of pages that stay open while rows change: events %s', async (name, rate) => {
    const tabs = []
    for (const path of pages) {
      const tab = await openTab(server, { as: 'administrator', path: null })
      await tab.page.addInitScript(keep)
      await tab.open(path)
      await tab.page.locator('h1').first().waitFor()
      tabs.push({ path, tab, cdp: await tab.context.newCDPSession(tab.page) })
    }
    let stop = churn(server)
    if (rate > 4) {
      for (const { tab } of tabs) await tab.page.waitForFunction(() => (window.replay.kept.get('jobs')?.length ?? 0) > 5)
      await stop()
      stop = () => Promise.resolve()
      for (const { tab } of tabs) await tab.page.evaluate(start)
    }
    say(`events ${name}`)
    say('page', 'second', 'heap MB', 'documents', 'DOM nodes', 'listeners', 'events')
    const began = performance.now()
    for (let at = 0; at <= Looks; at++) {
      await new Promise((next) => setTimeout(next, Math.max(0, began + (at * seconds * 1000) / Looks - performance.now())))
      for (const { path, tab, cdp } of tabs) say(path, (performance.now() - began) / 1000, ...await look(cdp), await tab.page.evaluate(() => window.replay.said))
    }
    await stop()
    for (const { tab } of tabs) await tab.context.close()
  })
})
