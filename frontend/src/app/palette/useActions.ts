import { useMantineColorScheme } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, take } from '~/api/client'
import { queueQuery } from '~/api/queries'
import { useRights } from '~/api/session'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'

/** What the palette can do, for those who may. */
export function useActions(onKeys: () => void): { id: string; label: string; run: () => void }[] {
  const t = useText(text).actions
  const may = useRights()
  const navigate = useNavigate()
  const client = useQueryClient()
  const { setColorScheme } = useMantineColorScheme()
  const queue = useQuery(queueQuery).data
  const paused = queue?.paused === true
  const hold = (hold: boolean) => void take(api.PUT('/api/v1/queue', { body: { paused: hold, pauseSeconds: null } })).then(
    (answer) => client.setQueryData(queueQuery.queryKey, answer),
    (error: unknown) => notifications.show({ color: 'red', autoClose: false, role: 'alert', message: (error as Error).message }),
  )
  return [
    ...(may('add') ? [{ id: 'add', label: t.add, run: () => void navigate({ to: '.', search: (now) => ({ ...now, add: '1' }) }) }] : []),
    ...(may('change') && queue !== undefined ? [{ id: 'queue', label: paused ? t.resumeQueue : t.pauseQueue, run: () => hold(!paused) }] : []),
    ...(may('manage') ? [
      { id: 'provider', label: t.addProvider, run: () => void navigate({ to: '/providers', search: { edit: 'new' } }) },
      { id: 'setup', label: t.setup, run: () => void navigate({ to: '/setup' }) },
    ] : []),
    { id: 'light', label: t.light, run: () => setColorScheme('light') },
    { id: 'dark', label: t.dark, run: () => setColorScheme('dark') },
    { id: 'keys', label: t.keys, run: onKeys },
  ]
}
