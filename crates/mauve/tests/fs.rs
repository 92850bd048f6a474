//! Files, awaited.

use std::cell::Cell;
use std::future::Future;
use std::path::PathBuf;
use std::rc::Rc;

use mauve::fs::{self, File};
use mauve::{Errno, Loop, Result};

/// Runs `test` with a folder of its own.
fn in_folder<F: Future<Output = Result<()>>>(test: impl FnOnce(PathBuf) -> F) {
    let lp: Loop = Loop::new().unwrap();
    let prefix = std::env::temp_dir().join("mauve-fs-");
    let folder = lp.block_on(fs::create_unique_dir(prefix)).unwrap();
    let result = lp.block_on(test(folder.clone()));
    lp.block_on(fs::remove_dir_all(&folder)).unwrap();
    result.unwrap();
    lp.close().unwrap();
}

#[test]
fn a_file_is_read_as_it_was_written() {
    in_folder(async |folder| {
        let path = folder.join("file");
        fs::write(&path, "text").await?;
        assert_eq!(fs::read(&path).await?, b"text");
        assert_eq!(fs::read_to_string(&path).await?, "text");
        fs::write(&path, [0xff, 0xfe]).await?;
        assert_eq!(fs::read_to_string(&path).await, Err(Errno::EILSEQ));
        assert_eq!(fs::read(folder.join("none")).await, Err(Errno::ENOENT));
        Ok(())
    });
}

#[test]
fn reads_end_where_the_file_does_whether_or_not_it_is_cached() {
    in_folder(async |folder| {
        let path = folder.join("file");
        let bytes: Vec<u8> = (0..200_000u32).map(|n| (n * 7) as u8).collect();
        fs::write(&path, bytes.clone()).await?;
        let file = File::open(&path).await?;
        // Small ones from the cache, large ones from the pool.
        for (length, offset) in [(100, 0), (65_536, 1000), (150_000, 0), (500_000, 3)] {
            let expected = &bytes[offset..bytes.len().min(offset + length)];
            assert_eq!(file.read_at(length, offset as u64).await?, expected);
        }
        assert_eq!(file.read_at(10, 199_995).await?, bytes[199_995..]);
        assert_eq!(file.read_at(10, 200_000).await?, []);
        let mut whole = Vec::new();
        loop {
            let part = file.read(33_333).await?;
            if part.is_empty() {
                break;
            }
            whole.extend(part);
        }
        assert_eq!(whole, bytes);
        assert_eq!(file.write_at("x", 0).await, Err(Errno::EBADF));
        Ok(())
    });
}

#[test]
fn a_task_that_reads_from_the_cache_lets_others_have_their_turn() {
    in_folder(async |folder| {
        let path = folder.join("file");
        fs::write(&path, "text").await?;
        let file = File::open(&path).await?;
        let turns = Rc::new(Cell::new(0));
        let counter = turns.clone();
        let other = mauve::spawn(async move {
            for _ in 0..10 {
                counter.set(counter.get() + 1);
                mauve::yield_now().await;
            }
        });
        for _ in 0..20 {
            file.read_at(4, 0).await?;
        }
        assert_eq!(turns.get(), 10);
        other.await.unwrap();
        Ok(())
    });
}

#[test]
fn names_come_and_go() {
    in_folder(async |folder| {
        let at = |name: &str| folder.join(name);
        fs::create_dir_all(at("a/b")).await?;
        assert_eq!(fs::create_dir(at("a")).await, Err(Errno::EEXIST));
        fs::write(at("a/file"), "1").await?;
        fs::rename(at("a/file"), at("a/b/moved")).await?;
        fs::hard_link(at("a/b/moved"), at("second")).await?;
        fs::symlink("second", at("link")).await?;
        assert_eq!(fs::read_link(at("link")).await?, PathBuf::from("second"));
        assert_eq!(fs::canonicalize(at("link")).await?, fs::canonicalize(at("second")).await?);
        assert!(fs::symlink_metadata(at("link")).await?.is_symlink());
        assert!(fs::metadata(at("link")).await?.is_file());
        fs::copy(at("second"), at("copy")).await?;
        assert_eq!(fs::read(at("copy")).await?, b"1");
        fs::remove_file(at("second")).await?;
        assert!(!fs::exists(at("link")).await?);
        assert_eq!(fs::remove_dir(at("a")).await, Err(Errno::ENOTEMPTY));
        assert!(fs::volume(&folder).await?.blocks > 0);
        assert_eq!(fs::volume("a\0b").await.unwrap_err(), Errno::EINVAL);
        Ok(())
    });
}

