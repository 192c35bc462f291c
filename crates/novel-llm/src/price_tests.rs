use super::*;

fn usage(input: u64, cached: u64, cache_write: u64, output: u64) -> Usage {
    Usage {
        input: Some(input),
        output: Some(output),
        cached: Some(cached),
        cache_write: Some(cache_write),
    }
}

fn near(found: Option<f64>, expected: f64) {
    let found = found.unwrap();
    assert!((found - expected).abs() < 1e-9, "{found} {expected}");
}

#[test]
fn each_kind_of_token_has_its_price() {
    let table = PriceTable::builtin();
    // 1000 fresh + 8000 cached + 1000 written, 2000 out.
    near(
        table.cost("claude-sonnet-4-5", &usage(10_000, 8_000, 1_000, 2_000)),
        0.003 + 0.0024 + 0.006 + 0.03,
    );
    near(table.cost("gpt-4o-mini", &usage(1_000_000, 0, 0, 0)), 0.15);
}

#[test]
fn names_with_prefix_or_date_are_known_and_others_are_not_guessed() {
    let table = PriceTable::builtin();
    let price = |name: &str| table.price(name).map(|price| price.input);
    assert_eq!(price("gpt-4o-2024-08-06"), Some(2.5));
    assert_eq!(price("openai/gpt-4o-mini"), Some(0.15));
    assert_eq!(price("claude-sonnet-4-5-20250929"), Some(3.0));
    assert_eq!(price("claude-sonnet-5-5-latest"), Some(2.0));
    assert_eq!(price("claude-opus-5-5"), Some(4.0));
    for unknown in [
        "gpt-4o-audio",
        "gpt-4",
        "smollm2",
        "",
        "-20250929",
        "小模型20250929",
    ] {
        assert_eq!(price(unknown), None, "{unknown}");
        assert_eq!(table.cost(unknown, &usage(1, 0, 0, 1)), None);
    }
}

#[test]
fn the_built_in_list_is_dated_and_has_the_current_models_only() {
    let date = PriceTable::builtin_date();
    assert!(date.len() == 10 && date > "2026-11-01", "{date}");
    let table = PriceTable::builtin();
    for current in [
        "claude-opus-5-5",
        "claude-sonnet-5-5",
        "claude-haiku-5-5",
        "gpt-6.1-sol",
        "gpt-5.6",
        "deepseek-v4-pro",
        "qwen3.8-max",
        "kimi-k3",
        "glm-5.3",
        "gemini-4-argon",
    ] {
        let price = table.price(current).unwrap();
        assert!(price.input > 0.0 && price.output > price.input, "{current}");
    }
    for gone in [
        "claude-3-5-haiku",
        "claude-opus-4-1",
        "deepseek-chat",
        "deepseek-reasoner",
        "o4-mini",
        "gpt-4.1-nano",
    ] {
        assert_eq!(table.price(gone), None, "{gone}");
    }
}

#[test]
fn the_cache_of_an_hour_costs_twice_the_input() {
    let price = PriceTable::builtin().price("claude-sonnet-5-5").unwrap();
    assert_eq!(price.cache_write, Some(2.0 * price.input));
}

#[test]
fn without_counts_there_is_no_cost() {
    let price = PriceTable::builtin().price("gpt-4o").unwrap();
    assert_eq!(price.cost(&Usage::default()), None);
}

#[test]
fn the_authors_prices_go_first() {
    let own: PriceTable = serde_json::from_str(
        r#"{"gpt-4o": {"input": 1.0, "output": 2.0}, "local": {"input": 0.0, "output": 0.0}}"#,
    )
    .unwrap();
    let table = PriceTable::builtin().with(own);
    near(table.cost("gpt-4o", &usage(1_000_000, 500_000, 0, 0)), 1.0);
    near(table.cost("local", &usage(9, 0, 0, 9)), 0.0);
    near(table.cost("o3", &usage(1_000_000, 0, 0, 0)), 2.0);
    assert!(serde_json::from_str::<PriceTable>(r#"{"a": {"inptu": 1, "output": 1}}"#).is_err());
}
