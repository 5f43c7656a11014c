//! What the fuzzer found worth keeping passes each target with a stable compiler, too.

use std::{fs, path::Path};

type Target = fn(&[u8]);

/// The targets, by the names of their folders in `corpus/`.
const TARGETS: [(&str, Target); 7] = [
    ("accept", mcp_fuzz::accept),
    ("admit", mcp_fuzz::admit),
    ("cursor", mcp_fuzz::cursor),
    ("decode", mcp_fuzz::decode),
    ("resume", mcp_fuzz::resume),
    ("state", mcp_fuzz::state),
    ("template", mcp_fuzz::template),
];

/// What all of it may weigh in the repository.
const MOST_BYTES: usize = 200 * 1024;

#[test]
fn every_kept_input_passes_its_target() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut bytes = 0;
    for (name, target) in TARGETS {
        let inputs: Vec<_> =
            fs::read_dir(corpus.join(name)).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert!(inputs.len() >= 10, "`{name}` keeps {} inputs", inputs.len());
        for path in inputs {
            let input = fs::read(&path).unwrap();
            bytes += input.len();
            // Told when the target fails: the panic itself does not name the file.
            println!("{}", path.display());
            target(&input);
        }
    }
    assert!(bytes <= MOST_BYTES, "{bytes} bytes are kept; merge the corpora into smaller ones");
    assert_eq!(fs::read_dir(corpus).unwrap().count(), TARGETS.len(), "each folder is a target's");
}
