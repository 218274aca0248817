import { Button, Group, Menu } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { keys } from '~/api/live'
import { actOnTorrents, torrentDetails } from '~/api/torrents'
import type { Torrent, TorrentActionName } from '~/api/types'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'

/** What an operator can do with a torrent. */
export function Actions({ torrent: { infoHash, phase, forced, position } }: { torrent: Torrent }) {
  const t = useText(text)
  const client = useQueryClient()
  const call = useMutation({
    mutationFn: async (action: TorrentActionName) => actOnTorrents([infoHash], action),
    onSuccess: async () => Promise.all([client.invalidateQueries(torrentDetails(infoHash)), client.invalidateQueries({ queryKey: keys.torrents })]),
  })
  const stands = phase === 'downloadStopped' || phase === 'seedStopped' || phase === 'failed' || phase === 'missing'
  const more: readonly TorrentActionName[] = [forced ? 'unforce' : 'force', 'recheck', 'announce', ...(position === null ? [] : ['top', 'up', 'down', 'bottom'] as const)]
  return (
    <>
      <Group gap="xs">
        <Button size="compact-sm" variant="default" loading={call.isPending} onClick={() => call.mutate(stands ? 'start' : 'stop')}>{t.actions[stands ? 'start' : 'stop']}</Button>
        <Menu position="bottom-start" withinPortal>
          <Menu.Target><Button size="compact-sm" variant="default">{t.more}</Button></Menu.Target>
          <Menu.Dropdown>{more.map((action) => <Menu.Item key={action} onClick={() => call.mutate(action)}>{t.actions[action]}</Menu.Item>)}</Menu.Dropdown>
        </Menu>
      </Group>
      {call.error !== null && <ErrorNote error={call.error} />}
    </>
  )
}
