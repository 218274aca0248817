import { describe, expect, it } from 'vitest'
import { bytesOf, enterPassword, inTab } from '../harness/browser'
import type { Server } from '../harness/server'

export function backups(server: Server): void {
  describe('backups and logs', () => {
    it('are made, downloaded whole, restored at the next start unless one thinks better of it, and deleted', async () => {
      await inTab(server, { as: 'administrator', path: '/backups' }, async ({ page }) => {
        await page.getByRole('button', { name: 'Back up now' }).click()
        await page.getByText(/ was made\.$/).waitFor()
        const [backup] = (await server.call<{ backups: { name: string; size: number }[] }>('GET', 'api/v1/backups')).backups
        const name = backup?.name ?? ''
        await page.getByRole('button', { name: `Download ${name}` }).click()
        const [download] = await Promise.all([page.waitForEvent('download'), enterPassword(page, 'Download')])
        expect(download.suggestedFilename()).toBe(name)
        const bytes = await bytesOf(download)
        expect(bytes.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004')
        expect(bytes.length).toBe(backup?.size)

        await page.getByRole('button', { name: `More for ${name}` }).click()
        await page.getByRole('menuitem', { name: 'Restore' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
        await enterPassword(page, 'Restore')
        await page.getByText('A restore is pending until the next start').waitFor()
        await page.getByRole('button', { name: 'Do not restore' }).click()
        await page.getByText('A restore is pending until the next start').waitFor({ state: 'detached' })

        await page.getByRole('button', { name: `More for ${name}` }).click()
        await page.getByRole('menuitem', { name: 'Delete' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
        await page.locator(`[data-backup="${name}"]`).waitFor({ state: 'detached' })
      })
    })

    it('lines of the log come by themselves and are filtered', async () => {
      await inTab(server, { as: 'administrator', path: '/logs?q=backup' }, async ({ page }) => {
        await page.getByRole('listbox', { name: 'Lines of the log' }).getByRole('option').first().waitFor()
        const before = await page.getByRole('option').count()
        await server.call('POST', 'api/v1/backups')
        await page.getByRole('option').nth(before).waitFor()
        await page.getByRole('option').last().click()
        await page.getByRole('region', { name: 'Selected line' }).waitFor()
      })
    })
  })
}
