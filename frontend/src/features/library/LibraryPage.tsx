import { Button, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRights } from '~/api/session'
import { LinkButton } from '~/ui/LinkButton'
import { PageTitle } from '~/ui/PageTitle'
import { Empty } from '~/ui/state/Empty'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { Loading } from '~/ui/state/Loading'
import { useText } from '~/ui/text/catalogue'
import { libraryQuery, useLibrary } from './calls'
import { Lost } from './Lost'
import { Summary } from './Summary'
import { text } from './text'

/** What do libraries still have, and what can go? */
export default function LibraryPage() {
  const t = useText(text)
  const manage = useRights()('manage')
  const { data, error, refetch } = useQuery(libraryQuery)
  const { sweep } = useLibrary()
  const read = () => sweep.mutate(false, { onSuccess: () => notifications.show({ message: t.swept }) })
  const configured = data !== undefined && data.libraries.length > 0
  return (
    <>
      <PageTitle title={t.title}>{manage && configured && <Button variant="default" loading={sweep.isPending} leftSection={<IconRefresh size={16} aria-hidden />} onClick={read}>{t.sweep}</Button>}</PageTitle>
      <Text c="dimmed" size="sm" mb="sm">{t.intro}</Text>
      {sweep.error !== null && <ErrorNote error={sweep.error} />}
      {error !== null && <ErrorNote error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Loading />}
      {data !== undefined && !configured && (
        <Empty title={t.noLibraries}>
          <Text c="dimmed" maw={520}>{t.noLibrariesHint}</Text>
          {manage && <LinkButton to="/settings" search={{ group: 'library' }} variant="default">{t.toSettings}</LinkButton>}
        </Empty>
      )}
      {configured && <Summary answer={data} manage={manage} />}
      {data !== undefined && (configured || data.lost.length > 0) && <Lost rows={data.lost} manage={manage} />}
    </>
  )
}
