import { createBrowserRouter } from 'react-router'
import { Home } from '../pages/Home'
import { Failed } from './Failed'
import { QuietShell } from './QuietShell'
import { Shell } from './Shell'

const ASSESSMENT = '/teams/:teamId/assessments/:assessmentId'

/** Each page is a chunk of its own; the home page comes with the first load. */
export const router = createBrowserRouter([
  {
    element: <Shell />,
    errorElement: <Failed />,
    HydrateFallback: () => null,
    children: [
      { path: '/', element: <Home /> },
      { path: '/catalogue', lazy: () => import('../pages/Catalogue') },
      { path: '/topics/:id', lazy: () => import('../pages/Topic') },
      { path: '/topics/:id/quiz', lazy: () => import('../pages/Quiz') },
      { path: '/challenges/:slug', lazy: () => import('../pages/Challenge') },
      { path: '/search', lazy: () => import('../pages/Search') },
      { path: '/tracks', lazy: () => import('../pages/Tracks') },
      { path: '/tracks/:id', lazy: () => import('../pages/Track') },
      { path: '/cards', lazy: () => import('../pages/Cards') },
      { path: '/interview', lazy: () => import('../pages/Interviews') },
      { path: '/interview/:id/:item?', lazy: () => import('../pages/Interview') },
      { path: '/leaderboard', lazy: () => import('../pages/Leaderboard') },
      { path: '/people/:id', lazy: () => import('../pages/Person') },
      { path: '/submissions', lazy: () => import('../pages/Submissions') },
      { path: '/shared/:id', lazy: () => import('../pages/Shared') },
      { path: '/sign-in', lazy: () => import('../pages/SignIn') },
      { path: '/reset', lazy: () => import('../pages/Reset') },
      { path: '/verify', lazy: () => import('../pages/Verify') },
      { path: '/account', lazy: () => import('../pages/Account') },
      { path: '/suggest', lazy: () => import('../pages/Suggest') },
      { path: '/my-reports', lazy: () => import('../pages/MyReports') },
      { path: '/admin/:part?/:id?', lazy: () => import('../pages/Admin') },
      { path: '/teams', lazy: () => import('../pages/Teams') },
      { path: '/join', lazy: () => import('../pages/Join') },
      { path: '/teams/:teamId', lazy: () => import('../pages/TeamAssessments') },
      { path: '/teams/:teamId/challenges', lazy: () => import('../pages/TeamChallenges') },
      { path: '/teams/:teamId/challenges/:challengeId', lazy: () => import('../pages/TeamChallenge') },
      {
        path: '/teams/:teamId/challenges/:challengeId/rejudge',
        lazy: () => import('../pages/TeamRejudge'),
      },
      { path: '/teams/:teamId/members', lazy: () => import('../pages/TeamMembers') },
      { path: '/teams/:teamId/connections', lazy: () => import('../pages/TeamConnections') },
      { path: ASSESSMENT, lazy: () => import('../pages/AssessmentPlan') },
      { path: `${ASSESSMENT}/preview`, lazy: () => import('../pages/AssessmentPreview') },
      { path: `${ASSESSMENT}/invitations`, lazy: () => import('../pages/AssessmentInvitations') },
      { path: `${ASSESSMENT}/live`, lazy: () => import('../pages/AssessmentLive') },
      { path: `${ASSESSMENT}/results`, lazy: () => import('../pages/AssessmentResults') },
      { path: `${ASSESSMENT}/people/:participationId`, lazy: () => import('../pages/AssessmentPerson') },
      { path: '*', lazy: () => import('../pages/NotFound') },
    ],
  },
  {
    element: <QuietShell />,
    errorElement: <Failed />,
    HydrateFallback: () => null,
    children: [
      { path: '/take/:token', lazy: () => import('../pages/Take') },
      { path: '/participation/:position?', lazy: () => import('../pages/Participation') },
    ],
  },
])
