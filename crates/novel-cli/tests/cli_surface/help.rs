//! Help, completions, manual.

use crate::sandbox::Sandbox;

const COMMANDS: [&str; 27] = [
    "init",
    "demo",
    "continue",
    "run",
    "resume",
    "status",
    "next",
    "instructions",
    "submit",
    "validate",
    "advance",
    "commit",
    "gate",
    "rollback",
    "undo",
    "log",
    "export",
    "agents",
    "cost",
    "check",
    "lint",
    "doctor",
    "lock",
    "completions",
    "man",
    "version",
    "help",
];

#[test]
fn help_is_short_or_long_in_both_languages() {
    let nowhere = Sandbox::empty();
    insta::assert_snapshot!(nowhere.run(&["-h"]).stdout, @"
    Write a long novel, chapter by chapter, and never lose a word

    Usage: novel [OPTIONS] <COMMAND>

    Commands:
      init          Start a new project
      demo          Make a small book and write its first chapters, without key or network
      continue      Write the next chapters
      run           Write to the end of the planned volume
      resume        Go on after an interruption, to the end of the planned volume
      status        Show where the book stands
      next          Print the next step and why it is next
      instructions  Print the instruction packet of a step
      submit        Hand in the output of a step
      validate      Check the outputs of a step
      advance       Accept the outputs of a step and move the book on
      commit        Commit a judged chapter, or the plan of a volume
      gate          Decide where the gate waits for you
      rollback      Return the book to the moment right after a chapter
      undo          Take the last operation back
      log           List the operations on the book, newest first
      export        Write the book, or a part of it, to one file
      agents        Look at the prompts of the agents, or change them
      cost          Show what the book cost
      check         Look for contradictions in the story
      lint          Count the phrases of the blacklist in texts
      doctor        Look for damage in the project, and repair it with --fix
      lock          Look at the lock of the project, or remove it
      completions   Print a completion script for a shell
      man           Print the manual page
      version       Print the version
      help          Print the help of a command

    Global options:
          --project <DIR>        Directory of the project
      -p, --project-name <NAME>  Project `projects/NAME` of the workspace around the current directory
          --json                 Print one JSON object on standard output and nothing else
          --lang <LANG>          Language of messages [possible values: zh, en]
      -q, --quiet                Print no notes and no warnings
          --color <WHEN>         When to use colours [default: auto] [possible values: auto, always, never]
      -h, --help                 Print help; `-h` is shorter
      -V, --version              Print the version
    ");
    insta::assert_snapshot!(nowhere.run(&["-h", "--lang", "zh"]).stdout, @"
    一章一章写完长篇小说，一个字也不丢

    用法：novel [OPTIONS] <命令>

    命令:
      init          新建项目
      demo          生成一部小书并写出开头几章，无需密钥与网络
      continue      续写接下来的章节
      run           写到本卷规划的末尾
      resume        中断之后继续，写到本卷规划的末尾
      status        查看作品的进展
      next          打印下一步及其原因
      instructions  打印某一步骤的指令包
      submit        提交某一步骤的产物
      validate      检查某一步骤的产物
      advance       接受某一步骤的产物并推进
      commit        提交已评估的章节，或一卷的规划
      gate          在门控等待你时做决定
      rollback      让作品回到某一章刚写完的时候
      undo          撤销最近一次操作
      log           列出对作品的操作，最新的在前
      export        把全书或其中一段写成一个文件
      agents        查看或修改各代理的提示词
      cost          查看作品的费用
      check         检查情节中的矛盾
      lint          统计文本中的黑名单用语
      doctor        查找项目中的损坏，并用 --fix 修复
      lock          查看或清除项目的锁
      completions   打印 shell 的补全脚本
      man           打印手册页
      version       打印版本
      help          打印某个命令的帮助

    全局选项:
          --project <DIR>        项目目录
      -p, --project-name <NAME>  当前目录所在工作区中的项目 `projects/NAME`
          --json                 在标准输出打印一个 JSON 对象，此外不打印任何内容
          --lang <LANG>          消息的语言 [可选：zh、en]
      -q, --quiet                不打印说明与警告
          --color <WHEN>         何时使用颜色 [可选：auto、always、never] [默认：auto]
      -h, --help                 打印帮助；`-h` 更简短
      -V, --version              打印版本
    ");
    insta::assert_snapshot!(nowhere.run(&["submit", "--help", "--lang", "zh"]).stdout, @"
    提交某一步骤的产物

    先检查，再放入 `staging/`；无效时不写入任何内容。没有 FILE 或为 `-` 时从标准输入读取。之后运行 `novel advance STEP`。

    用法：novel submit [OPTIONS] <STEP> [FILE]

    参数:
      <STEP>
              步骤，例如 `chapter:048:judge`

      [FILE]
              含有产物的文件；`-` 为标准输入

    选项:
          --judge <ROLE>
              产物来自关键章的哪一位裁判 [可选：primary、secondary] [默认：primary]

          --model <NAME>
              给出产物的模型名，写入日志

    全局选项:
          --project <DIR>
              项目目录

      -p, --project-name <NAME>
              当前目录所在工作区中的项目 `projects/NAME`

          --json
              在标准输出打印一个 JSON 对象，此外不打印任何内容

          --lang <LANG>
              消息的语言 [可选：zh、en]

      -q, --quiet
              不打印说明与警告

          --color <WHEN>
              何时使用颜色 [可选：auto、always、never] [默认：auto]

      -h, --help
              打印帮助；`-h` 更简短
    ");
}

#[test]
fn without_arguments_the_help_is_an_error() {
    let ran = Sandbox::empty().run(&[]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("Usage: novel"), "{}", ran.stderr);
}

#[test]
fn every_command_has_help_in_both_languages() {
    let nowhere = Sandbox::empty();
    for command in COMMANDS {
        for (lang, word) in [("en", "Usage: novel "), ("zh", "用法：novel ")] {
            let ran = nowhere.run(&[command, "--help", "--lang", lang]);
            assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{command}");
            assert!(
                ran.stdout.contains(&format!("{word}{command}")),
                "{}",
                ran.stdout
            );
            let other = nowhere.run(&["help", command, "--lang", lang]);
            assert_eq!(other.stdout, ran.stdout, "{command}");
        }
    }
}

#[test]
fn completions_know_every_command() {
    let nowhere = Sandbox::empty();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = nowhere.run(&["completions", shell]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{shell}");
        for command in COMMANDS {
            assert!(ran.stdout.contains(command), "{shell}: {command}");
        }
    }
}

#[test]
fn the_manual_mentions_every_command() {
    let nowhere = Sandbox::empty();
    for lang in ["en", "zh"] {
        let manual = nowhere.run(&["man", "--lang", lang]).stdout;
        for command in COMMANDS {
            assert!(
                manual.contains(&format!(".TH novel-{command} 1")),
                "{command}"
            );
            assert!(
                manual.contains(&format!("novel\\-{command}(1)")),
                "{command}"
            );
        }
    }
}

#[test]
fn the_manual_can_be_written_to_files() {
    let nowhere = Sandbox::empty();
    let (code, answer) = nowhere.json(&["man", "--out", "man1"]);
    assert_eq!(code, 0);
    let written = answer["data"]["written"].as_array().unwrap();
    assert!(written.len() > COMMANDS.len());
    for name in written {
        let path = nowhere.root().join("man1").join(name.as_str().unwrap());
        assert!(path.is_file(), "{}", path.display());
    }
}

#[test]
fn status_lines_are_aligned_by_width() {
    let book = Sandbox::with_book();
    insta::assert_snapshot!(book.run(&["status", "--lang", "zh"]).stdout, @"
    书名      雾城
    状态      快速起步
    卷        第 1 卷（未规划）
    章节      已完成 0 章
    字数      0
    评分      -
    伏笔      未回收 0
    等待作者  无
    锁        空闲
    下一步    `novel instructions quickstart:world`
    ");
    insta::assert_snapshot!(book.run(&["status"]).stdout, @"
    Title            雾城
    State            being set up
    Volume           1 (not planned)
    Chapters         0 written
    Words            0
    Score            -
    Foreshadowing    0 open
    Waiting for you  nothing
    Lock             free
    Next             `novel instructions quickstart:world`
    ");
}
