import { Text } from '@mantine/core'
import { useText } from '~/ui/text/catalogue'
import { text } from './text'

/** What stands at an address that leads nowhere. */
export function NotFound() {
  return <Text p="lg">{useText(text).notFound}</Text>
}
