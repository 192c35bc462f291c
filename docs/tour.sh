#!/usr/bin/env bash
# The tour of the README: a small book on disk, one chapter written by an outside driver.
#
#   docs/tour.sh NOVEL DIR      NOVEL: the binary; DIR: a directory that is not there yet
#
# The book is DIR/book; the answers handed in lie beside it. Every answer of an "agent" below is a fixed text in this file; no model is called.
set -euo pipefail
novel=$(realpath "${1:?usage: docs/tour.sh NOVEL DIR}")
dir=${2:?usage: docs/tour.sh NOVEL DIR}
[[ ! -e $dir ]] || { echo "$dir is there already" >&2; exit 1; }

run() { # prints the command, then runs it
  printf '\n$ novel %s\n' "$*"
  "$novel" "$@"
}

mkdir -p "$dir"
cd "$dir"
run init book --title 雾港来信 --language zh-CN --genre 悬疑
cd book

# --- The plan. An author writes these files, or lets agents propose them. -----------------------
mkdir -p world characters/active storylines staging/volumes/vol-01/chapter-contracts
cat >world/rules.json <<'JSON'
{"rules": [
  {"id": "W-001", "category": "city", "rule": "雾钟响过之后，码头不许点灯", "constraint_type": "hard",
   "exceptions": ["守塔人"], "introduced_chapter": 1, "last_verified": null}
]}
JSON
cat >characters/active/lin-feng.json <<'JSON'
{"id": "lin-feng", "display_name": "林枫", "aliases": ["小枫"],
 "contracts": [{"id": "C-LINFENG-001", "type": "personality", "rule": "从不当面道谢", "exceptions": [], "valid_from_chapter": 1}]}
JSON
cat >storylines/storylines.json <<'JSON'
{"storylines": [{"id": "main-arc", "name": "寄信人", "type": "main_arc", "pov_characters": ["lin-feng"], "status": "active"}],
 "relationships": []}
JSON
outline=staging/volumes/vol-01/outline.md
printf '# 第一卷 雾钟\n' >"$outline"
for n in 1 2 3; do
  title=$(sed -n "${n}p" <<<$'没有署名的信\n塔下\n灯')
  cat >>"$outline" <<MD

### 第 $n 章：$title

- **Storyline**: main-arc
- **POV**: 林枫
- **Location**: 雾港码头
- **Conflict**: 信是谁寄的
- **Arc**: 从回避到追问
- **Foreshadowing**: 塔上的灯
- **StateChanges**: 林枫得到一封信
- **TransitionHint**: 去塔下
MD
  cat >"staging/volumes/vol-01/chapter-contracts/chapter-00$n.json" <<JSON
{"chapter": $n, "storyline_id": "main-arc",
 "preconditions": {"character_states": {"林枫": {"location": "雾港码头"}}, "required_world_rules": ["W-001"]},
 "objectives": [{"id": "OBJ-$n-1", "type": "plot", "required": true, "description": "林枫离答案更近一步"}],
 "postconditions": {"state_changes": {}, "foreshadowing_updates": {}},
 "acceptance_criteria": ["结尾留下一个问题"]}
JSON
done
cat >staging/volumes/vol-01/foreshadowing.json <<'JSON'
{"foreshadowing": [{"id": "tower_light", "description": "雾钟之后塔上仍亮着一盏灯", "scope": "short",
  "planted_chapter": 1, "planted_storyline": "main-arc", "target_resolve_range": [2, 3]}]}
JSON

sed -i 's/"source_type": null/"source_type": "original"/' style-profile.json
run advance quickstart:results
run next
run commit --volume 1

# --- Chapter 1: next, instructions, submit, advance; then commit. --------------------------------
run next
run instructions chapter:001:draft | sed -n 1,24p
cat >../draft.md <<'MD'
# 第 1 章 没有署名的信

雾钟响过第三遍，码头上的灯一盏一盏灭了。林枫把信翻过来，背面什么也没有。

“谁送来的？”

“不知道。”看门的老人没有抬头，“放在那儿，人就走了。”

* * *

塔上还亮着一盏灯。林枫站在堤上看了很久，信纸在口袋里硌着手指。雾里没有人声，只有缆绳一下一下地磨着木桩。
MD
run submit chapter:001:draft ../draft.md
run advance chapter:001:draft

run next
cat >../summary.json <<'JSON'
{"summary": "## 第 1 章摘要\n\n雾钟之后，林枫收到一封没有署名的信，送信人不知去向；塔上还亮着一盏灯。\n\n### 关键事件\n- 林枫得到匿名信\n\n### 伏笔变更\n- [埋设] tower_light\n\n### 故事线标记\n- storyline_id: main-arc\n",
 "delta": {"chapter": 1, "base_state_version": 0, "storyline_id": "main-arc", "ops": [
   {"op": "set", "path": "characters.lin-feng.display_name", "value": "林枫"},
   {"op": "add", "path": "characters.lin-feng.inventory", "value": "匿名信"},
   {"op": "foreshadow", "path": "tower_light", "value": "planted", "detail": "雾钟之后塔上仍亮着灯"}]},
 "crossref": {"storyline_id": "main-arc", "cross_references": [], "leak_risk": "none", "leak_detail": null, "unknown_entities": []},
 "memory": "林枫收到匿名信；塔上的灯在雾钟之后仍亮着。"}
JSON
run submit chapter:001:summarize ../summary.json
run advance chapter:001:summarize

sed 's/看了很久/看了一会儿/' ../draft.md | run submit chapter:001:refine -
run advance chapter:001:refine

verdict() { # SCORE
  cat <<JSON
{"chapter": 1,
 "contract_verification": {
   "l1_checks": [{"rule_id": "W-001", "status": "pass", "confidence": "high", "evidence": "码头上的灯一盏一盏灭了"}],
   "l2_checks": [{"rule_id": "C-LINFENG-001", "status": "pass", "confidence": "high"}],
   "l3_checks": [{"objective_id": "OBJ-1-1", "status": "pass", "confidence": "high"}], "ls_checks": []},
 "scores": {
   "plot_logic": {"score": $1, "evidence": "塔上还亮着一盏灯"}, "character": {"score": 4}, "immersion": {"score": $1},
   "foreshadowing": {"score": 4}, "pacing": {"score": 4}, "style_naturalness": {"score": $1},
   "emotional_impact": {"score": 4}, "storyline_coherence": {"score": 4}},
 "overall": 5.0, "recommendation": "pass", "required_fixes": []}
JSON
}
# A first chapter is a key chapter: two judges, and the worse verdict counts.
verdict 4.5 | run submit chapter:001:judge - --model judge-a
verdict 4 | run submit chapter:001:judge - --judge secondary --model judge-b
run advance chapter:001:judge

run commit --chapter 1 --dry-run
run commit --chapter 1
run status
