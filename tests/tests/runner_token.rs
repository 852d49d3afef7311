//! The token that the runner makes itself where others reach it, by the real program.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

use std::collections::BTreeSet;

use benchbook_tests::runner::RunnerProgram;
use reqwest::Client;
use url::Url;

/// Asks at loopback, wherever else it listens too.
async fn status(runner: &RunnerProgram, path: &str, token: Option<&str>) -> u16 {
    let mut url = Url::parse(runner.url()).unwrap();
    url.set_host(Some("127.0.0.1")).unwrap();
    url.set_path(path);
    let asked = Client::new().get(url);
    let asked = if let Some(token) = token { asked.bearer_auth(token) } else { asked };
    asked.send().await.unwrap().status().as_u16()
}

#[tokio::test(flavor = "current_thread")]
async fn where_others_reach_it_a_new_token_is_told_once_and_wanted() {
    let mut tokens = BTreeSet::new();
    for _ in 0..2 {
        let mut runner = RunnerProgram::start(&[], &["--address", "0.0.0.0"]).unwrap();
        let line = runner.output_has("Its token").unwrap();
        let token = line.rsplit(' ').next().unwrap().to_owned();
        assert!(token.len() >= 32, "{line}");
        let of_another_start = tokens.first().cloned().unwrap_or_else(|| "0".repeat(token.len()));
        for (told, expected) in [
            (None, 401),
            (Some(&token[1..]), 401),
            (Some(&token.to_uppercase()), 401),
            (Some(&of_another_start), 401),
            (Some(&token), 200),
        ] {
            assert_eq!(status(&runner, "/api/v1/catalog", told).await, expected, "{told:?}");
        }
        assert_eq!(status(&runner, "/healthz", None).await, 200);
        // Whoever reads its log later does not get it.
        runner.kill().unwrap();
        assert!(runner.output_has("").is_err() && runner.log_has(&token).is_err());
        tokens.insert(token);
    }
    assert_eq!(tokens.len(), 2);
}

#[tokio::test(flavor = "current_thread")]
async fn where_nobody_else_reaches_it_none_is_made() {
    let mut runner = RunnerProgram::start(&[], &[]).unwrap();
    assert_eq!(status(&runner, "/api/v1/catalog", None).await, 200);
    runner.kill().unwrap();
    assert!(runner.output_has("").is_err());
}
