//! Runs a command with an emulator for the programs of another architecture.
//!
//! A program under qemu-user starts others with `execve`, which the kernel performs. So the kernel must
//! know the emulator (binfmt_misc). It is registered in a user namespace, which ends with the command,
//! so nothing changes for the rest of the system. That needs root, and Linux 6.7.

use std::process::Command;

use crate::root;

/// An emulator of qemu-user.
pub struct Emulator {
    /// The name of the architecture in qemu and in the names of GNU's tools.
    pub arch: &'static str,
    /// The number of the architecture in the header of its programs (`e_machine`).
    pub machine: u8,
}

impl Emulator {
    pub fn program(&self) -> String {
        format!("/usr/bin/qemu-{}", self.arch)
    }

    /// The folder with the C library of the architecture.
    pub fn libraries(&self) -> String {
        format!("/usr/{}-linux-gnu", self.arch)
    }

    /// The format of its programs, as binfmt_misc expects it: the beginning of the file, and a mask
    /// that ignores the system's ABI and whether the program is relocatable. `P` keeps `argv[0]`.
    fn format(&self) -> String {
        let hex =
            |bytes: &[u8]| bytes.iter().map(|byte| format!("\\x{byte:02x}")).collect::<String>();
        let mut magic = *b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\0\0";
        magic[18] = self.machine;
        let mut mask = [0xff; 20];
        (mask[7], mask[16]) = (0, 0xfe);
        let (name, program) = (self.arch, self.program());
        format!(":qemu-{name}:M::{}:{}:{program}:P", hex(&magic), hex(&mask))
    }

    /// The command that runs `command` in such a namespace.
    pub fn wrap(&self, command: &Command) -> Command {
        let mut shell = Command::new("sh");
        shell.arg(root().join("xtask/cross/emulate.sh")).arg(self.format());
        shell.arg(command.get_program()).args(command.get_args());
        copy_environment(command, &mut shell);
        shell.env("QEMU_LD_PREFIX", self.libraries());
        shell
    }
}

/// Sets the variables and the folder of one command for another.
fn copy_environment(from: &Command, to: &mut Command) {
    for (name, value) in from.get_envs() {
        match value {
            Some(value) => to.env(name, value),
            None => to.env_remove(name),
        };
    }
    if let Some(folder) = from.get_current_dir() {
        to.current_dir(folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_has_the_machine_and_the_emulator() {
        let format = Emulator { arch: "aarch64", machine: 0xb7 }.format();
        assert!(format.starts_with(":qemu-aarch64:M::\\x7f\\x45\\x4c\\x46\\x02"), "{format}");
        assert!(format.contains("\\x02\\x00\\xb7\\x00:\\xff"), "{format}");
        assert!(format.ends_with(":/usr/bin/qemu-aarch64:P"), "{format}");
    }
}
