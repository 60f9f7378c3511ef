//! The `tilewright` program: dispatches to one file per subcommand; without arguments it is the protocol server.

fn main() -> anyhow::Result<()> {
    tilewright::cli::run()
}
