//! A bot for Pig in Rust, without crates: works out the best play for the target in force, then plays it.
//!
//!     rustc -O -o bot bot.rs
//!     playmill simulate examples/pig --agents program:examples/bots/pig_rust threshold

use std::io::{self, BufRead, Write};

/// The chance to win of whoever is to throw, by her total, the other's total and the pot of the turn.
struct Best {
    target: usize,
    faces: usize,
    win: Vec<f64>,
}

impl Best {
    fn new(target: usize, faces: usize) -> Best {
        let mut best = Best { target, faces, win: vec![0.5; target * target * target] };
        // Values flow from high totals to low ones: a few sweeps in that order are enough.
        for _ in 0..60 {
            if best.sweep() < 1e-4 {
                break;
            }
        }
        best
    }

    fn sweep(&mut self) -> f64 {
        let mut moved: f64 = 0.0;
        for mine in (0..self.target).rev() {
            for other in (0..self.target).rev() {
                for pot in (0..self.target - mine).rev() {
                    let now = self.hold(mine, other, pot).max(self.roll(mine, other, pot));
                    let place = self.place(mine, other, pot);
                    moved = moved.max((now - self.win[place]).abs());
                    self.win[place] = now;
                }
            }
        }
        moved
    }

    fn place(&self, mine: usize, other: usize, pot: usize) -> usize {
        (mine * self.target + other) * self.target + pot
    }

    fn chance(&self, mine: usize, other: usize, pot: usize) -> f64 {
        if mine + pot >= self.target { 1.0 } else { self.win[self.place(mine, other, pot)] }
    }

    fn hold(&self, mine: usize, other: usize, pot: usize) -> f64 {
        if mine + pot >= self.target { 1.0 } else { 1.0 - self.chance(other, mine + pot, 0) }
    }

    fn roll(&self, mine: usize, other: usize, pot: usize) -> f64 {
        let lucky: f64 = (2..=self.faces).map(|face| self.chance(mine, other, pot + face)).sum();
        (lucky + 1.0 - self.chance(other, mine, 0)) / self.faces as f64
    }
}

/// The whole numbers that follow `"key":` in a line: one, or those of a list. Enough of JSON for this game.
fn numbers(line: &str, key: &str) -> Vec<usize> {
    let mark = format!("\"{key}\":");
    let Some(place) = line.find(&mark) else { return Vec::new() };
    let rest = line[place + mark.len()..].trim_start();
    let end = if rest.starts_with('[') { rest.find(']') } else { rest.find([',', '}']) };
    let text = rest[..end.unwrap_or(rest.len())].trim_start_matches('[');
    text.split(',').filter_map(|word| word.trim().parse().ok()).collect()
}

fn first(line: &str, key: &str) -> usize {
    numbers(line, key).first().copied().unwrap_or(0)
}

fn is(line: &str, kind: &str) -> bool {
    line.contains(&format!("\"type\":\"{kind}\""))
}

fn main() -> io::Result<()> {
    let mut out = io::stdout();
    let (mut best, mut seat) = (Best::new(2, 2), 0);
    for line in io::stdin().lock().lines() {
        let line = line?;
        if is(&line, "hello") {
            seat = first(&line, "seat");
            let (target, faces) = (first(&line, "target"), first(&line, "faces"));
            if (best.target, best.faces) != (target, faces) {
                best = Best::new(target, faces);
            }
            writeln!(out, "{{\"type\": \"ready\", \"name\": \"Bellman\"}}")?;
        } else if is(&line, "act") {
            let (pot, totals) = (first(&line, "pot"), numbers(&line, "totals"));
            let (mine, other) = (totals[seat], totals[1 - seat]);
            let holds = best.hold(mine, other, pot) >= best.roll(mine, other, pot);
            // The options are `roll` and `hold`, in this order.
            let number = first(&line, "number");
            writeln!(out, "{{\"type\": \"answer\", \"number\": {number}, \"index\": {}}}", holds as usize)?;
        } else if is(&line, "quit") {
            break;
        }
        out.flush()?;
    }
    Ok(())
}
