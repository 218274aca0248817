import { describe, expect, it } from 'vitest'
import { violations } from '../harness/axe'
import { inTab } from '../harness/browser'
import type { Server } from '../harness/server'

type Settings = { settings: { path: string; value: string | null; source: string }[] }

export function settings(server: Server): void {
  describe('settings', () => {
    const setting = async (path: string) => (await server.call<Settings>('GET', 'api/v1/settings')).settings.find((each) => each.path === path)

    it('apply while the server runs, and go back to the default with one click', async () => {
      await inTab(server, { as: 'administrator', path: '/settings?group=logs' }, async ({ page }) => {
        await page.getByRole('combobox', { name: 'Level' }).click()
        await page.getByRole('option', { name: 'Debug' }).click()
        await page.getByText('1 unsaved change', { exact: true }).first().waitFor()
        await page.keyboard.press('Control+s')
        await page.getByText('Saved and in effect.').waitFor()
        expect(await server.call('GET', 'api/v1/log')).toMatchObject({ level: 'debug' })

        await page.getByRole('button', { name: 'Use the default: Level' }).click()
        await page.getByRole('button', { name: 'Save', exact: true }).click()
        await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' })
        expect(await server.call('GET', 'api/v1/log')).toMatchObject({ level: 'information' })
        expect(await setting('Log:Level')).toMatchObject({ source: 'default' })
      })
    })

    it('show the fault of a wrong value beside its field, and save nothing of it', async () => {
      await inTab(server, { as: 'administrator', path: '/settings?q=jobs%20at%20a%20time', allow: [/status of 422/] }, async ({ page }) => {
        await page.getByLabel('Jobs at a time', { exact: true }).fill('99')
        await page.getByRole('button', { name: 'Save', exact: true }).click()
        await page.getByRole('alert').getByText('1 value is wrong').waitFor()
        const field = page.locator('[data-setting="Import:Workers"]')
        expect(await field.getAttribute('aria-invalid')).toBe('true')
        await page.getByText(/99/).last().waitFor()
        expect(await violations(page)).toEqual([])
        expect(await setting('Import:Workers')).toMatchObject({ source: 'default' })
        await page.getByRole('button', { name: 'Discard', exact: true }).click()
      })
    })

    it('are guarded when one leaves with changes, which are shown', async () => {
      await inTab(server, { as: 'administrator', path: '/settings?q=jobs%20at%20a%20time' }, async ({ page }) => {
        await page.getByLabel('Jobs at a time', { exact: true }).fill('7')
        await page.getByRole('link', { name: 'Backups' }).first().click()
        const dialog = page.getByRole('dialog', { name: 'Leave with unsaved changes?' })
        await dialog.getByRole('row', { name: /Jobs at a time .*4.*7/ }).waitFor()
        expect(await violations(page)).toEqual([])
        await dialog.getByRole('button', { name: 'Stay' }).click()
        await dialog.waitFor({ state: 'detached' })
        expect(await page.getByLabel('Jobs at a time', { exact: true }).inputValue()).toContain('7')
        await page.getByRole('link', { name: 'Backups' }).first().click()
        await dialog.getByRole('button', { name: 'Save and leave' }).click()
        await page.getByRole('heading', { level: 1, name: 'Backups' }).waitFor()
        expect(await setting('Import:Workers')).toMatchObject({ value: '7' })
      })
    })

    it('are locked when the environment sets them, and say which variable does', async () => {
      await inTab(server, { as: 'administrator', path: '/settings?group=backups' }, async ({ page }) => {
        await page.getByText('NzbDav__Backup__Keep').waitFor()
        expect(await page.getByLabel('Kept', { exact: true }).isDisabled()).toBe(true)
      })
    })

    it('are in German on a German page: titles, units, choices, and what a search looks through', async () => {
      await inTab(server, { as: 'administrator', path: '/settings?group=backups', lang: 'de-DE' }, async ({ page }) => {
        await page.getByRole('heading', { level: 2, name: 'Sicherungen' }).waitFor()
        expect(await page.getByLabel('Abstand', { exact: true }).inputValue()).toBe('24\u00a0Stunden')
        await page.getByText('Zeit zwischen zwei Sicherungen', { exact: false }).waitFor()
        await page.getByRole('searchbox').or(page.getByLabel('Einstellungen durchsuchen')).first().fill('Upload-Grenze')
        await page.getByLabel('Upload-Grenze', { exact: true }).waitFor()
      })
      await inTab(server, { as: 'administrator', path: '/providers?edit=new', lang: 'de-DE' }, async ({ page }) => {
        await page.getByLabel('TLS verwenden', { exact: true }).waitFor()
      })
    })

    it('take the page along when they move it to another address, and the old address says where it is', async () => {
      await inTab(server, { as: 'administrator', path: '/settings?q=UrlBase', allow: [/ERR_ABORTED|status of 404|api\/v1\/events/] }, async ({ page }) => {
        const save = async (base: string) => {
          await page.getByLabel('URL base', { exact: true }).fill(base)
          await page.getByRole('button', { name: 'Save', exact: true }).click()
        }
        const at = (path: string) => page.waitForURL((url) => url.pathname === path)
        // A browser that asks whether to leave has been told of changes that are saved.
        const asked: string[] = []
        page.on('dialog', (dialog) => {
          asked.push(dialog.type())
          void dialog.accept()
        })
        try {
          await save('/films')
          await at('/films/settings')
          await page.getByLabel('URL base', { exact: true }).waitFor()
          await page.goto(new URL('jobs', server.url).href)
          await page.getByRole('link').click()
          await at('/films/jobs')
          await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor()
          await page.goto(new URL('films/settings?q=UrlBase', server.url).href)
          await save('')
          await at('/settings')
          await page.getByLabel('URL base', { exact: true }).waitFor()
          expect(asked).toEqual([])
        } finally {
          // Wherever it has broken off, the flows after this one find the server where it was.
          await server.call('PATCH', 'films/api/v1/settings', { UrlBase: null }).catch(() => undefined)
        }
      })
    })

    it('are one page for each group on a phone', async () => {
      await inTab(server, { as: 'administrator', path: '/settings', width: 390 }, async ({ page }) => {
        await page.getByRole('link', { name: 'Torrents' }).last().click()
        await page.getByRole('heading', { level: 2, name: 'Torrents' }).waitFor()
        expect(await page.getByRole('link', { name: 'Memory and playback' }).isVisible()).toBe(false)
        await page.getByRole('button', { name: 'All settings' }).click()
        await page.getByRole('link', { name: 'Memory and playback' }).waitFor()
      })
    })
  })
}
