//! The token of a runner in a link, `#token=…`: for whoever is to be let in by one click.

use super::link::decoded;

/// Parts the token from the rest of a fragment; absent where it has none.
pub(crate) fn parted(fragment: &str) -> Option<(String, String)> {
    let (tokens, rest): (Vec<&str>, Vec<&str>) = fragment.split('&').partition(|pair| pair.starts_with("token="));
    let (_, token) = tokens.last()?.split_once('=')?;
    Some((decoded(token)?, rest.join("&")))
}

#[cfg(test)]
mod tests {
    use super::parted;

    #[test]
    fn the_token_is_taken_and_the_rest_of_the_link_stays() {
        let table = [
            ("token=0123456789abcdef", "0123456789abcdef", ""),
            ("token=a.b_c~d-e/f+g==&archive=all", "a.b_c~d-e/f+g==", "archive=all"),
            ("suite=demo&token=secret&function=a::b", "secret", "suite=demo&function=a::b"),
            ("archive=7&token=a%2Fb%3D", "a/b=", "archive=7"),
            // None is left behind.
            ("token=old&suite=demo&token=new", "new", "suite=demo"),
            ("token=", "", ""),
        ];
        for (fragment, token, rest) in table {
            assert_eq!(parted(fragment), Some((token.to_owned(), rest.to_owned())), "{fragment}");
        }
    }

    #[test]
    fn what_only_looks_like_a_token_stays() {
        for fragment in ["", "token", "suite=demo&arg.token=3", "tokens=3", "with=token=3"] {
            assert_eq!(parted(fragment), None, "{fragment}");
        }
    }
}
