//! A runner's token in a link, `#token=…`: it grants access with one click.

use super::pairs::decode;

/// Separates the token from the rest of a fragment; `None` if there is no token.
pub(crate) fn split_token(fragment: &str) -> Option<(String, String)> {
    let (tokens, rest): (Vec<&str>, Vec<&str>) = fragment.split('&').partition(|pair| pair.starts_with("token="));
    let (_, token) = tokens.last()?.split_once('=')?;
    Some((decode(token)?, rest.join("&")))
}

#[cfg(test)]
mod tests {
    use super::split_token;

    #[test]
    fn removes_the_token_and_leaves_the_rest_of_the_link() {
        let table = [
            ("token=0123456789abcdef", "0123456789abcdef", ""),
            ("token=a.b_c~d-e/f+g==&archive=all", "a.b_c~d-e/f+g==", "archive=all"),
            ("suite=demo&token=secret&function=a::b", "secret", "suite=demo&function=a::b"),
            ("archive=7&token=a%2Fb%3D", "a/b=", "archive=7"),
            // The last one counts, and none remains.
            ("token=old&suite=demo&token=new", "new", "suite=demo"),
            ("token=", "", ""),
        ];
        for (fragment, token, rest) in table {
            assert_eq!(split_token(fragment), Some((token.to_owned(), rest.to_owned())), "{fragment}");
        }
    }

    #[test]
    fn ignores_keys_that_resemble_a_token() {
        for fragment in ["", "token", "suite=demo&arg.token=3", "tokens=3", "with=token=3"] {
            assert_eq!(split_token(fragment), None, "{fragment}");
        }
    }
}
