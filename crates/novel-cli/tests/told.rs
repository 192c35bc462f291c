//! What agents are told, through the binary.

use novel_testkit::TestBook;
use serde_json::json;

#[test]
fn knows_says_what_a_character_knows_at_a_chapter() {
    let book = TestBook::demo(1);
    let truth = json!({"version": 1, "secrets": [
        {"id": "S-1", "fact": "信是假的", "known_by": [{"character": "lu-yan", "from_chapter": 5}],
         "false_beliefs": [{"character": "lu-yan", "belief": "信是父亲写的"}]}]});
    book.write("world/truth.json", &truth.to_string());
    let before = book.ask(&["knows", "lu-yan", "--at", "4"]).data();
    assert_eq!(before["knows"], json!([]));
    assert_eq!(before["believes"][0]["belief"], "信是父亲写的");
    assert_eq!(before["does_not_know"][0]["id"], "S-1");
    let after = book.ask(&["knows", "陆砚", "--at", "5"]).data();
    assert_eq!(after["knows"][0]["fact"], "信是假的");
    assert_eq!(after["believes"], json!([]));
    book.write("world/truth.json", "{");
    let [_, error] = book.fails_in_both(2, &["knows", "lu-yan"], "");
    assert_eq!(error["code"], "BROKEN_INPUT");
    let [_, nobody] = book.fails_in_both(2, &["knows", "nobody"], "");
    assert_eq!(nobody["code"], "NO_SUCH_CHARACTER");
}
