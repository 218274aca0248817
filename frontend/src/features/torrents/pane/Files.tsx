import { Anchor, NativeSelect, Stack, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRights } from '~/api/session'
import { prioritizeFiles, torrentDetails } from '~/api/torrents'
import type { FilePriority, TorrentDetails } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { ScrollTable } from '~/ui/pane/ScrollTable'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { useText } from '~/ui/text/catalogue'
import { shownShare } from '../list/torrents'
import { text } from '../text'
import { withinRoot } from './files'
import classes from './pane.module.css'

const priorities = ['skip', 'normal', 'high', 'highest'] as const

/** The files of a torrent; those in the tree lead there. Those of a kept torrent have a priority. */
export function Files({ hash, files, kept }: { hash: string; files: TorrentDetails['files']; kept: boolean }) {
  const t = useText(text)
  const mayChange = useRights()('change')
  const client = useQueryClient()
  const call = useMutation({
    mutationFn: async ({ index, priority }: { index: number; priority: FilePriority }) => prioritizeFiles(hash, [index], priority),
    onSuccess: () => client.invalidateQueries(torrentDetails(hash)),
  })
  const format = useFormat()
  const names = withinRoot(files.map(({ path }) => path))
  return (
    <Stack gap={4}>
      <Title order={3}>{t.files} ({format.number(files.length)})</Title>
      <ScrollTable label={t.files} className={classes.rows}>
        <thead>
          <tr><th scope="col">{t.file.name}</th><th scope="col" data-end>{t.file.size}</th><th scope="col" data-end>{t.file.held}</th></tr>
        </thead>
        <tbody>
          {files.map(({ itemId, path, size, have, index, priority }, at) => (
            <tr key={path}>
              <td>
                {itemId === null ? names[at] : <Anchor inherit title={path} renderRoot={(props) => <Link {...props} to="/files" search={{ selected: itemId }} />}>{names[at]}</Anchor>}
                {kept && priority !== null && (mayChange && index !== null
                  ? <NativeSelect size="xs" w={104} mt={2} aria-label={t.priority(path)} value={priority} data={priorities.map((value) => ({ value, label: t.priorities[value] }))} onChange={(event) => call.mutate({ index, priority: event.currentTarget.value as FilePriority })} />
                  : <span className={classes.sub}>{t.priorities[priority]}</span>)}
              </td>
              <td data-end>{format.size(size)}</td>
              <td data-end>{have !== null && size > 0 && format.percent(shownShare(have / size))}</td>
            </tr>
          ))}
        </tbody>
      </ScrollTable>
      {call.error !== null && <ErrorNote error={call.error} />}
    </Stack>
  )
}
