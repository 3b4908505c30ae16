"""Which method serves which press of a button or menu."""

from __future__ import annotations

from collections.abc import Mapping

from bot.interactions.commands import DogCog
from bot.interactions.serve import Method
from bot.showing.choices import Go, PlanGo, PlayNow
from bot.showing.controls import (
    Absent,
    AnswerProposal,
    AskCancel,
    AskTalk,
    AskTerms,
    Fill,
    Join,
    Leave,
    OpenUsual,
    OtherPartners,
    PlayFrom,
    PostPicture,
    ReadRules,
    Reclaim,
    Rematch,
    SaveRecord,
    SayNo,
    SetComputer,
    SetInvited,
    SharePicture,
    ShowHand,
    ShowHistory,
    ShowReplay,
    ShowReview,
    ShowSettings,
    ShowShuffle,
    ShowText,
    StandIn,
    Start,
    StopSeeking,
    TakeOver,
    TakeSeat,
    Talk,
    Undo,
    Wait,
)
from bot.showing.cups import (
    CancelCup,
    DecideTable,
    EnterCup,
    ExtendRound,
    LeaveCup,
    OpenCup,
    PartnerYes,
    PlanCup,
    PlanHouse,
    RepeatLadder,
    SaveDraws,
    ShowCup,
    ShowStandings,
    StartCup,
)
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
from cogs.planning import PlanningCog
from cogs.play import PlayCog
from cogs.social import SocialCog
from cogs.stats import ShowSeason, StatsCog

HANDLERS: Mapping[type[DogCog], Mapping[type[Press], Method]] = {
    LobbyCog: {
        PlayFrom: LobbyCog.play_from,
        OpenUsual: LobbyCog.open_usual,
        OpenTable: LobbyCog.open_other,
        Remind: LobbyCog.remind,
        Join: LobbyCog.change,
        Leave: LobbyCog.change,
        Fill: LobbyCog.change,
        OtherPartners: LobbyCog.change,
        ShowSettings: LobbyCog.settings,
        AskTerms: LobbyCog.ask_terms,
        Arrange: LobbyCog.arrange,
        FreeSeat: LobbyCog.free_seat,
        Wait: LobbyCog.wait,
        TakeSeat: LobbyCog.seat,
        SetComputer: LobbyCog.set_computer,
        ReadRules: LobbyCog.read_rules,
        Rematch: LobbyCog.rematch,
    },
    SocialCog: {
        StopSeeking: SocialCog.stop,
        AskTalk: SocialCog.ask_talk,
        Talk: SocialCog.say,
    },
    PlayCog: {
        ShowHand: PlayCog.hand,
        Start: PlayCog.start,
        Go: PlayCog.go,
        AskWhy: PlayCog.go,
        PlayNow: PlayCog.play,
        AskHint: PlayCog.hint,
        Undo: PlayCog.undo,
        AnswerProposal: PlayCog.answer,
    },
    PlanningCog: {
        PlanGo: PlanningCog.plan,
        PlanThis: PlanningCog.plan_this,
        PlanGift: PlanningCog.plan_gift,
        DropPlans: PlanningCog.drop,
    },
    LookingCog: {
        ShowText: LookingCog.board_in_words,
        ShowHistory: LookingCog.history,
        ShowShuffle: LookingCog.fair_shuffle,
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
        ShowReplay: FinishedCog.replay,
        StepThrough: FinishedCog.moment,
        ShowMoment: FinishedCog.moment,
        ShowReview: FinishedCog.review,
        SaveRecord: FinishedCog.record,
        SharePicture: FinishedCog.picture,
        PostPicture: FinishedCog.post_picture,
    },
    StatsCog: {
        ShowSeason: StatsCog.show_season,
    },
    CupsCog: {
        PlanCup: CupsCog.change_plan,
        PlanHouse: CupsCog.choose_house,
        OpenCup: CupsCog.open,
        PartnerYes: CupsCog.partner_yes,
        EnterCup: CupsCog.enter,
        LeaveCup: CupsCog.leave,
        ShowCup: CupsCog.show,
        ShowStandings: CupsCog.standings,
        SaveDraws: CupsCog.save_draws,
        StartCup: CupsCog.start,
        ExtendRound: CupsCog.extend,
        RepeatLadder: CupsCog.repeat,
        CancelCup: CupsCog.cancel,
        DecideTable: CupsCog.decide,
    },
    LeavingCog: {
        SayNo: LeavingCog.say_no,
        Absent: LeavingCog.decide,
        Reclaim: LeavingCog.reclaim,
        StandIn: LeavingCog.stand_in,
        TakeOver: LeavingCog.take_over,
        TakeOverSure: LeavingCog.take_over_yes,
        AskCancel: LeavingCog.cancel,
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
        SetInvited: MeCog.set_invited,
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
