import { describe, expect, it } from 'vitest'
import { violations } from '../harness/axe'
import { inTab } from '../harness/browser'
import type { Server } from '../harness/server'

export function about(server: Server): void {
  describe('licences', () => {
    it('of the server and of the page are listed, and their texts can be read', async () => {
      await inTab(server, { as: 'viewer', path: '/about' }, async ({ page }) => {
        const [inServer, inPage] = [page.getByRole('table', { name: 'In the server' }), page.getByRole('table', { name: 'In the page' })]
        await inServer.getByRole('cell', { name: 'Dapper' }).waitFor()
        for (const name of ['@mantine/core', '@tanstack/react-query', 'react', 'uplot']) await inPage.getByRole('link', { name: `Home page of ${name}`, exact: true }).waitFor()

        expect(await violations(page)).toEqual([])
        await inPage.getByRole('button', { name: 'MIT: licence text of react', exact: true }).click()
        await page.getByRole('dialog', { name: /^react \d/ }).getByText('Copyright (c) Meta Platforms').waitFor()
        expect(await violations(page, '[role=dialog]')).toEqual([])
        await page.keyboard.press('Escape')

        await page.getByRole('button', { name: 'Licence texts' }).click()
        await page.getByRole('dialog', { name: 'Licence texts' }).getByText('END OF TERMS AND CONDITIONS').waitFor()
        expect(await violations(page, '[role=dialog]')).toEqual([])
      })
    })

    it('of the page are those of what its files hold', async () => {
      const listed = await (await fetch(new URL('licences.json', server.url))).json() as { name: string; text: string }[]
      expect(listed.map((one) => one.name)).toEqual(expect.arrayContaining(['react', 'react-dom', 'scheduler', '@mantine/core', '@tanstack/react-router']))
      for (const tool of ['vite', 'vitest', 'typescript', 'playwright-core', '@types/react']) expect(listed.map((one) => one.name)).not.toContain(tool)
      expect(listed.filter((one) => one.text.length < 400)).toEqual([])
    })
  })
}
