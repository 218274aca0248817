import { Button, Group, List, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { LibraryAnswer } from '~/api/types'
import { Dialog } from '~/ui/Dialog'
import { useFormat } from '~/ui/format/useFormat'
import { Notice } from '~/ui/state/Notice'
import { useText } from '~/ui/text/catalogue'
import { useNow } from '~/ui/useNow'
import { useLibrary } from './calls'
import classes from './Library.module.css'
import { text } from './text'

/** What was read when, and why nothing is hidden or deleted if so. */
export function Summary({ answer, manage }: { answer: LibraryAnswer; manage: boolean }) {
  const t = useText(text)
  const format = useFormat()
  const now = useNow()
  const { sweep } = useLibrary()
  const [opened, { open, close }] = useDisclosure(false)
  const trial = answer.trialEnds !== null && Date.parse(answer.trialEnds) > now
  return (
    <>
      <div className={classes.facts}>
        <Text size="sm" fw={600}>{t.held(format.number(answer.held))}</Text>
        <Text size="sm">{answer.read === null ? t.neverRead : <time dateTime={answer.read} title={format.dateTime(answer.read)}>{t.read(format.relative(answer.read, now))}</time>}</Text>
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>{t.libraries}: {answer.libraries.join(', ')}</Text>
        {trial && answer.trialEnds !== null && <Text size="sm" c="var(--nz-waiting)">{t.trial(format.dateTime(answer.trialEnds))}</Text>}
      </div>
      {answer.problems.length > 0 && (
        <Notice kind="waiting" title={t.problems}>
          <List size="sm">{answer.problems.map((problem) => <List.Item key={problem}>{problem}</List.Item>)}</List>
          {manage && <Button mt="xs" size="compact-sm" variant="default" onClick={open}>{t.accept}</Button>}
        </Notice>
      )}
      <Dialog opened={opened} onClose={close} title={t.acceptTitle} centered>
        <Text size="sm" mb="md">{t.acceptHint}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>{t.cancel}</Button>
          <Button color="red" loading={sweep.isPending} onClick={() => sweep.mutate(true, { onSuccess: close })}>{t.accept}</Button>
        </Group>
      </Dialog>
    </>
  )
}
