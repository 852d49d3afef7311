//! The token that the runner generates if other machines can connect.

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
async fn a_public_runner_prints_its_token_once_requires_it_and_logs_repeated_rejections_once() {
    let runner = RunnerProgram::start(&[], &["--address", "0.0.0.0"]).unwrap();
    let line = runner.wait_for_output("Its token").unwrap();
    let token = line.rsplit(' ').next().unwrap();
    assert!(token.len() >= 32, "{line}");
    for (sent, expected) in [
        (None, 401),
        (Some(&token[1..]), 401),
        (Some(token.to_uppercase().as_str()), 401),
        (None, 401),
        (Some(token), 200),
    ] {
        assert_eq!(status(&runner, "/api/v1/catalog", sent).await, expected, "{sent:?}");
    }
    assert_eq!(status(&runner, "/healthz", None).await, 200);
    let (_, log) = runner.terminate().unwrap();
    let rejections: Vec<&String> = log.iter().filter(|line| line.contains("rejected")).collect();
    assert!(rejections.len() == 1 && rejections[0].contains("address=127.0.0.1"), "{rejections:?}");
    assert!(!log.concat().contains(token), "a log is less secret than the token");
}
