import { Button, Text } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRights } from '~/api/session'
import { LinkButton } from '~/ui/LinkButton'
import { PageTitle } from '~/ui/PageTitle'
import { Empty } from '~/ui/state/Empty'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { Loading } from '~/ui/state/Loading'
import { useText } from '~/ui/text/catalogue'
import { healthQuery, useHealth } from './calls'
import { History } from './History'
import { Notices } from './Notices'
import { Posts } from './Posts'
import { Summary } from './Summary'
import { text } from './text'

/** Are the posts still whole, and what is done about those that are not? */
export default function HealthPage() {
  const t = useText(text)
  const may = useRights()
  const manage = may('manage')
  const { data, error, refetch } = useQuery(healthQuery)
  const { pause } = useHealth()
  const paused = data !== undefined && data.paused !== null
  const off = data?.statsPerDay === 0
  return (
    <>
      <PageTitle title={t.title}>
        {manage && data !== undefined && !off && (
          <Button variant="default" loading={pause.isPending} leftSection={paused ? <IconPlayerPlay size={16} aria-hidden /> : <IconPlayerPause size={16} aria-hidden />} onClick={() => pause.mutate(!paused)}>{paused ? t.resume : t.pause}</Button>
        )}
      </PageTitle>
      <Text c="dimmed" size="sm" mb="sm" maw={760}>{t.intro}</Text>
      {error !== null && <ErrorNote error={error} retry={() => void refetch()} />}
      {pause.error !== null && <ErrorNote error={pause.error} />}
      {data === undefined && error === null && <Loading />}
      {off && (
        <Empty title={t.off}>
          <Text c="dimmed">{t.offHint}</Text>
          {manage && <LinkButton to="/settings" search={{ group: 'health' }} variant="default">{t.toSettings}</LinkButton>}
        </Empty>
      )}
      {data !== undefined && !off && <Summary overview={data} />}
      {data !== undefined && <Notices overview={data} manage={manage} />}
      {data !== undefined && data.posts > 0 && <Posts counts={data.counts} change={may('change')} manage={manage} />}
      {data !== undefined && <History events={data.events} />}
    </>
  )
}
