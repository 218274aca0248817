import { useMutation } from '@tanstack/react-query'
import { api, take } from '~/api/client'
import type { ProviderTest, ProviderVerdict } from '~/api/types'

/** Tests values that are not saved yet. */
export function useProviderTest() {
  return useMutation({ mutationFn: (body: ProviderTest): Promise<ProviderVerdict> => take(api.POST('/api/v1/providers/test', { body })) })
}
