import { afterAll, beforeAll, describe, it } from 'vitest'
import { closeBrowser, openTab } from '../harness/browser'
import { News } from '../harness/news'
import { Server } from '../harness/server'
import { asked, say } from './figures'
import { churn, fill } from './jobs'

const seconds = asked('NZBDAV_MEASURE_SECONDS', 120)
const Looks = 8

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

  it('of pages that stay open while rows change four times a second', async () => {
    const tabs = []
    for (const path of ['/', '/jobs', '/providers']) {
      const tab = await openTab(server, { as: 'administrator', path })
      await tab.page.locator('h1').first().waitFor()
      const cdp = await tab.page.context().newCDPSession(tab.page)
      await cdp.send('Network.enable')
      const seen = { events: 0 }
      cdp.on('Network.eventSourceMessageReceived', () => seen.events++)
      tabs.push({ path, tab, cdp, seen })
    }
    const stop = churn(server)
    say(`page, heap MB by time`, 'second', 'heap MB', 'DOM nodes', 'listeners', 'documents', 'events')
    const began = performance.now()
    for (let look = 0; look <= Looks; look++) {
      await new Promise((next) => setTimeout(next, Math.max(0, began + (look * seconds * 1000) / Looks - performance.now())))
      for (const { path, cdp, seen } of tabs) {
        // Twice: what the first collection finds dead may hold others.
        await cdp.send('HeapProfiler.collectGarbage')
        await cdp.send('HeapProfiler.collectGarbage')
        const heap = await cdp.send('Runtime.getHeapUsage')
        const dom = await cdp.send('Memory.getDOMCounters')
        say(path, (performance.now() - began) / 1000, heap.usedSize / 1e6, dom.nodes, dom.jsEventListeners, dom.documents, seen.events)
      }
    }
    await stop()
    for (const { tab } of tabs) await tab.context.close()
  })
})
