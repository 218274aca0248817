import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { inTab } from './harness/browser'
import { Server } from './harness/server'

type Jobs = { items: { id: string; name: string; position: number | null; state: string }[] }

const names = ['Alpha', 'Bravo', 'Charlie', 'Delta', 'Echo']

describe('the queue', () => {
  const server = Server.around({ users: ['administrator', 'viewer'] })
  /** The queue as the server has it. */
  const order = async () => (await server.call<Jobs>('GET', 'api/v1/jobs?sort=turn')).items.filter(({ position }) => position !== null).map(({ name }) => name)
  /** What the page shows, from top to bottom. */
  const shown = async (page: Page) => page.getByRole('grid').getByRole('row').filter({ has: page.locator('[data-open]') })
    .evaluateAll((rows) => rows.map((row) => ({ at: Number((row as HTMLElement).dataset.index), name: row.querySelector('[data-open]')?.textContent ?? '' })).sort((a, b) => a.at - b.at).map(({ name }) => name))
  const becomes = async (page: Page, wanted: string[]) => {
    await server.until(async () => (await order()).join() === wanted.join(), `the server's order is ${wanted.join()}, not ${(await order()).join()}`)
    await server.until(async () => (await shown(page)).join() === wanted.join(), `the page shows ${wanted.join()}`)
  }
  const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
  const grip = (page: Page, name: string) => row(page, name).locator('[data-drag]')

  beforeAll(async () => {
    await server.call('PUT', 'api/v1/queue', { paused: true })
    for (const [at, name] of names.entries()) {
      await server.call('POST', 'api/v1/jobs/links', { links: [`magnet:?xt=urn:btih:${String(at).repeat(40)}&dn=${name}`] })
    }
  })

  it('is put into another order by dragging, and Escape gives a drag up', async () => {
    await inTab(server, { as: 'administrator', path: '/jobs' }, async ({ page }) => {
      await row(page, 'Echo').waitFor()
      expect(await order()).toEqual(names)
      // To the lower half of a row: into the gap behind it.
      await grip(page, 'Alpha').dragTo(row(page, 'Charlie'), { targetPosition: { x: 200, y: 30 } })
      await becomes(page, ['Bravo', 'Charlie', 'Alpha', 'Delta', 'Echo'])
      await grip(page, 'Echo').dragTo(row(page, 'Bravo'), { targetPosition: { x: 200, y: 5 } })
      await becomes(page, ['Echo', 'Bravo', 'Charlie', 'Alpha', 'Delta'])

      await grip(page, 'Delta').hover()
      await page.mouse.down()
      await row(page, 'Bravo').hover()
      await page.keyboard.press('Escape')
      await page.mouse.up()
      // What comes after it says that nothing was asked for.
      await row(page, 'Delta').focus()
      await page.keyboard.press('Alt+ArrowUp')
      await becomes(page, ['Echo', 'Bravo', 'Charlie', 'Delta', 'Alpha'])
      await page.reload()
      await row(page, 'Echo').waitFor()
      await becomes(page, ['Echo', 'Bravo', 'Charlie', 'Delta', 'Alpha'])
    })
  })

  it('is put into another order by keys, which stay with their job, and by the menu', async () => {
    await inTab(server, { as: 'administrator', path: '/jobs' }, async ({ page }) => {
      await row(page, 'Alpha').focus()
      await page.keyboard.press('Alt+Home')
      await becomes(page, ['Alpha', 'Echo', 'Bravo', 'Charlie', 'Delta'])
      await page.keyboard.press('Alt+ArrowDown')
      await becomes(page, ['Echo', 'Alpha', 'Bravo', 'Charlie', 'Delta'])
      await page.keyboard.press('Alt+ArrowDown')
      await becomes(page, ['Echo', 'Bravo', 'Alpha', 'Charlie', 'Delta'])
      expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Alpha')
      await page.keyboard.press('Alt+End')
      await becomes(page, ['Echo', 'Bravo', 'Charlie', 'Delta', 'Alpha'])
      await row(page, 'Delta').getByRole('button', { name: 'Actions for' }).click()
      await page.getByRole('menuitem', { name: 'Move to the top' }).click()
      await becomes(page, ['Delta', 'Echo', 'Bravo', 'Charlie', 'Alpha'])
      // Several at once keep their order.
      await row(page, 'Charlie').getByRole('checkbox').click()
      await row(page, 'Echo').getByRole('checkbox').click()
      await row(page, 'Charlie').focus()
      await page.keyboard.press('Alt+Home')
      await becomes(page, ['Echo', 'Charlie', 'Delta', 'Bravo', 'Alpha'])
    })
  })

  it('stays where it is when a job is opened, whose row is marked', async () => {
    await inTab(server, { as: 'administrator', path: '/jobs' }, async ({ page }) => {
      const place = async () => (await row(page, 'Charlie').boundingBox())?.y
      await row(page, 'Charlie').waitFor()
      const before = await place()
      expect(await page.locator('[role=row][aria-current]').count()).toBe(0)
      await row(page, 'Charlie').locator('[data-open]').click()
      await page.locator('aside').waitFor()
      expect(await place()).toBe(before)
      if (process.env.NZBDAV_SHOTS !== undefined) await page.screenshot({ path: `${process.env.NZBDAV_SHOTS}/jobs-opened.png` })
      expect(await page.locator('[role=row][aria-current]').evaluateAll((rows) => rows.map((one) => one.querySelector('[data-open]')?.textContent))).toEqual(['Charlie'])
    })
  })

  it('that is paused elsewhere says so, and is resumed here', async () => {
    await server.call('PUT', 'api/v1/queue', { paused: false })
    await inTab(server, { as: 'administrator', path: '/jobs' }, async ({ page }) => {
      await page.getByRole('button', { name: 'Pause queue' }).waitFor()
      await server.call('PUT', 'api/v1/queue', { paused: true })
      await page.getByText('The queue is paused.').waitFor()
      await page.getByRole('button', { name: 'Resume', exact: true }).click()
      await page.getByText('The queue is paused.').waitFor({ state: 'detached' })
      expect(await server.call('GET', 'api/v1/queue')).toMatchObject({ paused: false })

      await page.getByRole('button', { name: 'Pause queue' }).click()
      await page.getByRole('menuitem', { name: '1 hour' }).click()
      await page.getByText(/The queue is paused; it resumes in (59|60) minutes|The queue is paused; it resumes in 1 hour/).waitFor()
      expect(await server.call<{ pausedUntil: string | null }>('GET', 'api/v1/queue')).toMatchObject({ paused: true, pausedUntil: expect.stringMatching(/^20/) as string })
      await server.call('PUT', 'api/v1/queue', { paused: false })
      await page.getByText('The queue is paused').waitFor({ state: 'detached' })
    })
  })

  it('offers a viewer neither its switch nor its order', async () => {
    await server.call('PUT', 'api/v1/queue', { paused: true })
    const before = await order()
    await inTab(server, { as: 'viewer', path: '/jobs' }, async ({ page }) => {
      await row(page, 'Alpha').focus()
      await page.getByText('The queue is paused.').waitFor()
      expect(await page.getByRole('button', { name: /Pause queue|Resume/ }).count()).toBe(0)
      expect(await page.locator('[data-drag]').count()).toBe(0)
      await page.keyboard.press('Alt+Home')
      await page.keyboard.press('Enter')
      await page.getByRole('complementary', { name: 'Job details' }).waitFor()
      expect(await order()).toEqual(before)
    })
  })
})
