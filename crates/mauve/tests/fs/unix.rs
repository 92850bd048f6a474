//! Files that only Unix has: permissions, symbolic links, devices.

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use mauve::Errno;
use mauve::fs::{self, File};

use crate::with_temp_dir;

#[test]
fn directories_links_and_renames() {
    with_temp_dir(async |directory| {
        let at = |name: &str| directory.join(name);
        fs::create_dir_all(at("a/b")).await?;
        assert_eq!(fs::create_dir(at("a")).await.map_err(Errno::from), Err(Errno::EEXIST));
        fs::write(at("a/file"), "1").await?;
        fs::rename(at("a/file"), at("a/b/moved")).await?;
        fs::hard_link(at("a/b/moved"), at("second")).await?;
        fs::symlink("second", at("link")).await?;
        assert_eq!(fs::read_link(at("link")).await?, PathBuf::from("second"));
        assert_eq!(fs::canonicalize(at("link")).await?, fs::canonicalize(at("second")).await?);
        assert!(fs::symlink_metadata(at("link")).await?.is_symlink());
        assert!(fs::metadata(at("link")).await?.is_file());
        let size: u64 = fs::copy(at("second"), at("copy")).await?;
        assert_eq!(size, fs::metadata(at("second")).await?.len());
        assert_eq!(fs::read(at("copy")).await?, b"1");
        fs::set_permissions(at("copy"), std::fs::Permissions::from_mode(0o600)).await?;
        assert_eq!(fs::stat(at("copy")).await?.mode & 0o777, 0o600);
        fs::remove_file(at("second")).await?;
        assert!(!fs::exists(at("link")).await? && fs::metadata(at("link")).await.is_err());
        assert!(fs::symlink_metadata(at("link")).await?.is_symlink());
        assert_eq!(fs::remove_dir(at("a")).await.map_err(Errno::from), Err(Errno::ENOTEMPTY));
        fs::remove_dir_all(at("a")).await?;
        fs::create_dir(at("a")).await?;
        fs::remove_dir(at("a")).await?;
        let system = fs::file_system_stat(&directory).await?;
        assert!(system.blocks > 0 && system.free_blocks <= system.blocks);
        assert_eq!(
            fs::file_system_stat("a\0b").await.map_err(Errno::from).unwrap_err(),
            Errno::EINVAL
        );
        Ok(())
    });
}

#[test]
fn an_open_file_has_permissions() {
    with_temp_dir(async |directory| {
        let (file, _) = fs::create_temp_file(directory.join("file-")).await?;
        file.set_permissions(std::fs::Permissions::from_mode(0o640)).await?;
        assert_eq!(file.metadata().await?.permissions().mode() & 0o777, 0o640);
        Ok(())
    });
}

#[test]
fn files_whose_sizes_are_not_known_are_read_whole() {
    with_temp_dir(async |_| {
        let limits = fs::read_to_string("/proc/self/limits").await?;
        assert_eq!(limits, std::fs::read_to_string("/proc/self/limits")?);
        let (reader, mut writer) = std::io::pipe()?;
        let bytes: Vec<u8> = (0..300_000).map(|n| (n / 3) as u8).collect();
        let sent = bytes.clone();
        let sender = std::thread::spawn(move || std::io::Write::write_all(&mut writer, &sent));
        let path = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&reader));
        assert!(fs::read(path).await? == bytes);
        sender.join().unwrap()
    });
}

#[test]
fn the_error_of_a_write_is_returned_once_by_the_next_write_or_flush() {
    use futures_lite::AsyncWriteExt;

    with_temp_dir(async |_| {
        let mut full = File::options().write(true).open("/dev/full").await?;
        let no_space = Some(Errno::ENOSPC);
        for _ in 0..2 {
            assert_eq!(full.write(b"x").await?, 1);
            assert_eq!(full.metadata().await?.len(), 0);
            assert_eq!(full.flush().await.map_err(Errno::from).err(), no_space);
            full.flush().await?;
        }
        assert_eq!(full.write(b"x").await?, 1);
        assert_eq!(full.write(b"x").await.map_err(Errno::from).err(), no_space);
        assert_eq!(full.write(b"x").await?, 1);
        assert_eq!(full.sync_all().await.map_err(Errno::from).err(), no_space);
        Ok(())
    });
}
