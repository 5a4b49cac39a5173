// A bot for any game: it takes one of its options by the chance that it is handed. Make it better.
// It only looks for the few words it needs; to understand `seen` write a small parser, in the same folder.
use std::io::{self, BufRead, Write};

fn number_after(text: Option<&str>) -> u64 {
    let digits: String = text.unwrap_or("").chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(0)
}

fn main() {
    let mut out = io::stdout();
    for line in io::stdin().lock().lines() {
        let line = line.expect("a line");
        if line.contains("\"type\":\"hello\"") {
            writeln!(out, "{{\"type\":\"ready\"}}").unwrap();
        } else if line.contains("\"type\":\"act\"") {
            let options = line.matches("{\"index\":").count() as u64;
            let number = number_after(line.split("\"number\":").nth(1));
            let index = number_after(line.rsplit("\"random\":").next()) % options;
            writeln!(out, "{{\"type\":\"answer\",\"number\":{number},\"index\":{index}}}").unwrap();
        } else if line.contains("\"type\":\"quit\"") {
            break;
        }
        out.flush().unwrap();
    }
}
