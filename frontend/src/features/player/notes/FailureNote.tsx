import { Alert, Button, Group, Text } from '@mantine/core'
import { IconAlertOctagon } from '@tabler/icons-react'
import type { FileDetails } from '~/api/types'
import { useText } from '~/ui/text/catalogue'
import type { Failure } from '../judging/failure'
import { text } from '../text'
import { Players } from './Offer'

/** Why it stopped, and the ways out. */
export function FailureNote({ file, failure, onAgain }: { file: FileDetails; failure: Failure; onAgain: () => void }) {
  const t = useText(text)
  return (
    <Alert color="red" variant="light" icon={<IconAlertOctagon aria-hidden />} role="alert" mb="md">
      <Text>{failure.kind === 'http' ? t.failure.http(failure.status, failure.message) : t.failure[failure.kind]}</Text>
      <Group mt="xs" gap="xs">
        <Button variant="default" onClick={onAgain}>{t.again}</Button>
        <Players file={file} />
      </Group>
    </Alert>
  )
}
