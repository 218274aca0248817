import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { violations } from './harness/axe'
import { closeBrowser, inTab } from './harness/browser'
import { News } from './harness/news'
import { settled } from './harness/ready'
import { Server } from './harness/server'

let news: News
let server: Server
beforeAll(async () => {
  news = await News.start()
  server = await Server.start({ users: ['administrator', 'viewer'], env: news.settings() })
})
afterAll(async () => {
  await closeBrowser()
  await server.stop()
  await news.stop()
})

/** An .nzb whose articles no provider has. */
const gone = (nzb: Buffer) => nzb.toString('utf8').replace(/(<segment[^>]*>)([^<]+)/g, '$1gone-$2')

/** Drops files onto the page, as the file manager does. */
async function drop(page: Page, files: { name: string; content: string }[]): Promise<void> {
  await page.evaluate((dropped) => {
    const data = new DataTransfer()
    for (const { name, content } of dropped) data.items.add(new File([content], name))
    for (const type of ['dragenter', 'dragover', 'drop']) document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }))
  }, files)
}

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

it('turns a dropped .nzb into files, and says of each other file why not', async () => {
  await inTab(server, { as: 'administrator', path: '/jobs' }, async ({ page }) => {
    await page.getByText('Nothing here yet').waitFor()
    await drop(page, [{ name: 'Dropped Film.nzb', content: news.nzb.toString('utf8') }, { name: 'notes.txt', content: 'x' }, { name: 'Broken.nzb', content: '<nzb><file' }])
    const added = page.getByRole('list', { name: 'What was added' })
    await added.getByText('notes.txt is not an .nzb, .torrent, .magnet or .zip file.').waitFor()
    await added.getByRole('listitem').filter({ hasText: 'Dropped Film' }).getByText('Queued').waitFor()
    await row(page, 'Dropped Film').getByText('Done').waitFor()
    await row(page, 'Dropped Film').getByRole('link').click()
    await page.getByRole('complementary', { name: 'Job details' }).getByRole('link', { name: 'Show files' }).click()
    await page.getByText('NzbDav Demo.mp4').first().waitFor()
  })
})

it('shows why a job failed, and tries it again by a key', async () => {
  await inTab(server, { as: 'administrator', path: '/jobs?state=failed' }, async ({ page }) => {
    await page.getByText('No job matches the filter.').or(page.getByRole('grid')).first().waitFor()
    await drop(page, [{ name: 'Gone Film.nzb', content: gone(news.nzb) }])
    await row(page, 'Gone Film').getByText('Failed').waitFor()
    await row(page, 'Gone Film').focus()
    await page.keyboard.press('Enter')
    const details = page.getByRole('complementary', { name: 'Job details' })
    await details.getByText('What to do').waitFor()
    await row(page, 'Gone Film').focus()
    await page.keyboard.press('r')
    await details.getByRole('definition').filter({ hasText: /^2$/ }).first().waitFor()
    await row(page, 'Gone Film').getByText('Failed').waitFor()
    await settled(page)
    expect(await violations(page)).toEqual([])
  })
})

it('takes a removed job back within eight seconds', async () => {
  await inTab(server, { as: 'administrator', path: '/jobs?state=failed' }, async ({ page }) => {
    await row(page, 'Gone Film').focus()
    await page.keyboard.press('Delete')
    await row(page, 'Gone Film').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await row(page, 'Gone Film').waitFor()
  })
})

it('takes a magnet link that is pasted anywhere', async () => {
  await inTab(server, { as: 'administrator', path: '/' }, async ({ page }) => {
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await page.evaluate((text) => {
      const data = new DataTransfer()
      data.setData('text/plain', text)
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    }, 'magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a&dn=Pasted+Magnet')
    await page.getByRole('list', { name: 'What was added' }).getByText('Queued').waitFor()
    await page.goto(new URL('jobs', server.url).href)
    await row(page, 'Pasted Magnet').getByText('Magnet', { exact: true }).waitFor()
  })
})

it('shows a viewer the list, and nothing that he may not do', async () => {
  await inTab(server, { as: 'viewer', path: '/jobs' }, async ({ page }) => {
    await row(page, 'Dropped Film').waitFor()
    expect(await page.getByRole('checkbox').count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Add' }).count()).toBe(0)
    await row(page, 'Dropped Film').getByRole('button', { name: 'Actions for' }).click()
    await page.getByRole('menuitem', { name: 'Details' }).waitFor()
    expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Details', 'Show files'])
    await page.keyboard.press('Escape')
    await row(page, 'Dropped Film').focus()
    await page.keyboard.press('Delete')
    await row(page, 'Dropped Film').waitFor()
  })
})

it('scrolls through 10,000 jobs and keeps what comes meanwhile waiting', async () => {
  const magnet = (hash: string, name: string) => server.call<{ results: { job: { id: string; name: string } }[] }>('POST', 'api/v1/jobs/links', { links: [`magnet:?xt=urn:btih:${hash}&dn=${name}`], paused: true })
  const model = (await magnet('e12fe1c06bba254a9dc9f519b335aa7c1367a88a', 'Model')).results[0]?.job
  // Adding so many takes minutes, each is synced to the disk: the list is made up, everything else is the server's.
  const rows = Array.from({ length: 10_000 }, (_, at) => ({ ...model, id: String(at), name: `Many ${String(at).padStart(5, '0')}` }))
  const counts = { queued: 0, waiting: 0, paused: rows.length, running: 0, completed: 0, failed: 0 }
  await inTab(server, { as: 'administrator', path: null }, async ({ page }) => {
    await page.route('**/api/v1/jobs?*', (route) => {
      const { searchParams } = new URL(route.request().url())
      const [offset, limit] = [Number(searchParams.get('offset') ?? 0), Number(searchParams.get('limit') ?? 100)]
      return route.fulfill({ json: { items: rows.slice(offset, offset + limit), total: rows.length, offset, counts } })
    })
    await page.goto(new URL('jobs?state=paused&sort=name', server.url).href)
    const grid = page.getByRole('grid', { name: 'Queue and history' })
    await row(page, 'Many 00000').waitFor()
    expect(Number(await grid.getAttribute('aria-rowcount'))).toBe(rows.length + 1)
    expect(await grid.getByRole('row').count()).toBeLessThan(100)
    await grid.evaluate((element) => element.scrollTo({ top: element.scrollHeight / 2 }))
    await row(page, 'Many 05000').waitFor()
    const before = await grid.evaluate((element) => element.scrollTop)
    const added = (await magnet('d12fe1c06bba254a9dc9f519b335aa7c1367a88a', 'Aaa+First')).results[0]?.job
    rows.unshift({ ...model, ...added, id: added?.id ?? '', name: 'Aaa First' })
    await page.getByRole('button', { name: '1 new' }).waitFor()
    expect(await grid.evaluate((element) => element.scrollTop)).toBe(before)
    await page.getByRole('button', { name: '1 new' }).click()
    await row(page, 'Aaa First').focus()
    await page.keyboard.press('End')
    await row(page, 'Many 09999').waitFor()
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Many 09999')
  })
})
