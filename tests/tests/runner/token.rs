//! The token that the runner generates if other machines can connect.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

use std::collections::BTreeSet;

use benchbook_tests::runner::RunnerProgram;
use reqwest::Client;
use url::Url;

/// Sends a request to the loopback address, whatever other addresses the runner has.
async fn status(runner: &RunnerProgram, path: &str, token: Option<&str>) -> u16 {
    let mut url = Url::parse(runner.url()).unwrap();
    url.set_host(Some("127.0.0.1")).unwrap();
    url.set_path(path);
    let request = Client::new().get(url);
    let request = if let Some(token) = token { request.bearer_auth(token) } else { request };
    request.send().await.unwrap().status().as_u16()
}

#[tokio::test(flavor = "current_thread")]
async fn a_public_runner_prints_a_new_token_once_and_requires_it() {
    let mut tokens = BTreeSet::new();
    for _ in 0..2 {
        let mut runner = RunnerProgram::start(&[], &["--address", "0.0.0.0"]).unwrap();
        let line = runner.wait_for_output("Its token").unwrap();
        let token = line.rsplit(' ').next().unwrap().to_owned();
        assert!(token.len() >= 32, "{line}");
        let of_another_start = tokens.first().cloned().unwrap_or_else(|| "0".repeat(token.len()));
        for (sent, expected) in [
            (None, 401),
            (Some(&token[1..]), 401),
            (Some(&token.to_uppercase()), 401),
            (Some(&of_another_start), 401),
            (Some(&token), 200),
        ] {
            assert_eq!(status(&runner, "/api/v1/catalog", sent).await, expected, "{sent:?}");
        }
        assert_eq!(status(&runner, "/healthz", None).await, 200);
        // The token is not in the log.
        runner.kill().unwrap();
        assert!(runner.wait_for_output("").is_err() && runner.wait_for_log(&token).is_err());
        tokens.insert(token);
    }
    assert_eq!(tokens.len(), 2);
}

#[tokio::test(flavor = "current_thread")]
async fn repeated_rejections_are_logged_once() {
    let runner = RunnerProgram::start(&[], &["--address", "0.0.0.0"]).unwrap();
    for token in [None, Some("a-wrong-token-of-sufficient-length")].into_iter().cycle().take(50) {
        assert_eq!(status(&runner, "/api/v1/catalog", token).await, 401);
    }
    let (_, log) = runner.terminate().unwrap();
    let rejections: Vec<&String> = log.iter().filter(|line| line.contains("rejected")).collect();
    assert!(rejections.len() == 1 && rejections[0].contains("address=127.0.0.1"), "{rejections:?}");
}

#[tokio::test(flavor = "current_thread")]
async fn a_loopback_runner_has_no_token() {
    let mut runner = RunnerProgram::start(&[], &[]).unwrap();
    assert_eq!(status(&runner, "/api/v1/catalog", None).await, 200);
    runner.kill().unwrap();
    assert!(runner.wait_for_output("").is_err());
}
