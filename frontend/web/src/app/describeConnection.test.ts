import { expect, test } from 'vitest'
import { describeConnection } from './describeConnection'

test('a live interview does not promise that changes survive a reload', () => {
  expect(describeConnection('offline', '/rooms/1')).toContain('Keep this page open')
  expect(describeConnection('offline', '/participation/1')).toContain('saved in this browser')
  expect(describeConnection('away', '/rooms/1')).toContain('cannot be reached')
})
