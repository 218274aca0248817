import { useMantineColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { queueQuery } from '~/api/queries'
import { useRights } from '~/api/session'
import { useQueueChange } from '~/domain/useQueueChange'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'

/** What the palette can do, for those who may. */
export function useActions(onKeys: () => void): { id: string; label: string; run: () => void }[] {
  const t = useText(text).actions
  const may = useRights()
  const navigate = useNavigate()
  const { setColorScheme } = useMantineColorScheme()
  const queue = useQuery(queueQuery).data
  const paused = queue?.paused === true
  const change = useQueueChange()
  return [
    ...(may('add') ? [{ id: 'add', label: t.add, run: () => void navigate({ to: '.', search: (now) => ({ ...now, add: '1' }) }) }] : []),
    ...(may('change') && queue !== undefined ? [{ id: 'queue', label: paused ? t.resumeQueue : t.pauseQueue, run: () => change.mutate({ paused: !paused }) }] : []),
    ...(may('manage') ? [
      { id: 'provider', label: t.addProvider, run: () => void navigate({ to: '/providers', search: { edit: 'new' } }) },
      { id: 'setup', label: t.setup, run: () => void navigate({ to: '/setup' }) },
    ] : []),
    { id: 'light', label: t.light, run: () => setColorScheme('light') },
    { id: 'dark', label: t.dark, run: () => setColorScheme('dark') },
    { id: 'keys', label: t.keys, run: onKeys },
  ]
}
