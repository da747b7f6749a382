/** Parts of the statement beside the editor. */
import { Text, Title } from '@mantine/core'
import type { Schemas } from '@/api/client'
import { Code } from '@/shared/markdown/Markdown'

type Found = Schemas['ChallengeView']

export function Samples({ challenge: found }: { challenge: Found }) {
  return (
    <>
      <Text size="sm" c="dimmed" mb="md">
        “Run samples” runs these tests and shows their full output. The other tests are hidden.
      </Text>
      {found.samples.map(each => (
        <section key={each.name}>
          <Title order={2} fz="0.98rem" mt="lg">
            {each.title}
          </Title>
          <Code source={each.source} />
        </section>
      ))}
    </>
  )
}

export function Limits({ challenge: found }: { challenge: Found }) {
  return (
    <>
      <Title order={2} fz="1.1rem" mt="xl" mb={6}>
        Limits
      </Title>
      <Text size="sm" c="dimmed">
        {found.limits.cpu_s} s of CPU time for all tests, {found.limits.cpu_s_per_call} s per call,{' '}
        {found.limits.memory_mb} MB.
        {found.forbidden.names.length > 0 &&
          ' Some functions or modules are not allowed. The statement lists them.'}
      </Text>
    </>
  )
}