#[test]
fn every_entry_of_a_directory_is_told_once() {
    in_folder(async |folder| {
        for n in 0..300 {
            fs::write(folder.join(n.to_string()), "").await?;
        }
        let mut entries = fs::read_dir(&folder).await?;
        let mut names = Vec::new();
        while let Some(entry) = entries.next_entry().await? {
            names.push(entry.file_name().into_string().unwrap().parse::<u32>().unwrap());
        }
        names.sort_unstable();
        assert!(names.into_iter().eq(0..300));
        assert!(entries.next_entry().await?.is_none());
        assert_eq!(fs::read_dir(folder.join("0")).await.unwrap_err(), Errno::ENOTDIR);
        Ok(())
    });
}

#[test]
fn an_open_file_has_a_size_times_and_permissions() {
    use std::os::unix::fs::PermissionsExt;
    use std::time::{Duration, SystemTime};

    in_folder(async |folder| {
        let (file, path) = fs::create_unique_file(folder.join("file-")).await?;
        assert!(path.starts_with(&folder));
        file.write("12345").await?;
        file.set_len(3).await?;
        file.sync_all().await?;
        file.sync_data().await?;
        let time = SystemTime::UNIX_EPOCH + Duration::from_millis(1_500);
        file.set_times(std::fs::FileTimes::new().set_modified(time)).await?;
        file.set_permissions(std::fs::Permissions::from_mode(0o640)).await?;
        let metadata = file.metadata().await?;
        assert_eq!((metadata.len(), metadata.modified()?), (3, time));
        assert_eq!(metadata.permissions().mode() & 0o777, 0o640);
        let other = file.clone();
        let file = file.try_into_std().unwrap_err();
        drop(other);
        assert!(file.try_into_std().is_ok());
        Ok(())
    });
}

#[test]
fn tasks_that_read_at_once_each_get_their_own() {
    in_folder(async |folder| {
        let path = folder.join("file");
        let bytes: Vec<u8> = (0..200_000u32).map(|n| (n / 5) as u8).collect();
        fs::write(&path, bytes.clone()).await?;
        let file = File::open(&path).await?;
        let unreadable = File::create(folder.join("other")).await?;
        let bytes = Rc::new(bytes);
        let read = |index: usize| {
            let (file, bytes) = (file.clone(), bytes.clone());
            mauve::spawn(async move {
                for turn in 0..20 {
                    let offset = (index * 5003 + turn * 17) % 210_000;
                    let expected = bytes.get(offset..).unwrap_or_default();
                    let expected = &expected[..expected.len().min(1000)];
                    assert_eq!(file.read_at(1000, offset as u64).await.unwrap(), expected);
                }
            })
        };
        let tasks: Vec<_> = (0..100).map(read).collect();
        let wrong: Vec<_> = (0..10)
            .map(|_| {
                let file = unreadable.clone();
                mauve::spawn(async move { file.read_at(10, 0).await })
            })
            .collect();
        for task in tasks {
            task.await.unwrap();
        }
        for task in wrong {
            assert_eq!(task.await.unwrap(), Err(Errno::EBADF));
        }
        assert_eq!(file.read_at(10, u64::MAX).await, Err(Errno::EINVAL));
        Ok(())
    });
}

#[test]
fn a_read_that_nobody_waits_for_any_more_harms_nobody() {
    in_folder(async |folder| {
        let path = folder.join("file");
        fs::write(&path, vec![7; 100_000]).await?;
        for _ in 0..10 {
            let file = File::open(&path).await?;
            for offset in 0..40 {
                // Asked for, and dropped with its buffer at the next opportunity.
                let read = std::pin::pin!(file.read_at(4096, offset));
                let soon = futures_lite::future::poll_once(read).await;
                assert!(soon.is_none(), "a read waits for its turn");
            }
            assert_eq!(file.read_at(3, 0).await?, [7; 3]);
        }
        Ok(())
    });
}

#[test]
fn files_are_asked_about_alone_or_among_many_with_the_same_answer() {
    in_folder(async |folder| {
        let path = folder.join("file");
        fs::write(&path, "text").await?;
        fs::symlink("file", folder.join("link")).await?;
        let ask = |name: &'static str| {
            let path = folder.join(name);
            mauve::spawn(async move {
                let found = fs::metadata(&path).await.map(|found| found.len());
                (found, fs::symlink_metadata(&path).await.map(|found| found.is_symlink()))
            })
        };
        let expected = [
            ("file", (Ok(4), Ok(false))),
            ("link", (Ok(4), Ok(true))),
            ("none", (Err(Errno::ENOENT), Err(Errno::ENOENT))),
        ];
        for (name, expected) in expected {
            assert_eq!(ask(name).await.unwrap(), expected);
            let many: Vec<_> = (0..20).map(|_| ask(name)).collect();
            for one in many {
                assert_eq!(one.await.unwrap(), expected);
            }
        }
        let zero = std::path::Path::new("with\0zero");
        assert!(fs::metadata(zero).await.is_err());
        assert_eq!(File::open(&path).await?.metadata().await?.len(), 4);
        Ok(())
    });
}
