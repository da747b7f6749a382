import { Words } from '@/shared/markdown/Markdown'
import css from '../Authoring.module.css'
import type { GateReportView } from '../requests'

/** What the author has to fix: where, and what to do. */
export function Findings({ of }: { of: GateReportView['findings'] }) {
  return (
    <ul className={css.findings}>
      {of.map(each => (
        <li key={`${each.where} ${each.text}`}>
          <code className="g-code">{each.where}</code> <Words source={each.text} />
        </li>
      ))}
    </ul>
  )
}
