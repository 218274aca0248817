import { Anchor, NativeSelect, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRights } from '~/api/session'
import { prioritizeFiles, torrentDetails } from '~/api/torrents'
import type { FilePriority, TorrentDetails } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { ScrollTable } from '~/ui/pane/ScrollTable'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'

const priorities = ['skip', 'normal', 'high', 'highest'] as const

/** The files of a torrent; those in the tree lead there. */
export function Files({ hash, files, kept }: { hash: string; files: TorrentDetails['files']; kept: boolean }) {
  const t = useText(text)
  const mayChange = useRights()('change')
  const client = useQueryClient()
  const call = useMutation({
    mutationFn: async ({ index, priority }: { index: number; priority: FilePriority }) => prioritizeFiles(hash, [index], priority),
    onSuccess: () => client.invalidateQueries(torrentDetails(hash)),
  })
  const format = useFormat()
  return (
    <Stack gap={4}>
      <Title order={3}>{t.files} ({format.number(files.length)})</Title>
      <ScrollTable label={t.files}>
        <tbody>
          {files.map(({ itemId, path, size, have, index, priority }) => (
            <tr key={path}>
              <td>{itemId === null ? path : <Anchor inherit renderRoot={(props) => <Link {...props} to="/files" search={{ selected: itemId }} />}>{path}</Anchor>}</td>
              <td data-end>{format.size(size)}</td>
              <td data-end>{have !== null && size > 0 && <Text span inherit c="dimmed">{format.percent(have / size)}</Text>}</td>
              {kept && priority !== null && (
                <td>
                  {mayChange && index !== null
                    ? <NativeSelect size="xs" aria-label={t.priority(path)} value={priority} data={priorities.map((value) => ({ value, label: t.priorities[value] }))} onChange={(event) => call.mutate({ index, priority: event.currentTarget.value as FilePriority })} />
                    : t.priorities[priority]}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </ScrollTable>
      {call.error !== null && <ErrorNote error={call.error} />}
    </Stack>
  )
}
