import { queryOptions } from '@tanstack/react-query'
import { address } from '~/api/address'
import { api, take } from '~/api/client'
import type { About } from '~/api/types'

/** A package that is part of the page, with all that its licence wants to travel along. */
export type PageLicence = { name: string; version: string; licence: string; url: string | null; text: string }

/** Nothing of this changes while a page is open. */
const forGood = { staleTime: Infinity }

export const aboutQuery = queryOptions({ queryKey: ['about'], queryFn: (): Promise<About> => take(api.GET('/api/v1/about')), ...forGood })

/** The packages that the page is built with. The build writes them; in development there are none. */
export const pageLicencesQuery = queryOptions({
  queryKey: ['about', 'page'], ...forGood, retry: false,
  queryFn: async (): Promise<PageLicence[]> => {
    const answer = await fetch(address('licences.json'))
    return answer.headers.get('content-type')?.includes('json') === true && answer.ok ? await answer.json() as PageLicence[] : []
  },
})

/** The licence texts of what the server ships with. */
export const noticesQuery = queryOptions({ queryKey: ['about', 'notices'], queryFn: (): Promise<string> => take(api.GET('/api/v1/about/notices', { parseAs: 'text' })), ...forGood })
