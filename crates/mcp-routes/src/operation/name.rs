//! The name of an operation, when nobody gives it one: that of its handler.

/// The name of a function or a method; empty for what has none of its own, such as a closure.
pub(crate) fn name_of<H>() -> String {
    of_type(std::any::type_name::<H>())
}

/// Reads the name in what the compiler calls a type, such as `app::users::show` and `app::Page<u8>::show`.
fn of_type(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    let (mut depth, mut before) = (0_usize, ' ');
    for letter in name.chars() {
        match letter {
            '<' => depth += 1,
            // The arrow of a function's type closes nothing.
            '>' if before != '-' => depth = depth.saturating_sub(1),
            _ if depth == 0 => plain.push(letter),
            _ => {}
        }
        before = letter;
    }
    // A closure has braces and a pointer to a function parentheses; what a type of axum's wraps has lost its name.
    let is_path = plain.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | ':'));
    let last = plain.rsplit("::").next().filter(|_| is_path && !plain.starts_with("axum::"));
    last.unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::of_type;

    #[test]
    fn functions_and_methods_have_names_and_closures_do_not() {
        for (compiler, name) in [
            ("app::users::show", "show"),
            ("app::show<alloc::vec::Vec<u8>>", "show"),
            ("app::show<fn(u32) -> u32>", "show"),
            ("app::Page<u8>::show", "show"),
            ("<app::Page as app::Show>::show", "show"),
            ("app::größe", "größe"),
            ("app::users::show::{{closure}}", ""),
            ("axum::handler::Layered<app::show>", ""),
            ("fn(axum::Path<u32>) -> core::pin::Pin<u8>", ""),
            ("for<'a> fn(&'a u32)", ""),
        ] {
            assert_eq!(of_type(compiler), name, "{compiler}");
        }
    }
}
