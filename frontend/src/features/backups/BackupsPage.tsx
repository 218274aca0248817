import { Button, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconArchive } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Confirmed } from '~/api/Confirmed'
import type { Backup } from '~/api/types'
import { PageTitle } from '~/ui/PageTitle'
import { Empty } from '~/ui/state/Empty'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { Loading } from '~/ui/state/Loading'
import { useText } from '~/ui/text/catalogue'
import { BackupTable } from './BackupTable'
import { backupsQuery, downloadOf, useBackups } from './calls'
import { RemoveModal } from './RemoveModal'
import { RestoreModal } from './RestoreModal'
import { RestoreNote } from './RestoreNote'
import { text } from './text'

type Open = { what: 'restore' | 'remove'; backup: Backup } | { what: 'download'; backup: Backup; complete: boolean } | { what: 'upload' } | null

/** What is kept, and how one gets it back. */
export default function BackupsPage() {
  const t = useText(text)
  const { data, error, refetch } = useQuery(backupsQuery)
  const { make } = useBackups()
  const [open, setOpen] = useState<Open>(null)
  const download = (backup: Backup, complete: boolean, confirmation: string) => {
    setOpen(null)
    window.location.assign(downloadOf(backup.name, complete, confirmation))
  }
  return (
    <>
      <PageTitle title={t.title}>
        <Button variant="default" onClick={() => setOpen({ what: 'upload' })}>{t.upload}</Button>
        <Button loading={make.isPending} leftSection={<IconArchive size={16} aria-hidden />} onClick={() => make.mutate(undefined, { onSuccess: (made) => notifications.show({ message: t.made(made.name) }) })}>{t.make}</Button>
      </PageTitle>
      <RestoreNote />
      {make.error !== null && <ErrorNote error={make.error} />}
      {error !== null && <ErrorNote error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Loading />}
      {data !== undefined && (data.backups.length === 0
        ? <Empty title={t.none}><Text c="dimmed">{t.noneHint}</Text></Empty>
        : <BackupTable backups={data.backups} onDownload={(backup, complete) => setOpen({ what: 'download', backup, complete })} onRestore={(backup) => setOpen({ what: 'restore', backup })} onRemove={(backup) => setOpen({ what: 'remove', backup })} />)}
      {data !== undefined && <Text size="sm" c="dimmed" mt="sm" style={{ overflowWrap: 'anywhere' }}>{t.folder(data.folder)}</Text>}
      {open?.what === 'download' && (
        <Confirmed title={t.downloadOf(open.backup.name)} action={t.download} onConfirmed={(confirmation) => download(open.backup, open.complete, confirmation)} onClose={() => setOpen(null)} />
      )}
      {(open?.what === 'restore' || open?.what === 'upload') && <RestoreModal backup={open.what === 'restore' ? open.backup : null} onClose={() => setOpen(null)} />}
      {open?.what === 'remove' && <RemoveModal backup={open.backup} onClose={() => setOpen(null)} />}
    </>
  )
}
