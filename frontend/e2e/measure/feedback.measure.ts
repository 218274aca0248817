import { afterAll, beforeAll, describe, it } from 'vitest'
import { closeBrowser, inTab } from '../harness/browser'
import { News } from '../harness/news'
import { settled } from '../harness/ready'
import { Server } from '../harness/server'
import { asked, median, percentile, say } from './figures'
import { fill } from './jobs'

const rounds = asked('NZBDAV_MEASURE_ROUNDS', 7)

describe('feedback', () => {
  let news: News
  let server: Server
  beforeAll(async () => {
    news = await News.start()
    server = await Server.start({ env: news.settings() })
    // Few: what is added stands in the window, too.
    await fill(server, 5)
  })
  afterAll(async () => {
    await closeBrowser()
    await server.stop()
    await news.stop()
  })

  it('on a dropped file', async () => {
    await inTab(server, { as: 'administrator', path: '/jobs' }, async ({ page }) => {
      await settled(page)
      await page.locator('[role=row][data-index="3"]').waitFor()
      const [shown, listed]: [number[], number[]] = [[], []]
      for (let round = 0; round < rounds; round++) {
        const times = await page.evaluate(async (name) => {
          const transfer = new DataTransfer()
          transfer.items.add(new File([`<?xml version="1.0"?><nzb xmlns="http://www.newzbin.com/DTD/2003/nzb"><file poster="a" date="1700000000" subject="&quot;${name}.mkv&quot; yEnc (1/1)"><groups><group>a.b</group></groups><segments><segment bytes="700000" number="1">${name}@example.com</segment></segments></file></nzb>`], `${name}.nzb`))
          // Each frame: what a frame finds there, the next one has painted.
          const painted = (there: () => boolean) => new Promise<number>((done) => {
            const look = () => (there() ? requestAnimationFrame(() => done(performance.now() - began)) : requestAnimationFrame(look))
            requestAnimationFrame(look)
          })
          const began = performance.now()
          document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: transfer }))
          return Promise.all([painted(() => [...document.querySelectorAll('[role=status]')].some((one) => one.textContent.includes(name))), painted(() => document.querySelector('[role=grid]')?.textContent.includes(name) === true)])
        }, `Dropped.Film.${round}`)
        shown.push(times[0])
        listed.push(times[1])
      }
      say(`ms, ${rounds} drops`, 'median', 'longest')
      say('until the file is shown', median(shown), percentile(shown, 1))
      say('until its job is in the list', median(listed), percentile(listed, 1))
    })
  })

  it('on a provider that goes and comes back', async () => {
    await inTab(server, { as: 'administrator', path: '/providers' }, async ({ page }) => {
      await settled(page)
      const [gone, back]: [number[], number[]] = [[], []]
      const state = (...states: string[]) => page.locator(states.map((one) => `[data-state=${one}]`).join(', ')).first().waitFor({ timeout: 120_000 })
      for (let round = 0; round < 3; round++) {
        await state('connected', 'idle')
        // A connection that ends within ten seconds and has served nothing says something else than that its provider is gone: the next attempt is then the breaker's.
        await new Promise((next) => setTimeout(next, 11_000))
        let began = performance.now()
        await news.die()
        await state('down')
        gone.push((performance.now() - began) / 1000)
        began = performance.now()
        await news.start()
        await state('connected', 'idle')
        back.push((performance.now() - began) / 1000)
      }
      say('seconds, 3 rounds', 'median', 'longest')
      say('until its end is shown', median(gone), percentile(gone, 1))
      say('until its return is shown', median(back), percentile(back, 1))
    })
  })
})
