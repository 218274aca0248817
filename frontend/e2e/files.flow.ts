import { copyFileSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { violations } from './harness/axe'
import { inTab } from './harness/browser'
import { temporaryFolder } from './harness/files'
import { film, News } from './harness/news'
import { Server } from './harness/server'

type Page1 = { items: { id: string; name: string; path: string }[]; total: number }

describe('files', () => {
  const folder = temporaryFolder()
  const library = join(folder.path, 'library')
  mkdirSync(library)
  const files = ['Show.S01E01.mp4', 'Show.S01E02.mp4'].map((name) => join(folder.path, name))
  for (const path of files) copyFileSync(film, path)
  const news = News.around({ files })
  const server = Server.around(() => ({ env: { ...news.settings(), NzbDav__Library__Folders: library } }))
  const names = async (path: string) => (await server.call<Page1>('GET', `api/v1/files?path=${encodeURIComponent(path)}`)).items.map(({ name }) => name)
  const item = (page: Page, name: string) => page.getByRole('grid').getByRole('link', { name, exact: true })
  const row = (page: Page, name: string) => page.getByRole('grid').getByRole('row').filter({ hasText: name })
  const pane = (page: Page) => page.getByRole('complementary', { name: 'Details' })

  beforeAll(async () => {
    for (const name of ['First', 'Second', 'Third']) await server.add(name, news.nzb)
    await server.add('Other', news.nzb, 'tv')
    const { items } = await server.call<Page1>('GET', 'api/v1/files?path=/content/tv/Other')
    await server.call('POST', 'api/v1/files/actions', { ids: [items[0]?.id], action: 'rename', name: 'Extra.mp4' })
    return () => folder.remove()
  })

  it('are moved into another folder, which is sought from where they are', async () => {
    // The folder that is shown moves away: it may be asked for once more before the page follows.
    await inTab(server, { as: 'administrator', path: '/files?path=/content/movies/First', allow: [/status of 404/] }, async ({ page }) => {
      await row(page, 'Show.S01E01.mp4').getByRole('checkbox').click()
      await page.getByRole('toolbar').getByRole('button', { name: 'Move' }).click()
      const dialog = page.getByRole('dialog', { name: 'Move Show.S01E01.mp4' })
      await dialog.getByText('/content/movies/First', { exact: true }).waitFor()
      // Nothing moves to where it is already.
      expect(await dialog.getByRole('button', { name: 'Move to First' }).isDisabled()).toBe(true)
      expect(await violations(page)).toEqual([])
      await dialog.getByRole('button', { name: '..' }).click()
      await dialog.getByRole('button', { name: 'Second', exact: true }).click()
      await dialog.getByRole('button', { name: 'Move to Second' }).click()
      // One of that name is there already: it is not replaced.
      await dialog.getByText('There is already an item called Show.S01E01.mp4.').waitFor()
      await dialog.getByRole('button', { name: '..' }).click()
      await dialog.getByRole('button', { name: '..' }).click()
      await dialog.getByRole('button', { name: 'tv', exact: true }).click()
      await dialog.getByRole('button', { name: 'Move to tv' }).click()
      await dialog.getByText(/^Not done: Jobs can be moved from category to category/).waitFor()
      await dialog.getByRole('button', { name: 'Other', exact: true }).click()
      await dialog.getByRole('button', { name: 'Move to Other' }).click()
      await dialog.waitFor({ state: 'detached' })
      await item(page, 'Show.S01E01.mp4').waitFor({ state: 'detached' })
      expect(await names('/content/movies/First')).toEqual(['Show.S01E02.mp4'])
      expect(await names('/content/tv/Other')).toEqual(['Extra.mp4', 'Show.S01E01.mp4', 'Show.S01E02.mp4'])
      expect(await names('/content/movies/Second')).toEqual(['Show.S01E01.mp4', 'Show.S01E02.mp4'])

      // A whole folder, from the details of where one is.
      await page.getByRole('button', { name: 'Details of this folder' }).click()
      await pane(page).getByRole('button', { name: 'Move' }).click()
      const folders = page.getByRole('dialog', { name: 'Move First' })
      await folders.getByRole('button', { name: '..' }).click()
      await folders.getByRole('button', { name: 'tv', exact: true }).click()
      await folders.getByRole('button', { name: 'Move to tv' }).click()
      await folders.waitFor({ state: 'detached' })
      await pane(page).getByText('/content/tv/First', { exact: true }).waitFor()
    })
    expect(await names('/content/tv')).toEqual(['First', 'Other'])
    expect(await names('/content/movies')).toEqual(['Second', 'Third'])
  })

  it('and folders are renamed by a key; a name that is taken is refused beside the field', async () => {
    await inTab(server, { as: 'administrator', path: '/files?path=/content/movies' }, async ({ page }) => {
      await item(page, 'Third').waitFor()
      await row(page, 'Third').focus()
      await page.keyboard.press('F2')
      const dialog = page.getByRole('dialog', { name: 'Rename Third' })
      // The whole name is chosen already.
      await dialog.getByLabel('New name').and(page.locator(':focus')).waitFor()
      await page.keyboard.type('Second')
      await page.keyboard.press('Enter')
      await dialog.getByText('There is already an item called Second.').waitFor()
      await dialog.getByLabel('New name').fill('a/b')
      await dialog.getByText('A name needs at least one character and must not contain a slash.').waitFor()
      await dialog.getByLabel('New name').fill('Fourth')
      await page.keyboard.press('Enter')
      await item(page, 'Fourth').waitFor()
      await item(page, 'Fourth').click()
      await item(page, 'Show.S01E02.mp4').waitFor()
    })
    expect(await names('/content/movies')).toEqual(['Fourth', 'Second'])
  })

  it('that a library has are deleted only when one says so twice', async () => {
    const held = join(library, 'Held.mp4')
    symlinkSync('/mnt/nzbdav/content/movies/Second/Show.S01E02.mp4', held)
    const { items } = await server.call<Page1>('GET', `api/v1/files?path=${encodeURIComponent('/content/movies/Second')}`)
    const id = items.find(({ name }) => name === 'Show.S01E02.mp4')?.id ?? ''
    await server.call('POST', 'api/v1/library/sweep', { accept: false })
    await server.until(async () => (await server.call<{ links: { holder: string | null } }>('GET', `api/v1/files/${id}`)).links.holder === held, 'the library was read')
    // The details of what is deleted may be asked for once more before they are gone.
    await inTab(server, { as: 'administrator', path: '/files?path=/content/movies/Second', allow: [/status of 404/] }, async ({ page }) => {
      await item(page, 'Show.S01E02.mp4').click()
      await pane(page).getByText(`The library holds it: ${held}`).waitFor()
      await row(page, 'Show.S01E01.mp4').getByRole('checkbox').click()
      await row(page, 'Show.S01E02.mp4').getByRole('checkbox').click()
      await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
      const both = page.getByRole('dialog', { name: 'Delete 2 items?' })
      expect(await both.getByRole('listitem').allTextContents()).toEqual(['Show.S01E01.mp4', 'Show.S01E02.mp4'])
      await both.getByRole('button', { name: 'Delete', exact: true }).click()
      // The one that nobody has is gone; the other one is asked for again, with who has it.
      const one = page.getByRole('dialog', { name: 'Delete Show.S01E02.mp4?' })
      await one.getByText(held).waitFor()
      await item(page, 'Show.S01E01.mp4').waitFor({ state: 'detached' })
      expect(await names('/content/movies/Second')).toEqual(['Show.S01E02.mp4'])
      expect(await violations(page)).toEqual([])
      await one.getByRole('button', { name: 'Cancel' }).last().click()
      await one.waitFor({ state: 'detached' })
      // Only what is still there is still chosen.
      await page.getByRole('toolbar', { name: '1 item selected' }).waitFor()

      await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete anyway' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await item(page, 'Show.S01E02.mp4').waitFor({ state: 'detached' })
      await pane(page).waitFor({ state: 'detached' })
    })
    expect(await names('/content/movies/Second')).toEqual([])
  })

  it('are asked for at each provider on demand', async () => {
    await inTab(server, { as: 'administrator', path: '/files?path=/content/tv/Other' }, async ({ page }) => {
      await row(page, 'Extra.mp4').focus()
      await page.keyboard.press('i')
      await pane(page).getByRole('button', { name: 'Ask the providers' }).click()
      const said = pane(page).getByRole('status').getByRole('row').last()
      await said.waitFor()
      const [, has, lacks, silent] = await said.getByRole('cell').allTextContents()
      expect([Number(has) > 0, lacks, silent]).toEqual([true, '0', '0'])
      await pane(page).getByText('None of them is gone everywhere.').waitFor()
      expect(await violations(page)).toEqual([])
    })
  })

  it('are deleted with their folder, after asking', async () => {
    await inTab(server, { as: 'administrator', path: '/files?path=/content/movies' }, async ({ page }) => {
      await item(page, 'Fourth').waitFor()
      await row(page, 'Fourth').focus()
      await page.keyboard.press('Delete')
      const dialog = page.getByRole('dialog', { name: 'Delete Fourth?' })
      await dialog.getByText('A folder is deleted with everything in it.').waitFor()
      await dialog.getByRole('button', { name: 'Cancel' }).last().click()
      await dialog.waitFor({ state: 'detached' })
      expect(await names('/content/movies')).toContain('Fourth')
      await page.keyboard.press('Delete')
      await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
      await item(page, 'Fourth').waitFor({ state: 'detached' })
    })
    expect(await names('/content/movies')).not.toContain('Fourth')
    await expect(names('/content/movies/Fourth')).rejects.toThrow('404')
  })

  it('are found by name in all folders, page after page as they come on the screen', async () => {
    const asked: string[] = []
    await inTab(server, { as: 'administrator', path: '/files' }, async ({ page }) => {
      await page.getByRole('searchbox', { name: 'Search names' }).fill('show mp4')
      await page.getByText('3 items for “show mp4”').waitFor()
      await row(page, 'Show.S01E01.mp4').filter({ hasText: '/content/tv/Other' }).waitFor()

      // So many cannot be added in a flow: the answer is made up of a true one, the pages are the page's own doing.
      await page.route('**/api/v1/files/search?*', async (route) => {
        const { searchParams } = new URL(route.request().url())
        const [offset, limit] = [Number(searchParams.get('offset') ?? 0), Number(searchParams.get('limit') ?? 100)]
        asked.push(`${searchParams.get('query') ?? ''} ${offset}`)
        const answer = await route.fetch({ url: new URL('api/v1/files/search?query=show&limit=1', server.url).href })
        const { items: [model], ...rest } = (await answer.json()) as Page1
        const items = Array.from({ length: Math.min(limit, 1000 - offset) }, (_, at) => ({ ...model, id: `made-up-${offset + at}`, name: `Many ${String(offset + at).padStart(4, '0')}.mp4` }))
        await route.fulfill({ response: answer, json: { ...rest, items, total: 1000, offset } })
      })
      await page.getByRole('searchbox', { name: 'Search names' }).fill('many')
      await page.getByText('1,000 items for “many”').or(page.getByText('1000 items for “many”')).waitFor()
      const grid = page.getByRole('grid', { name: 'Files and folders' })
      await row(page, 'Many 0000.mp4').waitFor()
      expect(asked).toEqual(['many 0'])
      expect(await grid.getByRole('row').count()).toBeLessThan(100)
      await row(page, 'Many 0000.mp4').focus()
      await page.keyboard.press('End')
      await row(page, 'Many 0999.mp4').waitFor()
      expect(asked).toEqual(['many 0', 'many 800'])
      expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Many 0999.mp4')
    })
  })
})
