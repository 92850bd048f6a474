// Each comment `//~` is the error that the compiler has to report for its line.

mod not_async {
    #[mauve_macros::main]
    fn main() {} //~ expected an `async fn`
}

mod not_a_function {
    #[mauve_macros::main]
    struct Main {} //~ expected an `async fn`
}

mod without_body {
    trait Trait {
        #[mauve_macros::test]
        async fn runs(); //~ expected a function with a body
    }
}

mod with_parameters {
    #[mauve_macros::main]
    async fn main(arguments: Vec<String>) {} //~ the function cannot have parameters
}

mod generic {
    #[mauve_macros::test]
    async fn runs<T>() {} //~ the function cannot be generic
}

mod unsafe_function {
    #[mauve_macros::main]
    pub(crate) async unsafe fn main() {} //~ expected an `async fn`
}

mod unknown_option {
    #[mauve_macros::main(flavor = "current_thread")] //~ the options are `crate = path`, `start_paused = true` and, for tests, `sim` and `faults`. A loop runs on one thread: `mauve::workers` uses several
    async fn main() {}
}

mod without_path {
    #[mauve_macros::test(crate)] //~ the options are `crate = path`, `start_paused = true` and, for tests, `sim` and `faults`. A loop runs on one thread: `mauve::workers` uses several
    async fn runs() {}
}

mod not_a_boolean {
    #[mauve_macros::test(start_paused = 1)] //~ expected `true` or `false`
    async fn runs() {}
}

mod not_a_number {
    #[mauve_macros::test(sim = true)] //~ expected a number
    async fn runs() {}
}

mod faults_without_seeds {
    #[mauve_macros::test(faults = 0.01)] //~ `faults` needs the option `sim`
    async fn runs() {}
}

mod simulated_main {
    #[mauve_macros::main(sim)] //~ `sim` is an option of `#[mauve::test]`
    async fn main() {}
}

mod number_as_path {
    #[mauve_macros::test(crate = 1)] //~ expected a path
    async fn runs() {}
}

mod second_test_attribute {
    #[mauve_macros::test]
    #[test] //~ `#[mauve::test]` adds `#[test]`
    async fn runs() {}
}
