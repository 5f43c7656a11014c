//! A list of tokens as a whole: read, asked, printed.

use super::*;
use futures_util::FutureExt;
use proptest::prelude::*;

const FILE: &str = "\
# token subject scopes

0123456789abcdef ada read write\r
  fedcba9876543210==\tgrace
0123456789abcdeg ada
";

fn ask(tokens: &StaticTokens, token: &str) -> Result<Principal, VerifyError> {
    tokens.verify(token).now_or_never().expect("no waiting")
}

fn fault(text: &str) -> (usize, TokenFault) {
    let TokenFileFault { line, fault } = StaticTokens::parse(text).expect_err("a fault");
    (line, fault)
}

#[test]
fn each_token_speaks_for_its_principal() {
    let tokens = StaticTokens::parse(FILE).unwrap();
    assert_eq!(tokens.len(), 3);
    assert_eq!(
        ask(&tokens, "0123456789abcdef").unwrap(),
        Principal::new("ada").with_scopes(["read", "write"])
    );
    assert_eq!(ask(&tokens, "fedcba9876543210==").unwrap(), Principal::new("grace"));
    assert_eq!(ask(&tokens, "0123456789abcdeg").unwrap(), Principal::new("ada"));
}

#[test]
fn any_other_text_speaks_for_nobody() {
    let tokens = StaticTokens::parse(FILE).unwrap();
    for text in ["", "0123456789abcde", "0123456789abcdef ", "0123456789ABCDEF", "ada", "#", "é"] {
        assert!(matches!(ask(&tokens, text), Err(VerifyError::Invalid)), "{text}");
    }
    assert!(matches!(ask(&StaticTokens::parse("").unwrap(), "a"), Err(VerifyError::Invalid)));
}

#[test]
fn a_fault_names_its_line() {
    assert_eq!(fault("# first\n\nabc ada\nabc grace"), (4, TokenFault::DuplicateToken));
    assert_eq!(fault("abc ada\nabd"), (2, TokenFault::EmptySubject));
    assert_eq!(fault("a,b ada"), (1, TokenFault::IllegalToken));
    assert_eq!(fault("\u{feff}é ada"), (1, TokenFault::IllegalToken));
    assert_eq!(fault("abc ada read,\"write\""), (1, TokenFault::IllegalScope));
    assert_eq!(fault("abc a\u{7}da"), (1, TokenFault::IllegalSubject));
    assert_eq!(fault(&format!("{} ada", "a".repeat(8_193))), (1, TokenFault::TooLong));
}

#[test]
fn the_builder_takes_whole_principals_and_refuses_what_no_request_could_carry() {
    let ada =
        Principal::new("ada").with_issuer("https://id.example").with_client_id("cli").with_scopes(["read"]);
    let tokens = StaticTokens::builder().token("short", ada.clone()).unwrap().build();
    assert_eq!(tokens.principal("short"), Some(&ada));
    for (token, principal, fault) in [
        ("", ada.clone(), TokenFault::EmptyToken),
        ("a b", ada.clone(), TokenFault::IllegalToken),
        ("abc", Principal::new(" "), TokenFault::EmptySubject),
        ("abc", Principal::new("ada").with_scopes([""]), TokenFault::IllegalScope),
    ] {
        assert_eq!(StaticTokens::builder().token(token, principal).unwrap_err(), fault);
    }
    let again = StaticTokens::builder().token("abc", ada.clone()).unwrap().token("abc", ada);
    assert_eq!(again.unwrap_err(), TokenFault::DuplicateToken);
}

#[test]
fn neither_lists_nor_faults_print_a_token() {
    let tokens = StaticTokens::parse("sesame ada").unwrap();
    assert_eq!(format!("{tokens:?}"), "StaticTokens { tokens: 1 }");
    let fault = StaticTokens::parse("sesame ada\nsesame bob").unwrap_err();
    assert!(!format!("{fault:?} {fault} {}", fault.fault).contains("sesame"));
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused_without_panic(text in any::<String>()) {
        let _ = StaticTokens::parse(&text);
    }

    #[test]
    fn only_the_written_tokens_are_accepted(written in "[a-c]{1,3}", asked in "[a-c]{1,3}") {
        let tokens = StaticTokens::parse(&format!("{written} ada")).unwrap();
        prop_assert_eq!(tokens.principal(&asked).is_some(), written == asked);
    }
}
