import { Alert, Group, Paper, Progress, Table, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { pluralize } from '@/shared/format/numbers'
import { Words } from '@/shared/markdown/Markdown'
import css from '../Authoring.module.css'
import { type GateReportView, isGateRunning, type TeamChallenge } from '../requests'
import { Findings } from './Findings'
import { percent } from './states'

/** The gate's report: its progress, what needs fixing, and the result of every solution that it ran. */
export function GateReport({ own }: { own: TeamChallenge }) {
  if (isGateRunning(own.gate)) return <UnderWay own={own} />
  if (!own.report)
    return (
      <Text c="dimmed" maw="40rem">
        The gate runs your tests in an isolated container: every accepted answer on many seeds, every wrong
        one against the test that must catch it. Then it checks that your tests reject sabotaged answers (the
        reference with one thing spoiled, such as its gradients) and mutants (the reference with one operator
        or constant changed). Run it when there are no problems left to fix.
      </Text>
    )
  return <Found report={own.report} passed={own.gate === 'passed'} />
}

function UnderWay({ own }: { own: TeamChallenge }) {
  const progress =
    own.gate === 'waiting'
      ? own.waiting
        ? `${pluralize(own.waiting, 'run')} ahead of yours.`
        : 'Yours is next.'
      : `${pluralize(own.judgings, 'test run')} so far. Most challenges take a minute or two.`
  return (
    <Paper p="lg" radius="lg" role="status">
      <Text fw={600}>{own.gate === 'waiting' ? 'Waiting for the gate' : 'The gate is running'}</Text>
      <Progress value={100} animated mt="sm" aria-label="The gate is running" />
      <Text c="dimmed" size="sm" mt="sm">
        {progress} You can leave this page.
      </Text>
    </Paper>
  )
}

function Found({ report, passed }: { report: GateReportView; passed: boolean }) {
  const alive = report.mutants.filter(each => each.end === 'survived')
  return (
    <>
      {report.fault && (
        <Alert color="red" variant="light" title="The gate could not run">
          {report.fault}
        </Alert>
      )}
      {!passed && report.findings.length > 0 && (
        <Alert color="red" variant="light" title="Fix these problems first">
          <Findings of={report.findings} />
        </Alert>
      )}
      <Figures report={report} />
      {alive.length > 0 && (
        <Part title="Mutants that no test caught">
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

function Figures({ report }: { report: GateReportView }) {
  const applied = report.saboteurs.filter(each => each.end !== 'idle')
  const rejected = report.saboteurs.filter(each => each.end === 'rejected')
  const figures = [
    [percent(report.kill_rate), 'of mutants caught'],
    [`${rejected.length} of ${applied.length}`, 'sabotaged answers rejected'],
    [String(report.lock.length), 'tests'],
    [`${report.judgings}`, `test runs in ${Math.round(report.seconds)} s`],
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

function Answers({ report }: { report: GateReportView }) {
  return (
    <Part title="Answers">
      <Table.ScrollContainer minWidth={420}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>File</Table.Th>
              <Table.Th>Expected verdict</Table.Th>
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

const ENDS = { rejected: 'Rejected', survived: 'Survived', excused: 'Allowed to pass', idle: 'No effect' }

function Saboteurs({ report }: { report: GateReportView }) {
  const applied = report.saboteurs.filter(each => each.end !== 'idle')
  return (
    <Part title="Sabotaged answers">
      <Table.ScrollContainer minWidth={520}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Change</Table.Th>
              <Table.Th>Result</Table.Th>
              <Table.Th>Caught by</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {applied.map(each => (
              <Table.Tr key={each.id}>
                <Table.Td>
                  <Words source={each.text} />
                </Table.Td>
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
