use super::*;

#[test]
fn only_the_address_of_anthropic_is_anthropic() {
    let is = |wire, url: &str| Endpoint::new(wire, url).is_anthropic();
    assert!(is(Wire::Anthropic, "https://api.anthropic.com"));
    assert!(is(Wire::Anthropic, "https://API.anthropic.com:443/v1"));
    for other in [
        "http://127.0.0.1:4000/v1",
        "https://api.anthropic.com.example.org",
        "https://gateway.example.org/api.anthropic.com",
    ] {
        assert!(!is(Wire::Anthropic, other), "{other}");
    }
    assert!(!is(Wire::OpenAi, "https://api.anthropic.com/v1"));
}
