//! What each code means, what decides it and how it is repaired: `novel check --explain CODE`.

use novel_model::{Message, message};

use super::FindingCode;

/// How a code is repaired: the last line of its explanation.
pub(super) fn repair(code: FindingCode) -> Message {
    let last = |text: &str, mark: &str| {
        let (_, repair) = text.rsplit_once(mark).unwrap_or_default();
        repair.to_owned()
    };
    let Message { en, zh } = explanation(code);
    Message {
        en: last(&en, "\nRepair: "),
        zh: last(&zh, "\n修正："),
    }
}

/// What a code means, what decides it, what excuses it and how it is repaired.
#[must_use]
pub fn explanation(code: FindingCode) -> Message {
    use FindingCode as C;
    match code {
        C::DeadCharacterActs => message!(
            en: "Somebody who is dead in the state before the chapter is the subject of a \
                sentence about what happens now.\nExcused: memory, dream, report, document, \
                verse, likeness, supposition, quotation, possession, object; and a chapter whose \
                own delta brings them back.\nRepair: give the action to somebody else, or make \
                plain that it is a memory. If they live, correct the record with a `set` of their \
                status.",
            zh: "在本章之前的状态中已死的人，成了叙述“此刻”的句子的主语。\n不算矛盾：回忆、梦、转述、文书、诗词、画像、假设、引语、所有格、宾语；以及本章自身的变更使其复生。\n修正：改由他人行动，或写明是回忆。如果此人未死，请更正其状态记录。"
        ),
        C::AbsentCharacterActs => message!(
            en: "Somebody who is missing, captured or gone in the state acts in a paragraph next \
                to somebody who is there.\nRepair: let somebody else act, or let the delta of the \
                chapter say that they came back.",
            zh: "状态中失踪、被俘或离开的人，与在场者同段行动。\n修正：改由他人行动，或在本章变更中写明其归来。"
        ),
        C::RetiredCharacterActs => message!(
            en: "Somebody in `characters/retired` acts after their last chapter.\nRepair: let \
                somebody else act, or bring the character back: move the files to \
                `characters/active/`.",
            zh: "`characters/retired` 中的人物在最后一章之后仍在行动。\n修正：改由他人行动，或让该角色回归：把文件移回 `characters/active/`。"
        ),
        C::LifeContradicted => message!(
            en: "The chapter assumes that somebody is dead who is alive in the record.\nRepair: \
                correct the text, or record the death.",
            zh: "本章以某人已死为前提，而记录中此人在世。\n修正：更正正文，或登记其死亡。"
        ),
        C::PreconditionMismatch => message!(
            en: "The contract starts from a state the record does not have. Known fields are \
                compared by meaning, places by id; another wording is not a \
                contradiction.\nRepair: correct the contract, or plan the change in an earlier \
                chapter.",
            zh: "契约的起始状态与记录不符。已知字段按含义比较，地点按 id 比较，换一种说法不算矛盾。\n修正：更正契约，或在更早的章节安排这一变化。"
        ),
        C::PostconditionNotMet => message!(
            en: "The contract asks for a change that the delta of the chapter did not make.\nRepair: write the change into the text and apply the revision; where later chapters go on from what is recorded, correct the contract.",
            zh: "契约要求的变化没有出现在本章变更中。\n修正：在正文中写出变化并应用修订；若后面的章节已承接记录中的状态，则更正契约。"
        ),
        C::ForeshadowUpdateMissing => message!(
            en: "The contract asks for a foreshadowing update that the delta does not \
                contain.\nRepair: write it into the text, or correct the contract.",
            zh: "契约要求的伏笔变化没有出现在本章变更中。\n修正：写进正文，或更正契约。"
        ),
        C::ForeshadowResolvedBeforePlanted
        | C::ForeshadowAdvancedBeforePlanted
        | C::ForeshadowPlantedTwice
        | C::ForeshadowAfterResolved => message!(
            en: "A promise is planted, then advanced, then resolved; this chapter breaks the order.\nRepair: correct the `foreshadow` op of the chapter that is wrong.",
            zh: "伏笔先埋设，再推进，后回收；本章打破了次序。\n修正：更正有误的那一章的 `foreshadow` 变更。"
        ),
        C::ForeshadowOverdue | C::ForeshadowRangePassed => message!(
            en: "A promise is open past the range its plan gave it. Only a short one is overdue.\nRepair: resolve it, or give it another range.",
            zh: "伏笔超过规划的回收区间仍未回收。只有短线伏笔算超期。\n修正：回收它，或调整区间。"
        ),
        C::ForeignCastNamed => message!(
            en: "Somebody only another storyline knows is named outside a convergence.\nRepair: take the name out, or let the lines meet first.",
            zh: "只有别的故事线认识的人，在交汇之外被提到。\n修正：去掉名字，或先让故事线交汇。"
        ),
        C::UnregisteredNameRecurs => message!(
            en: "An unregistered name appears in a third chapter.\nRepair: add the character to \
                `characters/active/`, or use a registered name.",
            zh: "未登记的名字在第三章中再次出现。\n修正：把该角色加入 `characters/active/`，或改用已登记的名字。"
        ),
        C::ItemUsedAfterGivenAway
        | C::ItemUsedAfterDestroyed
        | C::ItemHeldByAnother
        | C::ItemCountMismatch => message!(
            en: "A thing is used by somebody who does not have it, after it was lost or destroyed, or more of it than there are.\nExcused: a chapter whose own delta brings it back.\nRepair: take the thing out of the sentence, or show how it came there.",
            zh: "物品被并不持有它的人使用，或在毁失之后使用，或用量超过所有。\n不算矛盾：本章自身的变更使其复得。\n修正：从句中去掉该物品，或写明来历。"
        ),
        C::BodyContradicted => message!(
            en: "Somebody uses a part of the body or a sense the record says is lost, or has eyes or hair of another colour.\nRepair: use the other one, correct the colour, or record the change.",
            zh: "人物使用了记录中已经失去的肢体或感官，或眼睛、头发的颜色与记录不同。\n修正：改用其他肢体，更正颜色，或登记这一变化。"
        ),
        C::PlaceContradicted => message!(
            en: "The chapter assumes that somebody is somewhere else than the record says. \
                Decided where both names are known places (`world/places.json`) and neither lies \
                in the other; from prose only where no journey is told.\nRepair: correct the \
                place, or record the journey.",
            zh: "本章以某人位于别处为前提，而记录不然。两个名字都是已知地点（`world/places.json`）且互不包含时才判定；仅凭正文时，还须未写行程。\n修正：更正地点，或登记行程。"
        ),
        C::TravelTooFast => message!(
            en: "A journey takes fewer days than `world/places.json` says it must.\nRepair: let more days pass, or correct the way.",
            zh: "行程用的天数少于 `world/places.json` 所要求的。\n修正：让时间多过几天，或更正路程。"
        ),
        C::AgeContradicted => message!(
            en: "Somebody is younger than recorded, or older than the years that passed allow.\nRepair: correct the age.",
            zh: "人物的年龄小于记录，或大于所过年数允许的范围。\n修正：更正年龄。"
        ),
        C::KinshipContradicted => message!(
            en: "Two people are related in a way the record rules out: another tie between the \
                same two, or a second father or mother.\nRepair: correct the tie.",
            zh: "两人的亲属关系为记录所排除：同两人另有关系，或出现第二个父亲或母亲。\n修正：更正亲属关系。"
        ),
        C::RelationContradicted => message!(
            en: "Friends are enemies, enemies friends, or acquaintances strangers, and no chapter changed it.\nRepair: correct the text, or record the change.",
            zh: "敌友或相识与否与记录相反，而没有任何一章改变它。\n修正：更正正文，或登记这一变化。"
        ),
        C::KnownBeforeRevealed => message!(
            en: "Somebody knows a secret of `world/truth.json` before the chapter in which they learn it.\nRepair: take the knowledge out, or move the chapter in `known_by`.",
            zh: "人物在得知之前就知道了 `world/truth.json` 中的秘密。\n修正：去掉这一认知，或调整 `known_by` 的章节。"
        ),
        C::RankContradicted => message!(
            en: "Somebody has a different rank from the one in the record.\nRepair: correct the rank, or record the promotion.",
            zh: "人物的等级或职位与记录不符。\n修正：更正，或登记升迁。"
        ),
        C::WorldRuleBroken => message!(
            en: "Somebody bound by a hard rule of `world/rules.json` does what it forbids, under \
                its conditions, and the text affirms it. Who is bound is known from the record or \
                from the sentence; other words for the same event count.\nExcused: exceptions of \
                the rule, leave, attempts, what is only seen, supposed or told.\nRepair: rewrite \
                the sentence, or name the exception in the rule.",
            zh: "受 `world/rules.json` 某条硬规则约束的人，在规则的条件之下做了它禁止的事。是否受约束由记录或句子本身判定；同一行为的其他说法也算。\n不算矛盾：规则的例外、得到许可、未遂，以及只是看见、假设或转述。\n修正：改写该句，或在规则中写明例外。"
        ),
        C::DayContradicted | C::TimeRunsBackwards => message!(
            en: "The time of a storyline goes back. Markers are compared only where every coarser unit is known for both.\nRepair: correct the marker, or mark the scene as a flashback.",
            zh: "故事线的时间倒退。只有较粗的单位都已知时才比较。\n修正：更正时间标记，或写明是倒叙。"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_says_how_it_is_repaired() {
        for code in FindingCode::ALL {
            let Message { en, zh } = repair(*code);
            assert!(!en.is_empty() && !zh.is_empty(), "{code}");
        }
    }
}
