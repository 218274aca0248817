import { Box } from '@mantine/core'
import { ErrorNote } from '~/ui/state/ErrorNote'

/** What stands there when the server does not even say who is signed in. */
export function Unreached({ error, retry }: { error: Error; retry: () => void }) {
  return <Box component="main" maw={560} mx="auto" p="lg"><ErrorNote error={error} retry={retry} /></Box>
}
