import { Alert, Group, Paper, Progress, Table, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { type Own, type Report, underWay } from './data'
import css from './Own.module.css'
import { percent } from './words'

/** What the gate found: the way there, what is to be mended, and how everything that was tried ended. */
export function GateReport({ own }: { own: Own }) {
  if (underWay(own.gate)) return <UnderWay own={own} />
  if (!own.report)
    return (
      <Text c="dimmed" maw="40rem">
        The gate runs your tests in a container of their own: every accepted answer on many seeds, every wrong
        one against the test that must catch it, then answers spoilt on purpose. Ask it once nothing is left
        to mend.
      </Text>
    )
  return <Found report={own.report} passed={own.gate === 'passed'} />
}

function UnderWay({ own }: { own: Own }) {
  const told =
    own.gate === 'waiting'
      ? own.waiting
        ? `${own.waiting} before yours.`
        : 'Yours is next.'
      : `${own.judgings} judgings so far. Most challenges take a minute or two.`
  return (
    <Paper p="lg" radius="lg" role="status">
      <Text fw={600}>{own.gate === 'waiting' ? 'Waiting for the gate' : 'The gate is looking'}</Text>
      <Progress value={100} animated mt="sm" aria-label="The gate is at work" />
      <Text c="dimmed" size="sm" mt="sm">
        {told} You may leave this page.
      </Text>
    </Paper>
  )
}

function Found({ report, passed }: { report: Report; passed: boolean }) {
  const alive = report.mutants.filter(each => each.end === 'survived')
  return (
    <>
      {report.fault && (
        <Alert color="red" variant="light" title="The gate could not look">
          {report.fault}
        </Alert>
      )}
      {!passed && report.findings.length > 0 && (
        <Alert color="red" variant="light" title="To mend before it passes">
          <Findings of={report.findings} />
        </Alert>
      )}
      <Figures report={report} />
      {alive.length > 0 && (
        <Part title="Mutants that no test saw">
          {alive.map(each => (
            <div key={each.id} className={css.mutant}>
              <Text size="sm" c="dimmed">
                Line {each.line}, {each.operator} <code className="g-code">{each.id}</code>
              </Text>
              <pre className={css.diff}>{each.diff}</pre>
            </div>
          ))}
        </Part>
      )}
      {report.answers.length > 0 && <Answers report={report} />}
      {report.saboteurs.length > 0 && <Saboteurs report={report} />}
    </>
  )
}

export function Findings({ of }: { of: Report['findings'] }) {
  return (
    <ul className={css.findings}>
      {of.map(each => (
        <li key={`${each.where} ${each.text}`}>
          <code className="g-code">{each.where}</code> {each.text}
        </li>
      ))}
    </ul>
  )
}

function Figures({ report }: { report: Report }) {
  const applied = report.saboteurs.filter(each => each.end !== 'idle')
  const rejected = report.saboteurs.filter(each => each.end === 'rejected')
  const figures = [
    [percent(report.kill_rate), 'of mutants caught'],
    [`${rejected.length} of ${applied.length}`, 'saboteurs rejected'],
    [String(report.lock.length), 'tests'],
    [`${report.judgings}`, `judgings in ${Math.round(report.seconds)} s`],
  ]
  return (
    <Group className={css.figures} mt="md">
      {figures.map(([figure, words]) => (
        <div key={words}>
          <Text ff="heading" fz="1.6rem" fw={600} lh={1.2}>
            {figure}
          </Text>
          <Text size="sm" c="dimmed">
            {words}
          </Text>
        </div>
      ))}
    </Group>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={css.part}>
      <Title order={3} fz="1.1rem" mb="xs">
        {title}
      </Title>
      {children}
    </section>
  )
}

function Answers({ report }: { report: Report }) {
  return (
    <Part title="Answers">
      <Table.ScrollContainer minWidth={420}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>File</Table.Th>
              <Table.Th>Must end as</Table.Th>
              <Table.Th>Caught by</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {report.answers.map(each => (
              <Table.Tr key={`${each.verdict} ${each.name}`}>
                <Table.Td ff="monospace" fz="sm">
                  {each.name}
                </Table.Td>
                <Table.Td>{each.verdict}</Table.Td>
                <Table.Td ff="monospace" fz="sm">
                  {each.caught_by || '–'}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Part>
  )
}

const ENDS = { rejected: 'Rejected', survived: 'Survived', excused: 'May pass', idle: 'Changes nothing' }

function Saboteurs({ report }: { report: Report }) {
  const applied = report.saboteurs.filter(each => each.end !== 'idle')
  return (
    <Part title="Saboteurs: the reference, spoilt on purpose">
      <Table.ScrollContainer minWidth={520}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>What it does</Table.Th>
              <Table.Th>End</Table.Th>
              <Table.Th>By</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {applied.map(each => (
              <Table.Tr key={each.id}>
                <Table.Td>{each.text}</Table.Td>
                <Table.Td c={each.end === 'survived' ? 'var(--g-bad)' : undefined}>{ENDS[each.end]}</Table.Td>
                <Table.Td fz="sm">{each.by || '–'}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Part>
  )
}
