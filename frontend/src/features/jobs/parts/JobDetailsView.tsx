import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { address } from '~/api/address'
import { useRights } from '~/api/session'
import type { JobDetails } from '~/api/types'
import { useJobWords } from '~/domain/jobWords'
import { CopyButton } from '~/ui/CopyButton'
import { useFormat } from '~/ui/format/useFormat'
import { LinkButton } from '~/ui/LinkButton'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'
import { JobStatus } from './JobStatus'
import classes from './parts.module.css'
import { priorities } from './priorities'
import { Timings } from './Timings'
import { When } from './When'

/** Everything that is known of a job: how it stands and why, what it took, where it came from and what became of it. */
export function JobDetailsView({ job, actions }: { job: JobDetails; actions: ReactNode }) {
  const t = useText(text)
  const words = useJobWords()
  const format = useFormat()
  const mayChange = useRights()('change')
  const { failure, path } = job
  const reason = failure === null ? null : words.reason(failure.code)
  const priority = priorities.find(({ value }) => value === job.priority)
  const facts: [string, ReactNode][] = [
    [t.facts.kind, t.kinds[job.kind]],
    [t.facts.category, job.category],
    [t.facts.priority, priority === undefined ? format.number(job.priority) : t.priorities[priority.name]],
    [t.facts.position, job.position === null ? null : format.number(job.position + 1)],
    [t.facts.size, job.bytes > 0 ? format.size(job.bytes) : null],
    [t.facts.files, job.files > 0 ? format.number(job.files) : null],
    [t.facts.added, <When key="a" time={job.added} />],
    [t.facts.started, job.started === null ? null : <When key="s" time={job.started} />],
    [t.facts.finished, job.finished === null ? null : <When key="f" time={job.finished} />],
    [t.facts.attempts, job.attempts > 1 ? format.number(job.attempts) : null],
    [t.facts.source, t.sources[job.source] ?? job.source],
    [t.facts.password, job.hasPassword ? t.hasPassword : null],
    [t.facts.url, job.url === null ? null : <span className="mono">{job.url}</span>],
    [t.facts.hash, job.infoHash === null ? null : <span className="mono">{job.infoHash}</span>],
    [t.published, path === null ? null : <span className="mono">{path}</span>],
  ]
  return (
    <Stack gap="md">
      {failure === null || reason === null ? <JobStatus job={job} /> : (
        <Alert color={job.state === 'failed' ? 'red' : 'yellow'} variant="light" title={reason[0]}>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }} lang="en">{failure.message}</Text>
          <Text size="sm" mt="xs"><strong>{t.whatToDo}:</strong> {reason[1]}</Text>
          <Group mt="xs"><CopyButton value={`${job.name}: ${failure.message} (${failure.code})`} label={t.copyReason} /></Group>
        </Alert>
      )}
      {failure !== null && job.state !== 'failed' && <JobStatus job={{ ...job, failure: null }} />}
      <Group gap="xs">
        {path !== null && <LinkButton to="/files" search={{ path }} size="compact-sm">{t.files}</LinkButton>}
        {mayChange && <Button component="a" size="compact-sm" variant="default" href={address(`api/v1/jobs/${job.id}/source`)} download leftSection={<IconDownload size={14} aria-hidden />}>{t.download}</Button>}
        {actions}
      </Group>
      <dl className={classes.facts}>
        {facts.filter(([, value]) => value !== null).map(([name, value]) => [<dt key={`t${name}`}>{name}</dt>, <dd key={name}>{value}</dd>])}
      </dl>
      {job.timings.length > 0 && (
        <div>
          <Title order={3} mb={4}>{t.timings}</Title>
          <Timings timings={job.timings} />
        </div>
      )}
    </Stack>
  )
}
