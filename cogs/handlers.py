"""Which method serves which press of a button or menu."""

from __future__ import annotations

from collections.abc import Mapping

from bot.interactions.commands import DogCog
from bot.interactions.serve import Method
from bot.showing import controls, cup_panels
from bot.showing.choices import Go, PlanGo, PlayNow
from bot.showing.dialogue import AskHint, AskWhy, DropPlans, PlanGift, PlanThis
from bot.showing.lessons import Lessons, NoTips, ShowPuzzle, Try, TryHint, TryPlay, TrySolution, TryWhy
from bot.showing.presses import Press
from bot.showing.rulebook import ShowPage
from bot.showing.terms import Arrange, FreeSeat, OpenTable, SetHouse
from cogs.admin import AdminCog, BanSure, ChangeSetting, ChooseSetting, ResetSettings, SettingsAsText, WipeGuild
from cogs.cups import CupsCog
from cogs.finished import FinishedCog, ShowMoment, StepThrough
from cogs.house import HouseCog
from cogs.learning import LearningCog
from cogs.leaving import CancelSure, Concede, LeavingCog, ResignSure, TakeOverSure
from cogs.lobby import LobbyCog, Remind
from cogs.looking import LookingCog, ShowCommands
from cogs.me import Export, Forget, MeCog, SetAway, SetBottom, SetLanguage, SetListed, SetQuiet, SetTheme, Unblock
from cogs.opening import OpeningCog
from cogs.planning import PlanningCog
from cogs.play import PlayCog
from cogs.social import SocialCog
from cogs.stats import ShowSeason, StatsCog

HANDLERS: Mapping[type[DogCog], Mapping[type[Press], Method]] = {
    OpeningCog: {
        controls.PlayFrom: OpeningCog.play_from,
        controls.OpenUsual: OpeningCog.open_usual,
        OpenTable: OpeningCog.open_other,
        controls.Rematch: OpeningCog.rematch,
    },
    LobbyCog: {
        Remind: LobbyCog.remind,
        controls.Join: LobbyCog.change,
        controls.Leave: LobbyCog.change,
        controls.Fill: LobbyCog.change,
        controls.OtherPartners: LobbyCog.change,
        controls.ShowSettings: LobbyCog.settings,
        controls.AskTerms: LobbyCog.ask_terms,
        Arrange: LobbyCog.arrange,
        FreeSeat: LobbyCog.free_seat,
        controls.Wait: LobbyCog.wait,
        controls.TakeSeat: LobbyCog.seat,
        controls.SetComputer: LobbyCog.set_computer,
        controls.ReadRules: LobbyCog.read_rules,
    },
    SocialCog: {
        controls.StopSeeking: SocialCog.stop,
        controls.AskTalk: SocialCog.ask_talk,
        controls.Talk: SocialCog.say,
    },
    PlayCog: {
        controls.ShowHand: PlayCog.hand,
        controls.Start: PlayCog.start,
        Go: PlayCog.go,
        AskWhy: PlayCog.go,
        PlayNow: PlayCog.play,
        AskHint: PlayCog.hint,
        controls.Undo: PlayCog.undo,
        controls.AnswerProposal: PlayCog.answer,
    },
    PlanningCog: {
        PlanGo: PlanningCog.plan,
        PlanThis: PlanningCog.plan_this,
        PlanGift: PlanningCog.plan_gift,
        DropPlans: PlanningCog.drop,
    },
    LookingCog: {
        controls.ShowText: LookingCog.board_in_words,
        controls.ShowHistory: LookingCog.history,
        controls.ShowShuffle: LookingCog.fair_shuffle,
        ShowPage: LookingCog.turn_the_page,
        ShowCommands: LookingCog.commands,
    },
    LearningCog: {
        Lessons: LearningCog.learn,
        ShowPuzzle: LearningCog.puzzle,
        TrySolution: LearningCog.solution,
        Try: LearningCog.choose,
        TryWhy: LearningCog.choose,
        TryHint: LearningCog.choose,
        TryPlay: LearningCog.play,
        NoTips: LearningCog.no_tips,
    },
    FinishedCog: {
        controls.ShowReplay: FinishedCog.replay,
        StepThrough: FinishedCog.moment,
        ShowMoment: FinishedCog.moment,
        controls.ShowReview: FinishedCog.review,
        controls.SaveRecord: FinishedCog.record,
        controls.SharePicture: FinishedCog.picture,
        controls.PostPicture: FinishedCog.post_picture,
    },
    StatsCog: {
        ShowSeason: StatsCog.show_season,
    },
    CupsCog: {
        cup_panels.PlanCup: CupsCog.change_plan,
        cup_panels.PlanHouse: CupsCog.choose_house,
        cup_panels.OpenCup: CupsCog.open,
        cup_panels.PartnerYes: CupsCog.partner_yes,
        cup_panels.EnterCup: CupsCog.enter,
        cup_panels.LeaveCup: CupsCog.leave,
        cup_panels.ShowCup: CupsCog.show,
        cup_panels.ShowStandings: CupsCog.standings,
        cup_panels.SaveDraws: CupsCog.save_draws,
        cup_panels.StartCup: CupsCog.start,
        cup_panels.ExtendRound: CupsCog.extend,
        cup_panels.RepeatLadder: CupsCog.repeat,
        cup_panels.CancelCup: CupsCog.cancel,
        cup_panels.DecideTable: CupsCog.decide,
    },
    LeavingCog: {
        controls.SayNo: LeavingCog.say_no,
        controls.Absent: LeavingCog.decide,
        controls.Reclaim: LeavingCog.reclaim,
        controls.StandIn: LeavingCog.stand_in,
        controls.TakeOver: LeavingCog.take_over,
        TakeOverSure: LeavingCog.take_over_yes,
        controls.AskCancel: LeavingCog.cancel,
        CancelSure: LeavingCog.sure,
        ResignSure: LeavingCog.sure,
        Concede: LeavingCog.sure,
    },
    MeCog: {
        SetTheme: MeCog.set,
        SetBottom: MeCog.set,
        SetLanguage: MeCog.set,
        SetQuiet: MeCog.set,
        SetAway: MeCog.set_away,
        controls.SetInvited: MeCog.set_invited,
        Unblock: MeCog.unblock,
        SetListed: MeCog.set_listed,
        Export: MeCog.export,
        Forget: MeCog.forget,
    },
    AdminCog: {
        ChooseSetting: AdminCog.change_setting,
        ChangeSetting: AdminCog.change_setting,
        SettingsAsText: AdminCog.settings_as_text,
        ResetSettings: AdminCog.reset_settings,
        WipeGuild: AdminCog.wipe,
        BanSure: AdminCog.ban_sure,
    },
    HouseCog: {
        SetHouse: HouseCog.change,
    },
}
"""By cog, its methods by the kind of press that they serve; they get the press if they have a parameter `press`."""
