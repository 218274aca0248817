/** To be built. */
export default function ProvidersPage() {
  return null
}
