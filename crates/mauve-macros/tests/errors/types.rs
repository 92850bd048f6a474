// Each comment `//~` is the error that the compiler has to report for its line.

mod fake {
    pub mod macro_support {
        pub fn block_on<F: Future>(_: F) -> F::Output {
            loop {}
        }
    }
}

mod wrong_output {
    #[mauve_macros::main(crate = crate::fake)]
    async fn main() -> std::io::Result<()> {
        7 //~ mismatched types
    }
}

mod missing_output {
    #[mauve_macros::main(crate = crate::fake)]
    async fn main() -> Result<u8, String> { //~ mismatched types
        std::future::ready(()).await;
    }
}

mod unknown_name {
    #[mauve_macros::main(crate = crate::fake)]
    async fn main() {
        nothing().await; //~ cannot find function `nothing` in this scope
    }
}
