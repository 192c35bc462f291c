use serde_json::json;

use super::*;

#[test]
fn objects_are_closed_and_optional_members_may_be_null() {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Verdict",
        "type": "object",
        "properties": {
            "title": {"type": "string", "description": "标题", "default": "x"},
            "score": {"type": "number", "format": "double", "minimum": 1, "maximum": 5},
            "kind": {"type": "string", "enum": ["a", "b"]},
            "when": {"type": "string", "format": "date"},
            "fixed": {"const": 3},
        },
        "required": ["score"],
    });
    assert_eq!(
        strict_schema(schema),
        json!({
            "type": "object",
            "properties": {
                "title": {"type": ["string", "null"], "description": "标题"},
                "score": {"type": "number", "minimum": 1, "maximum": 5},
                "kind": {"type": ["string", "null"], "enum": ["a", "b", null]},
                "when": {"type": ["string", "null"], "format": "date"},
                "fixed": {"anyOf": [{"const": 3}, {"type": "null"}]},
            },
            "required": ["title", "score", "kind", "when", "fixed"],
            "additionalProperties": false,
        })
    );
}

#[test]
fn references_are_replaced_and_recursion_stays() {
    let schema = json!({
        "type": "object",
        "properties": {
            "items": {"type": "array", "items": {"$ref": "#/$defs/Item"}},
            "one": {"$ref": "#/$defs/Item", "description": "eins"},
            "tree": {"$ref": "#/$defs/Tree"},
            "either": {"oneOf": [{"$ref": "#/$defs/Item"}, {"type": "string"}]},
            "wrapped": {"allOf": [{"$ref": "#/$defs/Item"}], "description": "w"},
        },
        "required": ["items", "one", "tree", "either", "wrapped"],
        "$defs": {
            "Item": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]},
            "Tree": {"type": "object", "properties": {
                "kids": {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
            }, "required": ["kids"]},
        },
    });
    let item = json!({"type": "object", "properties": {"n": {"type": "integer"}},
        "required": ["n"], "additionalProperties": false});
    let tree = json!({"type": "object", "properties": {
        "kids": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}},
        "required": ["kids"], "additionalProperties": false});
    let described = |text: &str| {
        let mut item = item.clone();
        item["description"] = json!(text);
        item
    };
    let strict = strict_schema(schema);
    let properties = &strict["properties"];
    assert_eq!(properties["items"]["items"], item);
    assert_eq!(properties["one"], described("eins"));
    assert_eq!(properties["tree"], tree);
    assert_eq!(
        properties["either"]["anyOf"],
        json!([item, {"type": "string"}])
    );
    assert_eq!(properties["wrapped"], described("w"));
    assert_eq!(strict["$defs"], json!({"Tree": tree}));
    assert!(can_be_strict(&strict));
}

#[test]
fn a_map_is_not_strict() {
    let strict = strict_schema(json!({"type": "object", "properties": {
        "m": {"type": "object", "additionalProperties": {"type": "integer"}}}}));
    assert_eq!(
        strict["properties"]["m"],
        json!({"type": ["object", "null"], "additionalProperties": {"type": "integer"}})
    );
    assert!(!can_be_strict(&strict));
}

#[test]
fn nulls_of_optional_members_are_taken_out_again() {
    let schema = json!({
        "type": "object",
        "properties": {
            "must": {"type": ["string", "null"]},
            "may": {"type": "string"},
            "list": {"type": "array", "items": {"$ref": "#/$defs/Item"}},
            "maybe": {"anyOf": [{"$ref": "#/$defs/Item"}, {"type": "null"}]},
        },
        "required": ["must", "list"],
        "$defs": {"Item": {"type": "object", "properties": {"n": {"type": "integer"}}}},
    });
    let answer = json!({"must": null, "may": null, "list": [{"n": null}, {"n": 1}],
        "maybe": {"n": null}, "unknown": null});
    assert_eq!(
        drop_optional_nulls(&schema, answer),
        json!({"must": null, "list": [{}, {"n": 1}], "maybe": {}, "unknown": null})
    );
}

/// Anthropic answers `For 'integer' type, property 'minimum' is not supported` to a bound.
#[test]
fn the_form_without_bounds_keeps_everything_else() {
    let schema = Arc::new(json!({
        "type": "object",
        "properties": {
            "minimum": {"type": "integer", "minimum": 1},
            "names": {"type": "array", "maxItems": 5, "items": {"type": "string", "minLength": 1}},
            "kind": {"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "number", "maximum": 2}]},
        },
        "required": ["minimum", "names", "kind"],
    }));
    let form = StrictForm::of(&schema);
    assert!(form.text.get().contains("maxItems"));
    let unbounded: Value = serde_json::from_str(form.unbounded.get()).unwrap();
    assert_eq!(
        unbounded,
        json!({
            "type": "object",
            "properties": {
                "minimum": {"type": "integer"},
                "names": {"type": "array", "items": {"type": "string"}},
                "kind": {"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "number"}]},
            },
            "required": ["minimum", "names", "kind"],
            "additionalProperties": false,
        })
    );
}
