//! The Chinese texts of the help, by command and argument.

/// The short text of a key, and the long one where there is one.
pub(super) fn text(key: &str) -> Option<(&'static str, Option<&'static str>)> {
    let (_, text) = TABLE.iter().find(|(known, _)| *known == key)?;
    Some(match text.split_once("\n\n") {
        Some((short, _)) => (short, Some(text)),
        None => (text, None),
    })
}

/// First paragraph: the short text; a key with more has a long text.
pub(super) const TABLE: &[(&str, &str)] = &[
    (
        "",
        "一章一章写完长篇小说，一个字也不丢\n\n`novel` 把一部书保存为目录中的普通文件。它告诉你下一步做什么，给出该步骤的指令，检查交回的产物，并以一次事务提交一章。",
    ),
    (".project", "项目目录"),
    (
        ".project_name",
        "当前目录所在工作区中的项目 `projects/NAME`",
    ),
    (".json", "在标准输出打印一个 JSON 对象，此外不打印任何内容"),
    (".lang", "消息的语言"),
    (".quiet", "不打印说明与警告"),
    (".color", "何时使用颜色"),
    (".help", "打印帮助；`-h` 更简短"),
    (".version", "打印版本"),
    (
        "init",
        "新建项目\n\n创建目录，写入 `.checkpoint.json`、`novel.toml`、`brief.md`，以及风格与黑名单模板。在终端中会询问选项没有给出的内容。没有 `--force` 时不覆盖任何文件。",
    ),
    ("init.dir", "新项目的目录；默认为当前目录"),
    ("init.title", "书名"),
    ("init.author", "作者名"),
    ("init.language", "作品语言；默认 `zh-CN`"),
    ("init.genre", "题材，写入创作简报"),
    ("init.protagonist", "主角，写入创作简报"),
    ("init.conflict", "核心冲突，写入创作简报"),
    ("init.yes", "现在和以后都不询问：试写与每次规划不看即接受"),
    ("init.brief", "创作简报：这部书要写成什么样"),
    ("init.style_source", "文风来源；默认用内置模板"),
    ("init.style_template", "内置文风的名称"),
    ("init.style_reference", "参照其文风的作者"),
    ("init.force", "覆盖已有项目的文件；旧文件移入 `archive/`"),
    (
        "start",
        "查看作品，推荐下一步并执行\n\n在终端中用方向键选择。没有终端时打印可选项及对应命令；`--yes` 执行推荐项，`--choose` 执行其他项。",
    ),
    ("start.yes", "不询问，直接执行推荐项"),
    ("start.choose", "按列表中的名称执行这一项"),
    ("start.chapters", "写几章，用于 `several`"),
    ("start.phase", "重做起步的哪一部分，用于 `adjust`"),
    (
        "start.note",
        "希望有什么不同，用于 `adjust`、`redo` 与 `redirect`",
    ),
    ("start.title", "书名"),
    ("start.author", "作者名"),
    ("start.language", "作品语言；默认 `zh-CN`"),
    ("start.genre", "题材，写入创作简报"),
    ("start.protagonist", "主角，写入创作简报"),
    ("start.conflict", "核心冲突，写入创作简报"),
    ("start.brief", "创作简报：这部书要写成什么样"),
    ("start.style_source", "文风来源；默认用内置模板"),
    ("start.style_template", "内置文风的名称"),
    ("start.style_reference", "参照其文风的作者"),
    (
        "start.executor",
        "由谁执行，代替 novel.toml 中的 `executor`",
    ),
    (
        "quickstart",
        "起步：世界、人物、文风与三章试写\n\n从当前进展继续，试写完成后停下：阅读之后接受，或重做其中一部分。",
    ),
    ("quickstart.retry", "重试之前失败的步骤"),
    (
        "quickstart.executor",
        "由谁执行，代替 novel.toml 中的 `executor`",
    ),
    ("quickstart accept", "接受试写章节；接下来规划第一卷"),
    (
        "quickstart redo",
        "重做起步的一部分\n\n原有内容与试写章节移入 `archive/`。说明写入 `brief.md`，所有执行者都会读到。",
    ),
    ("quickstart redo.part", "哪一部分"),
    ("quickstart redo.note", "希望有什么不同"),
    (
        "plan",
        "规划当前卷\n\n规划生成并检查后放入 `staging/volumes/`；批准之前不会入书。已有暂存规划时，不加 `redo` 不会重新生成。",
    ),
    ("plan.retry", "重试之前失败的步骤"),
    ("plan.executor", "由谁执行，代替 novel.toml 中的 `executor`"),
    ("plan show", "打印暂存的规划与检查结果"),
    ("plan approve", "把暂存的规划写入书中"),
    (
        "plan redo",
        "重新规划本卷\n\n暂存的规划移入 `archive/`。说明写入 `brief.md`，所有执行者都会读到。",
    ),
    ("plan redo.note", "希望有什么不同"),
    (
        "demo",
        "生成一部小书并写出开头几章，无需密钥与网络\n\n本卷已规划好：人物、规则、两条会交汇的故事线、伏笔。各章由离线作者写成，它不是语言模型：它展示程序如何工作，而不是模型能写得多好。",
    ),
    ("demo.dir", "样书的目录；默认为 `novel-demo`"),
    ("demo.language", "作品语言；默认同 `--lang`，否则为 `zh-CN`"),
    ("demo.chapters", "要写的章数"),
    (
        "continue",
        "续写接下来的章节\n\n先完成被中断的一章。每章依次写作、摘要、润色、评审，门控要求时修订，然后提交。Ctrl-C 会在不丢失任何内容处停下；已收到的回答不会重新请求。",
    ),
    ("continue.chapters", "要写的章数；建议不超过 5"),
    ("continue.retry", "重试之前失败的步骤"),
    (
        "continue.executor",
        "由谁执行，代替 novel.toml 中的 `executor`",
    ),
    (
        "run",
        "写到本卷末尾\n\n从当前进展继续：起步、规划、写作，带 `--to` 时会越过卷末。在门控、试写或规划等待你决定处停下；用 `--yes`，或在 novel.toml 中设置 `approval = \"unattended\"`，试写与规划将不看即接受。已在书中的章节不会重写。Ctrl-C 会在不丢失任何内容处停下。",
    ),
    ("run.to", "写完这一章后停下"),
    ("run.yes", "试写与每次规划都不询问，直接接受"),
    ("run.executor", "由谁执行，代替 novel.toml 中的 `executor`"),
    (
        "resume",
        "中断之后继续，写到本卷规划的末尾\n\n与 `novel run` 相同，并会重试之前失败的步骤。已收到的回答不会重新请求。",
    ),
    ("resume.to", "写完这一章后停下"),
    ("resume.yes", "试写与每次规划都不询问，直接接受"),
    (
        "resume.executor",
        "由谁执行，代替 novel.toml 中的 `executor`",
    ),
    (
        "status",
        "查看作品的进展\n\n不写入任何内容，无论篇幅多大都很快：进度、字数、评分、伏笔、故事线、等待你决定的事项、锁，以及建议运行的下一条命令。",
    ),
    (
        "next",
        "打印下一步及其原因\n\n不写入任何内容。标准输出只有步骤 id，便于脚本使用。",
    ),
    (
        "instructions",
        "打印某一步骤的指令包\n\n指令包说明由谁执行、可以读什么、必须写什么、之后做什么。文件以路径列出；`--embed` 则给出其内容。",
    ),
    ("instructions.step", "步骤，例如 `chapter:048:draft`"),
    ("instructions.embed", "把文件内容作为数据放入指令包"),
    (
        "instructions.explain",
        "列出提示词的各个部分、词元数与理由，不打印指令包",
    ),
    (
        "instructions.write_manifest",
        "同时保存到 `staging/manifests/`",
    ),
    (
        "submit",
        "提交某一步骤的产物\n\n先检查，再放入 `staging/`；无效时不写入任何内容。没有 FILE 或为 `-` 时从标准输入读取。之后运行 `novel advance STEP`。",
    ),
    ("submit.step", "步骤，例如 `chapter:048:judge`"),
    ("submit.file", "含有产物的文件；`-` 为标准输入"),
    ("submit.judge", "产物来自关键章的哪一位裁判"),
    ("submit.model", "给出产物的模型名，写入日志"),
    (
        "validate",
        "检查某一步骤的产物\n\n不写入任何内容。列出全部问题，各有文件、位置与提示。",
    ),
    ("validate.step", "步骤，例如 `chapter:048:summarize`"),
    (
        "advance",
        "接受某一步骤的产物并推进\n\n不是下一步的步骤、无效的产物都会被拒绝。",
    ),
    ("advance.step", "步骤，例如 `chapter:048:draft`"),
    (
        "commit",
        "提交已评估的章节，或一卷的规划\n\n一次事务：任何时刻崩溃，作品要么是之前的样子，要么是之后的样子。提交两次与一次相同。门控未通过，或正文在评估后被改动时，拒绝提交。",
    ),
    ("commit.chapter", "要提交的章"),
    ("commit.volume", "要提交规划的卷"),
    ("commit.dry_run", "只打印将会改动什么，不写入"),
    (
        "gate",
        "在门控等待你时做决定\n\n`novel next` 以退出码 3 停下时，可以照现状接受该章，或重写。",
    ),
    (
        "gate accept",
        "尽管评估不佳，仍接受暂存的章节\n\n只对这份正文有效：一经改动，门控会再次等待。",
    ),
    ("gate accept.chapter", "门控等待的章"),
    ("gate accept.reason", "理由，留作记录"),
    (
        "gate rewrite",
        "重写该章\n\n暂存文件移入 `archive/`，该章从初稿重新开始。",
    ),
    ("gate rewrite.chapter", "门控等待的章"),
    (
        "revision",
        "处理等待决定的章节修订\n\n一致性检查或逻辑审查可以使一章进入 `pending`；在你决定之前，不会写入其后的任何内容。没有子命令时列出全部修订。",
    ),
    ("revision list", "列出全部修订"),
    ("revision show", "显示问题，并以词级差异对照候选稿与正文"),
    ("revision show.chapter", "章"),
    (
        "revision candidate",
        "让修订者生成候选稿\n\n正文保持不变。再次运行会生成另一份候选稿。对不在等待中的章，取其报告中可修复的问题。",
    ),
    ("revision candidate.chapter", "章"),
    (
        "revision candidate.copy",
        "同时写一份阅读稿 `chapters/chapter_NNN_revised.txt`",
    ),
    (
        "revision candidate.executor",
        "由谁运行各代理，代替 novel.toml 中的 `executor`",
    ),
    (
        "revision apply",
        "把候选稿变为该章正文\n\n该章的摘要、状态与记忆一并重建，要么全部完成，要么什么都不变。旧文移入 `archive/`。",
    ),
    ("revision apply.chapter", "章"),
    (
        "revision apply.executor",
        "由谁运行各代理，代替 novel.toml 中的 `executor`",
    ),
    (
        "revision reject",
        "保留原文\n\n只对这份正文有效：正文不变就不再询问。",
    ),
    ("revision reject.chapter", "章"),
    (
        "review",
        "查看某一章的审查报告\n\n一致性报告在提交时写出；逻辑审查在 `logic_review_policy = \"blocking\"` 时于每次提交后进行，也可随时要求。",
    ),
    ("review show", "显示某一章的报告"),
    ("review show.chapter", "章"),
    (
        "review run",
        "立即对某一章做逻辑审查\n\n评分低于 `logic_review_min_score`，或有严重问题时，该章等待你的处理。",
    ),
    ("review run.chapter", "章"),
    (
        "review run.executor",
        "由谁运行各代理，代替 novel.toml 中的 `executor`",
    ),
    (
        "adopt",
        "把手工修改的 Markdown 变为该章正文\n\n先编辑 `chapters/chapter-NNN.md`，再采纳：该章重新提炼，状态由此重建，并列出可能不再吻合的后续章节。旧文移入 `archive/`。",
    ),
    ("adopt.chapter", "章"),
    (
        "adopt.executor",
        "由谁运行各代理，代替 novel.toml 中的 `executor`",
    ),
    (
        "regen",
        "重写书中的一章\n\n该章移入 `archive/`，按其契约重写；它等待处理的修订随之清除。只限最新一章，除非用 `--cascade` 允许后续章节一并移走。",
    ),
    ("regen.chapter", "章"),
    ("regen.cascade", "先把后续各章移入 `archive/`"),
    (
        "regen.executor",
        "由谁运行各代理，代替 novel.toml 中的 `executor`",
    ),
    ("state", "重建故事世界的状态"),
    (
        "state rebuild",
        "使状态与各章一致\n\n没有 `--from` 时重放变更日志，并重新提炼丢失了状态操作的章；有 `--from` 时从该章起逐章重新提炼。手工改过的状态文件移入 `archive/`。",
    ),
    ("state rebuild.from", "从哪一章起重新提炼"),
    (
        "state rebuild.executor",
        "由谁运行各代理，代替 novel.toml 中的 `executor`",
    ),
    ("memory", "重建某一章的记忆"),
    (
        "memory rebuild",
        "重新提炼一章：摘要、跨线引用、故事线记忆\n\n若后来的章已更新故事线记忆，则保持不变。不改动故事世界的状态。",
    ),
    ("memory rebuild.chapter", "章"),
    (
        "memory rebuild.executor",
        "由谁运行各代理，代替 novel.toml 中的 `executor`",
    ),
    (
        "rollback",
        "让作品回到某一章刚写完的时候\n\n之后的章节与进行中的内容移入 `archive/`；不删除任何内容，`novel undo` 可撤销回滚。重写同样的章节会得到同样的文件。",
    ),
    ("rollback.chapter", "保留的最后一章；0 为第一章之前"),
    (
        "undo",
        "撤销最近一次操作\n\n提交、回滚、改动章节：每个文件都恢复为之前的样子。再次运行会继续往前撤销；`novel log` 列出各次操作。有文件在此后被改动时拒绝撤销。",
    ),
    (
        "log",
        "列出对作品的操作，最新的在前\n\n提交、回滚、改动章节与撤销。不写入任何内容。被替换的内容在 `archive/` 中；`novel undo` 撤销最近一次。",
    ),
    ("log.count", "要列出的操作数"),
    (
        "import",
        "把已有的小说变成项目\n\n支持 txt（UTF-8、UTF-16、GB18030 等，自动识别）、Markdown 与 EPUB，按标题拆分：`第十二章`、`第12回`、`Chapter XII`、卷、楔子、尾声。目录会被略过。多个文件视为一部书。写入之前先列出各章；全部章节在一次操作中写入，可用 `novel undo` 撤销。当前目录所在的项目为空时写入其中，否则新建项目。用 `--analyse` 时由摘要代理阅读导入的章节，以便续写：先估算费用，读过的不再读。",
    ),
    ("import.files", "小说文件，按顺序；`-` 为标准输入"),
    ("import.into", "项目目录；不存在时新建"),
    ("import.title", "书名，文件中没有写明时使用"),
    ("import.author", "作者，文件中没有写明时使用"),
    ("import.language", "新作品的语言；默认由正文判断"),
    ("import.encoding", "文件编码，例如 `gb18030`；默认自动识别"),
    ("import.dry_run", "只列出章节，不写入"),
    ("import.yes", "不询问，直接写入和分析"),
    (
        "import.analyse",
        "分析各章：摘要、状态、记忆、文风；不给 FILE 时分析此前导入的章节",
    ),
    (
        "import.executor",
        "由谁运行摘要代理，代替 novel.toml 中的 `executor`",
    ),
    (
        "search",
        "在章节、摘要与设定中查找词语\n\n查找已提交的章节、各章摘要以及设定（简介、世界、人物、资料）。一段文字须包含全部词语；人名代表该人物的所有称呼；引号内为短语。最相关的在前。不写入任何内容，也不需要索引。",
    ),
    ("search.words", "词语、人名、引号内的短语"),
    ("search.exact", "只按原样查找，不扩展称呼，按书中顺序列出"),
    ("search.shelves", "只在此处查找；可多次给出"),
    ("search.limit", "最多列出的结果数"),
    (
        "export",
        "把全书或其中一段写成一个文件\n\n正文取自已提交章节的 JSON；对 Markdown 的改动不在其中。EPUB 带有目录，各卷为部，项目有封面时也带封面。",
    ),
    ("export.format", "文件格式"),
    (
        "export.out",
        "要写的文件；`-` 为标准输出；默认为当前目录下以书名命名的文件",
    ),
    ("export.from", "起始章；默认为全书第一章"),
    ("export.to", "结束章；默认为最新一章"),
    ("export.force", "文件已存在时覆盖"),
    (
        "agents",
        "查看或修改各代理的提示词\n\n没有子命令时列出各代理。项目中的 `agents/NAME.md` 会代替内置提示词。",
    ),
    ("agents list", "列出各代理"),
    ("agents show", "打印某个代理的提示词"),
    ("agents show.name", "代理，例如 `chapter-writer`"),
    (
        "agents eject",
        "把内置提示词复制到 `agents/NAME.md`，以便修改",
    ),
    ("agents eject.name", "代理，例如 `chapter-writer`"),
    (
        "cost",
        "查看作品的费用\n\n汇总已提交各章的日志：按章（最近十章）、按步骤、按模型。不写入任何内容。未知的价格显示为横线；词元数照常统计。",
    ),
    (
        "config",
        "列出每项设置、它的值和来源\n\n环境变量优先于 `novel.toml`，`novel.toml` 优先于默认值。不写入任何内容；要修改设置，请编辑 `novel.toml`。",
    ),
    ("config.key", "只看这一项设置，或这一组设置"),
    (
        "check",
        "检查情节中的矛盾\n\n把已提交的章节与状态、契约、人物、伏笔、故事线对照，只报告这些文件能够证明的矛盾，并列出矛盾的双方。不写入任何内容，不占用锁。有检查结果不算失败：退出码总为 0。应当保留的可以写明理由予以豁免，豁免也可以撤回。",
    ),
    (
        "check.chapters",
        "章节：一个章号、`40..48` 这样的范围，或 `all`；默认为最新一章",
    ),
    (
        "check.all",
        "同时列出已豁免的检查结果；与 `--waivers` 连用时列出已撤回的豁免",
    ),
    (
        "check.waive",
        "豁免检查结果：某一代码的全部，或具有该指纹的一处",
    ),
    (
        "check.revoke",
        "撤回豁免：某一代码的全部，或具有该指纹的一处",
    ),
    ("check.chapter", "只限这一章；默认为全书"),
    ("check.reason", "保留的理由，留作记录"),
    ("check.waivers", "列出豁免"),
    (
        "lint",
        "统计文本中的黑名单用语\n\n白名单用语不算命中。命中不是失败：退出码总为 0。",
    ),
    ("lint.file", "要检查的文件；`-` 为标准输入"),
    ("lint.blacklist", "代替项目 `ai-blacklist.json` 的黑名单"),
    (
        "doctor",
        "查找项目中的损坏，并用 --fix 修复\n\n没有 `--fix` 时不写入任何内容。修复所替换的内容移入 `archive/`。",
    ),
    ("doctor.fix", "修复能够修复的问题"),
    ("lock", "查看或清除项目的锁"),
    ("lock status", "说明锁由谁持有"),
    ("lock clear", "清除持有者已不在的锁"),
    ("lock clear.force", "清除任何锁，即使持有者仍在运行"),
    (
        "completions",
        "打印 shell 的补全脚本\n\nbash 用法：`novel completions bash > ~/.local/share/bash-completion/completions/novel`",
    ),
    ("completions.shell", "要补全的 shell"),
    (
        "man",
        "打印手册页\n\n各命令的手册页依次排列；`novel man | man -l -` 可阅读。用 `--out` 则每个命令写成一个文件。",
    ),
    ("man.out", "每个命令写一个文件的目录"),
    ("version", "打印版本"),
    ("help", "打印某个命令的帮助"),
    (
        "help.command",
        "命令，例如 `lock clear`；没有时打印 `novel` 的帮助",
    ),
];
