use proptest::prelude::*;

use super::*;

/// Numbers from 0 to 1 that look random, the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        f64::from(u32::try_from(self.0 >> 32).unwrap()) / f64::from(u32::MAX)
    }
}

/// The cost of a chapter: four calls of varying size, one chapter in five revised, prompts that grow.
fn cost(dice: &mut Dice, chapter: u32) -> f64 {
    let growth = 1.0 + 0.3 * (1.0 - (-f64::from(chapter) / 10.0).exp());
    let call = |dice: &mut Dice| 0.01 * (0.6 + 0.8 * dice.roll()) * growth;
    let mut sum: f64 = (0..4).map(|_| call(dice)).sum();
    while dice.roll() < 0.2 {
        sum += call(dice) + call(dice);
    }
    sum
}

#[test]
fn nine_in_ten_costs_lie_inside_over_forty_chapters() {
    for ahead in [1, 3, 5, 10, 20] {
        let (mut forecasts, mut held) = (0, 0);
        for seed in 0..50 {
            let mut dice = Dice(seed);
            let costs: Vec<f64> = (1..=40).map(|chapter| cost(&mut dice, chapter)).collect();
            for known in 1..=40 - ahead {
                let real: f64 = costs[known..known + ahead].iter().sum();
                let range = predict(&costs[..known], u32::try_from(ahead).unwrap()).unwrap();
                forecasts += 1;
                held += i32::from(range.holds(real));
            }
        }
        assert!(
            held * 10 >= forecasts * 9,
            "{ahead} ahead: {held} of {forecasts}"
        );
    }
}

#[test]
fn an_interval_tells_something() {
    let mut dice = Dice(7);
    let costs: Vec<f64> = (1..=30).map(|chapter| cost(&mut dice, chapter)).collect();
    let range = predict(&costs, 10).unwrap();
    assert!(range.high < 1.5 * range.expected, "{range:?}");
    assert!(range.low > 0.5 * range.expected, "{range:?}");
}

#[test]
fn nothing_is_said_without_a_chapter() {
    assert_eq!(predict(&[], 3), None);
    assert_eq!(hindsight(&[1.0]).chapters, 0);
}

#[test]
fn equal_chapters_are_forecast_closely() {
    let range = predict(&[0.2; 12], 5).unwrap();
    assert!(range.holds(1.0) && range.high < 1.4, "{range:?}");
    let seen = hindsight(&[0.2; 12]);
    assert_eq!((seen.chapters, seen.held), (11, 11));
    assert!(seen.error < 1e-9);
}

proptest! {
    #[test]
    fn bounds_stand_in_order(history in prop::collection::vec(0.0..1e6f64, 1..60), ahead in 1u32..200) {
        let range = predict(&history, ahead).unwrap();
        prop_assert!(range.low >= 0.0);
        prop_assert!(range.low <= range.expected + 1e-6);
        prop_assert!(range.expected <= range.high + 1e-6);
        prop_assert!(range.high.is_finite());
    }
}
