/** Parts of the statement beside the editor. */
import { Button, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { Schemas } from '@/api/client'
import { Code } from '@/shared/markdown/Markdown'
import { notebook } from './notebook'

type Found = Schemas['ChallengeView']

export function Samples({ challenge: found }: { challenge: Found }) {
  if (found.samples.length === 0) return <Text>This challenge has no samples.</Text>
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

/** The file that comes with the challenge, for answers to import. `given` is empty if the challenge has none. */
export function Given({ challenge: found }: { challenge: Found }) {
  return (
    <>
      <Text size="sm" c="dimmed" mb="md">
        Your answer can import from this file, as in <code className="g-code">from given import …</code>
      </Text>
      <Code source={found.given} />
    </>
  )
}

/** Saves the challenge and the present answer as a notebook. */
export function Download({ challenge: found, answer }: { challenge: Found; answer: string }) {
  const save = () => {
    const link = document.createElement('a')
    const text = notebook(found, answer, window.location.origin)
    link.href = URL.createObjectURL(new Blob([text], { type: 'application/x-ipynb+json' }))
    link.download = `${found.slug}.ipynb`
    link.click()
    URL.revokeObjectURL(link.href)
  }
  return (
    <Button mt="md" size="xs" variant="default" leftSection={<IconDownload size={14} />} onClick={save}>
      Download as a notebook
    </Button>
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
