import { describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { violations } from './harness/axe'
import { inTab } from './harness/browser'
import { Server } from './harness/server'
import { Swarm } from './harness/swarm'

type Torrent = { infoHash: string; state: string; pieces: number | null; have: number | null; limits: { upRate: number | null; downRate: number | null }; share: { own: Record<string, unknown> } | null }

describe('torrents', () => {
  const swarm = Swarm.around({ seeders: 2, size: '8M', pieceLength: '256K', name: 'Swarm Film.mkv' })
  const server = Server.around({ users: ['administrator', 'viewer'], env: { NzbDav__Torrents__PrivateHosts: '127.0.0.1' } })
  const torrent = async () => server.call<Torrent>('GET', `api/v1/torrents/${swarm.hash}`)

  it('that are dropped show their peers, trackers, files and pieces', async () => {
    await inTab(server, { as: 'administrator', path: '/torrents' }, async ({ page }) => {
      await page.getByText('No torrents yet').waitFor()
      await page.evaluate((bytes) => {
        const data = new DataTransfer()
        data.items.add(new File([Uint8Array.from(atob(bytes), (one) => one.charCodeAt(0))], 'Swarm Film.torrent'))
        for (const type of ['dragenter', 'dragover', 'drop']) document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }))
      }, swarm.torrent.toString('base64'))
      // It comes by itself, and so does all that is known of it.
      const grid = page.getByRole('grid', { name: 'Torrents' })
      await grid.getByRole('link', { name: 'Swarm Film.mkv' }).click()
      const pane = page.getByRole('complementary', { name: 'Details' })
      const peers = pane.getByRole('group', { name: 'Peers' })
      for (const port of swarm.ports) await peers.getByRole('row', { name: new RegExp(`127\\.0\\.0\\.1:${port}\\b.*100\\s?%`) }).waitFor()
      await pane.getByRole('heading', { name: 'Peers (2)' }).waitFor()
      const tracker = pane.getByRole('listitem').filter({ hasText: new URL(swarm.tracker).host })
      await tracker.getByText('working').waitFor()
      await tracker.getByText(/2 peers.*next announce/).waitFor()
      await tracker.getByText(/tier 1 · HTTP · .* seeds?, \d+ leechers?/).waitFor()
      await pane.getByRole('listitem').filter({ hasText: 'Peer exchange' }).getByText('working').waitFor()
      await peers.getByRole('row', { name: /via tracker · (not encrypted|encrypted handshake|encrypted \(RC4\))/ }).first().waitFor()
      await pane.getByText('Cached: only what is read is fetched').waitFor()
      await pane.getByText('Only streamed: it leaves its swarm some time after the last reader, and is not seeded.').waitFor()
      await pane.getByRole('group', { name: 'Files' }).getByText('Swarm Film.mkv').waitFor()
      await pane.getByText(swarm.hash).waitFor()
      expect(await violations(page)).toEqual([])
    })
  })

  it('tell how they reach their peers, all together', async () => {
    await inTab(server, { as: 'viewer', path: '/torrents' }, async ({ page }) => {
      await page.getByRole('button', { name: 'Network' }).click()
      const network = page.getByRole('dialog', { name: 'Network' })
      const { port } = await server.call<{ port: number }>('GET', 'api/v1/torrents/network')
      await network.getByText(String(port), { exact: true }).waitFor()
      await network.getByText('Nothing: the system chooses').waitFor()
      await network.getByText(/\d+ of 500/).waitFor()
      expect(await violations(page)).toEqual([])
    })
  })

  it.each([1280, 390])('close their details and their network by Escape, and the focus goes back (%i px)', async (width) => {
    await inTab(server, { as: 'administrator', path: '/torrents', width, scheme: 'dark' }, async ({ page }) => {
      const network = page.getByRole('button', { name: 'Network' })
      await network.focus()
      await page.keyboard.press('Enter')
      const drawer = page.getByRole('dialog', { name: 'Network' })
      await drawer.getByText('Nothing: the system chooses').waitFor()
      await page.keyboard.press('Escape')
      await drawer.waitFor({ state: 'detached' })
      await focused(page, 'Network')

      const row = page.getByRole('grid').getByRole('row').filter({ hasText: 'Swarm Film' })
      await row.focus()
      await page.keyboard.press('Enter')
      const details = page.getByRole(width === 390 ? 'dialog' : 'complementary', { name: 'Details' })
      await details.getByRole('group', { name: 'Files' }).waitFor()
      expect(await violations(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0)
      await details.getByRole('button', { name: 'Close the details' }).focus()
      await page.keyboard.press('Escape')
      await details.waitFor({ state: 'detached' })
      await focused(page, 'Swarm Film')
      if (width === 390) return
      await page.keyboard.press('Enter')
      await details.waitFor()
      await page.keyboard.press('Escape')
      await details.waitFor({ state: 'detached' })
      await focused(page, 'Swarm Film')
    })
  })

  it('are seeded until a limit of their own, and as their category again', async () => {
    await inTab(server, { as: 'administrator', path: `/torrents?selected=${swarm.hash}` }, async ({ page }) => {
      const pane = page.getByRole('complementary', { name: 'Details' })
      const set = async (idle: string, action: string, sentence: string) => {
        await pane.getByRole('textbox', { name: 'Idle limit (min)' }).fill(idle)
        await pane.getByRole('combobox', { name: 'At the limit' }).selectOption({ label: action })
        await pane.getByRole('button', { name: 'Save seeding' }).click()
        await pane.getByText(sentence).waitFor()
      }
      await set('90', 'Remove, keep the data', 'Seeded until it reaches 1.5 hrs without upload. Then it leaves the list and its files stay.')
      expect((await torrent()).share?.own).toMatchObject({ idleMinutes: 90, atLimit: 'remove', ratio: null })
      await set('', 'As its category', 'Only streamed: it leaves its swarm some time after the last reader, and is not seeded.')
      expect((await torrent()).share?.own).toMatchObject({ idleMinutes: null, atLimit: null })
    })
  })

  it('stop and start as operators want', async () => {
    await inTab(server, { as: 'administrator', path: `/torrents?selected=${swarm.hash}` }, async ({ page }) => {
      const pane = page.getByRole('complementary', { name: 'Details' })
      await pane.getByRole('button', { name: 'Stop' }).click()
      await pane.getByText('stopped', { exact: true }).waitFor()
      await pane.getByRole('button', { name: 'Start' }).click()
      await pane.getByRole('button', { name: 'Stop' }).waitFor()
    })
  })

  it('hold more pieces while they are read, in words and in the bar', async () => {
    await inTab(server, { as: 'administrator', path: `/torrents?selected=${swarm.hash}` }, async ({ page }) => {
      const pane = page.getByRole('complementary', { name: 'Details' })
      await pane.getByText(/ of 32 pieces are here.*256.KiB each\./).last().waitFor()
      const [file] = (await server.call<{ items: { path: string; id: string }[] }>('GET', 'api/v1/files/search?query=swarm%20mkv')).items
      const link = await server.call<{ path: string }>('POST', `api/v1/files/${file?.id ?? ''}/link`, { hours: null })
      const bytes = await (await fetch(new URL(link.path, server.url))).arrayBuffer()
      expect(bytes.byteLength).toBe(8 << 20)
      await pane.getByRole('img', { name: /^32 of 32 pieces are here/ }).waitFor()
      await page.getByRole('grid').getByRole('row').filter({ hasText: 'Swarm Film.mkv' }).getByText(/100\s?%/).waitFor()
      // The file leads to where it is in the tree.
      await pane.getByRole('link', { name: 'Swarm Film.mkv' }).click()
      await page.getByRole('heading', { level: 1, name: 'Files' }).waitFor()
      await page.getByRole('complementary').getByRole('heading', { name: 'Swarm Film.mkv' }).waitFor()
    })
  })

  it('keep the limits that one sets, and lose them again', async () => {
    await inTab(server, { as: 'administrator', path: `/torrents?selected=${swarm.hash}` }, async ({ page }) => {
      const limits = ['Upload at most', 'Download at most'].map((name) => page.getByRole('textbox', { name }))
      const set = async (...texts: string[]) => {
        for (const [at, limit] of limits.entries()) await limit.fill(texts[at] ?? '')
        await page.getByRole('button', { name: 'Save limits' }).click()
        await page.getByText('Limits set.').waitFor()
      }
      await set('250', '500')
      expect((await torrent()).limits).toEqual({ upRate: 250_000, downRate: 500_000 })
      await page.reload()
      await limits[0]?.waitFor()
      expect(await Promise.all(limits.map(async (limit) => limit.inputValue()))).toEqual(['250 KB/s', '500 KB/s'])
      await set('', '')
      expect((await torrent()).limits).toEqual({ upRate: null, downRate: null })
    })
  })

  it('are looked at by viewers, who limit nothing', async () => {
    await inTab(server, { as: 'viewer', path: `/torrents?selected=${swarm.hash}` }, async ({ page }) => {
      await page.getByText(/32 of 32 pieces are here/).last().waitFor()
      expect(await page.getByLabel(/at most/).count()).toBe(0)
    })
  })

  it('that are closed stay in the list beside those that are not', async () => {
    await server.halt()
    await server.begin()
    await inTab(server, { as: 'administrator', path: '/torrents' }, async ({ page }) => {
      const row = (name: string) => page.getByRole('grid').getByRole('row').filter({ hasText: name })
      await row('Swarm Film').getByText('closed').waitFor()
      await server.call('POST', 'api/v1/jobs/links', { links: ['magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a&dn=Magnet'] })
      await row('Magnet').getByText(/fetching metadata|stalled/).waitFor()
      await row('Swarm Film').getByText('closed').waitFor()
      const { items } = await server.call<{ items: { id: string; name: string }[] }>('GET', 'api/v1/jobs?search=magnet')
      await server.call('POST', 'api/v1/jobs/actions', { ids: [items[0]?.id], action: 'delete', withFiles: true })
      await row('Magnet').waitFor({ state: 'detached' })
    })
  })

  it('go when their job is deleted with its files', async () => {
    await inTab(server, { as: 'administrator', path: `/torrents?selected=${swarm.hash}`, allow: [/status of 404/] }, async ({ page }) => {
      await page.getByRole('complementary').getByRole('link', { name: 'Job', exact: true }).click()
      await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor()
      const row = page.getByRole('grid', { name: 'Queue and history' }).getByRole('row').filter({ hasText: 'Swarm Film' })
      await row.focus()
      await page.keyboard.press('Shift+Delete')
      const question = page.getByRole('dialog', { name: 'Delete 1 job with files?' })
      await question.getByRole('button', { name: 'Delete with files' }).click()
      await row.waitFor({ state: 'detached' })
      await page.getByRole('link', { name: 'Torrents' }).first().click()
      await page.getByText('No torrents yet').waitFor()
    })
    expect((await server.call<{ torrents: unknown[] }>('GET', 'api/v1/torrents')).torrents).toEqual([])
  })
})

/** Waits until what has the focus says so. */
async function focused(page: Page, text: string): Promise<void> {
  await page.waitForFunction((text) => document.activeElement?.textContent.includes(text) === true && document.activeElement !== document.body, text)
}
