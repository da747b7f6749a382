import { createBrowserRouter } from 'react-router'
import { Home } from '@/features/home/HomePage'
import { AssessmentShell } from './AssessmentShell'
import { Failed, FailedWhole } from './ErrorPage'
import { Shell } from './Shell'

const ASSESSMENT = '/teams/:teamId/assessments/:assessmentId'

/** Each page is its own chunk. The home page is part of the first load. */
export const router = createBrowserRouter([
  {
    element: <Shell />,
    errorElement: <FailedWhole />,
    HydrateFallback: () => null,
    children: [
      {
        // An error in a page leaves the header in place.
        errorElement: <Failed />,
        children: [
          { path: '/', element: <Home /> },
          { path: '/catalogue', lazy: () => import('@/features/catalogue/CataloguePage') },
          { path: '/topics/:id', lazy: () => import('@/features/topics/TopicPage') },
          { path: '/topics/:id/quiz', lazy: () => import('@/features/quizzes/QuizPage') },
          { path: '/challenges/:slug', lazy: () => import('@/features/challenges/ChallengePage') },
          { path: '/challenges/:slug/speed', lazy: () => import('@/features/speed-boards/SpeedBoardPage') },
          {
            path: '/challenges/:slug/speed/:entryId',
            lazy: () => import('@/features/speed-boards/SpeedEntryPage'),
          },
          { path: '/speed', lazy: () => import('@/features/speed-boards/SpeedBoardsPage') },
          { path: '/search', lazy: () => import('@/features/search/SearchPage') },
          { path: '/tracks', lazy: () => import('@/features/tracks/TracksPage') },
          { path: '/tracks/:id', lazy: () => import('@/features/tracks/TrackPage') },
          { path: '/cards', lazy: () => import('@/features/cards/CardsPage') },
          { path: '/interview', lazy: () => import('@/features/interviews/InterviewsPage') },
          { path: '/interview/:id/:item?', lazy: () => import('@/features/interviews/InterviewPage') },
          { path: '/leaderboard', lazy: () => import('@/features/leaderboards/LeaderboardPage') },
          { path: '/weekly', lazy: () => import('@/features/weekly/WeeklyPage') },
          { path: '/people/:id', lazy: () => import('@/features/profiles/ProfilePage') },
          { path: '/submissions', lazy: () => import('@/features/submissions/SubmissionsPage') },
          { path: '/shared/:id', lazy: () => import('@/features/submissions/SharedPage') },
          { path: '/start', lazy: () => import('@/features/sign-in/LandingPage') },
          { path: '/sign-in', lazy: () => import('@/features/sign-in/SignInPage') },
          { path: '/set-up', lazy: () => import('@/features/sign-in/SetUpPage') },
          { path: '/reset', lazy: () => import('@/features/sign-in/ResetPage') },
          { path: '/verify', lazy: () => import('@/features/sign-in/VerifyPage') },
          { path: '/account', lazy: () => import('@/features/account/AccountPage') },
          { path: '/suggest', lazy: () => import('@/features/feedback/SuggestPage') },
          { path: '/my-reports', lazy: () => import('@/features/feedback/MyReportsPage') },
          { path: '/admin/:part?/:id?', lazy: () => import('@/features/admin/AdminPage') },
          { path: '/teams', lazy: () => import('@/features/assessments/OverviewPage') },
          { path: '/join', lazy: () => import('@/features/teams/JoinPage') },
          { path: '/teams/:teamId', lazy: () => import('@/features/assessments/AssessmentsPage') },
          {
            path: '/teams/:teamId/challenges',
            lazy: () => import('@/features/authoring/TeamChallengesPage'),
          },
          {
            path: '/teams/:teamId/challenges/:challengeId',
            lazy: () => import('@/features/authoring/TeamChallengePage'),
          },
          {
            path: '/teams/:teamId/challenges/:challengeId/rejudge',
            lazy: () => import('@/features/authoring/rejudges/RejudgePage'),
          },
          {
            path: '/teams/:teamId/reserved/:slug',
            lazy: () => import('@/features/authoring/ReservedChallengePage'),
          },
          { path: '/teams/:teamId/rooms', lazy: () => import('@/features/rooms/RoomsPage') },
          { path: '/rooms/:roomId/replay', lazy: () => import('@/features/rooms/replay/ReplayPage') },
          { path: '/teams/:teamId/activity', lazy: () => import('@/features/teams/LogPage') },
          { path: '/teams/:teamId/leaderboard', lazy: () => import('@/features/teams/BoardPage') },
          { path: '/teams/:teamId/members', lazy: () => import('@/features/teams/MembersPage') },
          {
            path: '/teams/:teamId/connections',
            lazy: () => import('@/features/connections/ConnectionsPage'),
          },
          { path: ASSESSMENT, lazy: () => import('@/features/assessment-builder/PlanPage') },
          {
            path: `${ASSESSMENT}/preview`,
            lazy: () => import('@/features/assessment-builder/preview/PreviewPage'),
          },
          { path: `${ASSESSMENT}/invitations`, lazy: () => import('@/features/invitations/InvitationsPage') },
          { path: `${ASSESSMENT}/live`, lazy: () => import('@/features/monitoring/LivePage') },
          { path: `${ASSESSMENT}/results`, lazy: () => import('@/features/results/ResultsPage') },
          {
            path: `${ASSESSMENT}/people/:participationId`,
            lazy: () => import('@/features/monitoring/review/ReviewPage'),
          },
          { path: '*', lazy: () => import('@/features/search/NotFoundPage') },
        ],
      },
    ],
  },
  {
    element: <AssessmentShell />,
    errorElement: <FailedWhole />,
    HydrateFallback: () => null,
    children: [
      {
        errorElement: <FailedWhole />,
        children: [
          { path: '/rooms/join', lazy: () => import('@/features/rooms/RoomJoinPage') },
          { path: '/rooms/:roomId', lazy: () => import('@/features/rooms/RoomPage') },
          { path: '/report/:token', lazy: () => import('@/features/shared-report/SharedReportPage') },
          { path: '/take/:token', lazy: () => import('@/features/participations/TakePage') },
          {
            path: '/participation/:position?',
            lazy: () => import('@/features/participations/ParticipationPage'),
          },
        ],
      },
    ],
  },
])
