//! File system operations of tasks.

#[cfg(unix)]
mod unix;

use std::cell::Cell;
use std::future::Future;
use std::io::{ErrorKind, Result};
use std::path::PathBuf;
use std::rc::Rc;

use mauve::fs::{self, File};
use mauve::{Errno, Loop, RunMode};

/// Runs `test` with a temporary directory.
fn with_temp_dir<F: Future<Output = Result<()>>>(test: impl FnOnce(PathBuf) -> F) {
    let lp: Loop = Loop::new().unwrap();
    let prefix = std::env::temp_dir().join("mauve-fs-");
    let directory = lp.block_on(fs::create_temp_dir(prefix)).unwrap();
    let result = lp.block_on(test(directory.clone()));
    lp.block_on(fs::remove_dir_all(&directory)).unwrap();
    result.unwrap();
    // A write that has ended on its thread may not be reported yet.
    lp.run(RunMode::Default).unwrap();
    lp.close().unwrap();
}

#[test]
fn a_file_reads_back_what_was_written() {
    with_temp_dir(async |directory| {
        let path = directory.join("file");
        fs::write(&path, "text").await?;
        assert_eq!(fs::read(&path).await?, b"text");
        assert_eq!(fs::read_to_string(&path).await?, "text");
        fs::write(&path, [0xff, 0xfe]).await?;
        let error = fs::read_to_string(&path).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidData);
        assert_eq!(fs::read(directory.join("none")).await.map_err(Errno::from), Err(Errno::ENOENT));
        assert_eq!(fs::read(&directory).await.map_err(Errno::from), Err(Errno::EISDIR));
        assert_eq!(File::create_new(&path).await.map_err(Errno::from).err(), Some(Errno::EEXIST));
        for line in ["one\n", "two\n"] {
            let file = fs::OpenOptions::new().append(true).open(&path).await?;
            file.write_bytes(line).await?;
        }
        assert_eq!(fs::read(&path).await?, b"\xff\xfeone\ntwo\n");
        Ok(())
    });
}

#[test]
fn files_of_any_size_are_read_whole() {
    with_temp_dir(async |directory| {
        for size in [0, 1, 8192, 100_000, 1 << 20] {
            let bytes: Vec<u8> = (0..size).map(|n| (n * 7 / 5) as u8).collect();
            std::fs::write(directory.join("file"), &bytes)?;
            assert!(fs::read(directory.join("file")).await? == bytes, "{size}");
        }
        Ok(())
    });
}

#[test]
fn inline_and_pool_reads_stop_at_the_end_of_the_file() {
    with_temp_dir(async |directory| {
        let path = directory.join("file");
        let bytes: Vec<u8> = (0..200_000u32).map(|n| (n * 7) as u8).collect();
        fs::write(&path, bytes.clone()).await?;
        let file = File::open(&path).await?;
        // Small reads are served inline from the page cache, large ones by the pool.
        for (length, offset) in [(100, 0), (65_536, 1000), (150_000, 0), (500_000, 3)] {
            let expected = &bytes[offset..bytes.len().min(offset + length)];
            assert_eq!(file.read_at(length, offset as u64).await?, expected);
        }
        assert_eq!(file.read_at(10, 199_995).await?, bytes[199_995..]);
        assert!(file.read_at(10, 200_000).await?.is_empty());
        let mut whole = Vec::new();
        loop {
            let part = file.read_bytes(33_333).await?;
            if part.is_empty() {
                break;
            }
            whole.extend(part);
        }
        assert_eq!(whole, bytes);
        assert_eq!(file.write_at("x", 0).await.map_err(Errno::from), Err(Errno::EBADF));
        Ok(())
    });
}

#[test]
fn cached_reads_do_not_starve_other_tasks() {
    with_temp_dir(async |directory| {
        let path = directory.join("file");
        fs::write(&path, "text").await?;
        let file = File::open(&path).await?;
        let polls = Rc::new(Cell::new(0));
        let counter = polls.clone();
        let other = mauve::spawn(async move {
            for _ in 0..10 {
                counter.set(counter.get() + 1);
                mauve::yield_now().await;
            }
        });
        for _ in 0..20 {
            file.read_at(4, 0).await?;
        }
        assert_eq!(polls.get(), 10);
        other.await.unwrap();
        Ok(())
    });
}

#[test]
fn read_dir_returns_every_entry_once() {
    with_temp_dir(async |directory| {
        for n in 0..300 {
            fs::write(directory.join(n.to_string()), "").await?;
        }
        let mut entries = fs::read_dir(&directory).await?;
        let mut names = Vec::new();
        while let Some(entry) = entries.next_entry().await? {
            names.push(entry.file_name().into_string().unwrap().parse::<u32>().unwrap());
        }
        names.sort_unstable();
        assert!(names.into_iter().eq(0..300));
        assert!(entries.next_entry().await?.is_none());
        assert_eq!(
            fs::read_dir(directory.join("0")).await.map_err(Errno::from).unwrap_err(),
            Errno::ENOTDIR
        );
        Ok(())
    });
}

#[test]
fn a_directory_entry_that_was_not_awaited_is_not_lost() {
    const COUNT: usize = 500;
    with_temp_dir(async |directory| {
        for number in 0..COUNT {
            std::fs::write(directory.join(number.to_string()), "")?;
        }
        let mut entries = fs::read_dir(&directory).await?;
        let mut found = 0;
        loop {
            // Dropped after its first poll, if that does not complete.
            match futures_lite::future::poll_once(entries.next_entry()).await {
                Some(entry) if entry.as_ref().is_ok_and(Option::is_none) => break,
                Some(entry) => found += usize::from(entry?.is_some()),
                None => mauve::yield_now().await,
            }
        }
        assert_eq!(found, COUNT);
        Ok(())
    });
}

#[test]
fn an_open_file_has_a_size_and_times() {
    use std::time::{Duration, SystemTime};

    with_temp_dir(async |directory| {
        let (file, path) = fs::create_temp_file(directory.join("file-")).await?;
        assert!(path.starts_with(&directory));
        file.write_bytes("12345").await?;
        file.set_len(3).await?;
        file.sync_all().await?;
        file.sync_data().await?;
        let time = SystemTime::UNIX_EPOCH + Duration::from_millis(1_500);
        file.set_times(std::fs::FileTimes::new().set_modified(time)).await?;
        let metadata = file.metadata().await?;
        assert_eq!((metadata.len(), metadata.modified()?), (3, time));
        assert_eq!((file.stat().await?.size, fs::read(&path).await?), (3, b"123".to_vec()));
        let other = file.clone();
        let file = file.try_into_std().unwrap_err();
        drop(other);
        assert!(file.try_into_std().is_ok());
        Ok(())
    });
}

#[test]
fn concurrent_reads_return_their_own_data() {
    with_temp_dir(async |directory| {
        let path = directory.join("file");
        let bytes: Vec<u8> = (0..200_000u32).map(|n| (n / 5) as u8).collect();
        fs::write(&path, bytes.clone()).await?;
        let file = File::open(&path).await?;
        let unreadable = File::create(directory.join("other")).await?;
        let bytes = Rc::new(bytes);
        let read = |index: usize| {
            let (file, bytes) = (file.clone(), bytes.clone());
            mauve::spawn(async move {
                for pass in 0..20 {
                    let offset = (index * 5003 + pass * 17) % 210_000;
                    let expected = bytes.get(offset..).unwrap_or_default();
                    let expected = &expected[..expected.len().min(1000)];
                    assert_eq!(file.read_at(1000, offset as u64).await.unwrap(), expected);
                }
            })
        };
        let tasks: Vec<_> = (0..100).map(read).collect();
        let failing: Vec<_> = (0..10)
            .map(|_| {
                let file = unreadable.clone();
                mauve::spawn(async move { file.read_at(10, 0).await })
            })
            .collect();
        for task in tasks {
            task.await.unwrap();
        }
        for task in failing {
            assert_eq!(task.await.unwrap().map_err(Errno::from), Err(Errno::EBADF));
        }
        assert_eq!(file.read_at(10, u64::MAX).await.map_err(Errno::from), Err(Errno::EINVAL));
        Ok(())
    });
}

#[test]
fn dropped_reads_do_not_affect_later_reads() {
    with_temp_dir(async |directory| {
        let path = directory.join("file");
        fs::write(&path, vec![7; 100_000]).await?;
        for _ in 0..10 {
            let file = File::open(&path).await?;
            for offset in 0..40 {
                // Submitted by the first poll, then dropped.
                let read = std::pin::pin!(file.read_at(4096, offset));
                let first = futures_lite::future::poll_once(read).await;
                assert!(first.is_none(), "a read completes in the poll phase");
            }
            assert_eq!(file.read_at(3, 0).await?, [7; 3]);
        }
        Ok(())
    });
}

#[test]
fn inline_and_pool_metadata_agree() {
    with_temp_dir(async |directory| {
        let path = directory.join("file");
        fs::write(&path, "text").await?;
        fs::symlink("file", directory.join("link")).await?;
        let get = |name: &'static str| {
            let path = directory.join(name);
            mauve::spawn(async move {
                let length = fs::metadata(&path).await.map(|metadata| metadata.len());
                let length = length.map_err(Errno::from);
                let link = fs::symlink_metadata(&path).await.map_err(Errno::from);
                (length, link.map(|metadata| metadata.is_symlink()))
            })
        };
        let expected = [
            ("file", (Ok(4), Ok(false))),
            ("link", (Ok(4), Ok(true))),
            ("none", (Err(Errno::ENOENT), Err(Errno::ENOENT))),
        ];
        for (name, expected) in expected {
            assert_eq!(get(name).await.unwrap(), expected);
            let tasks: Vec<_> = (0..20).map(|_| get(name)).collect();
            for task in tasks {
                assert_eq!(task.await.unwrap(), expected);
            }
        }
        let with_nul = std::path::Path::new("with\0nul");
        assert!(fs::metadata(with_nul).await.is_err());
        assert_eq!(File::open(&path).await?.metadata().await?.len(), 4);
        Ok(())
    });
}

#[test]
fn files_do_not_wait_for_blocking_jobs() {
    use std::sync::{Arc, Barrier};

    let size = mauve::thread_pool_size();
    let lp: Loop = Loop::builder().blocking_threads(size).build().unwrap();
    lp.block_on(async {
        let barrier = Arc::new(Barrier::new(size + 1));
        let jobs: Vec<_> = (0..size)
            .map(|_| {
                let barrier = barrier.clone();
                mauve::spawn_blocking(move || barrier.wait().is_leader())
            })
            .collect();
        // All jobs block until the file operations are done.
        let path = std::env::temp_dir().join(format!("mauve-lane-{}", std::process::id()));
        mauve::fs::write(&path, "hello").await.unwrap();
        assert_eq!(mauve::fs::read(&path).await.unwrap(), b"hello");
        mauve::fs::remove_file(&path).await.unwrap();
        // As many again: they are queued, and run after the first.
        let later: Vec<_> = (0..size).map(|number| mauve::spawn_blocking(move || number)).collect();
        let cancelled = mauve::spawn_blocking(|| ());
        let abort = cancelled.abort_handle().unwrap();
        assert!(!abort.is_finished());
        abort.abort();
        barrier.wait();
        for job in jobs {
            job.await.unwrap();
        }
        for (number, job) in later.into_iter().enumerate() {
            assert_eq!(job.await, Ok(number));
        }
        assert_eq!(cancelled.await, Err(mauve::WorkError::Cancelled));
        assert!(abort.is_finished());
    });
}

#[test]
fn a_file_is_read_written_and_seeked_through_the_traits() {
    use std::io::SeekFrom;

    use futures_lite::{AsyncReadExt, AsyncSeekExt, AsyncWriteExt};

    with_temp_dir(|directory| async move {
        let path = directory.join("file");
        let mut options = fs::OpenOptions::new();
        options.read(true).write(true).create(true).truncate(true);
        let mut file = options.open(&path).await?;
        let content: Vec<u8> = (0..600_000u32).map(|n| (n % 251) as u8).collect();
        file.write_all(&content).await?;
        // Other operations wait until the bytes are in the file.
        assert_eq!(file.metadata().await?.len(), 600_000);
        file.flush().await?;
        assert_eq!(file.seek(SeekFrom::Start(100)).await?, 100);
        let mut read = Vec::new();
        file.read_to_end(&mut read).await?;
        assert!(read == content[100..]);
        assert_eq!(file.seek(SeekFrom::End(-4)).await?, 599_996);
        file.write_all(b"end!").await?;
        assert_eq!(file.seek(SeekFrom::Current(-4)).await?, 599_996);
        let mut end = [0; 4];
        file.read_exact(&mut end).await?;
        assert_eq!(&end, b"end!");
        assert_eq!(file.read(&mut end).await?, 0);
        Ok(())
    });
}

#[test]
fn a_read_that_was_dropped_loses_no_bytes() {
    use futures_lite::{AsyncReadExt, AsyncWriteExt, future};

    // A pipe is never in the page cache, so its reads block on the pool.
    let (reader, mut writer) = std::io::pipe().unwrap();
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let reader = std::fs::File::from(mauve_sys::descriptor::Descriptor::from(reader));
        let mut file = File::from_std(reader);
        let mut buffer = [0; 64];
        assert!(future::poll_once(file.read(&mut buffer)).await.is_none());
        std::io::Write::write_all(&mut writer, b"hello").unwrap();
        drop(writer);
        // A smaller buffer than that of the dropped read.
        assert_eq!(file.read(&mut buffer[..2]).await.unwrap(), 2);
        assert_eq!(&buffer[..2], b"he");
        let mut rest = String::new();
        file.read_to_string(&mut rest).await.unwrap();
        assert_eq!(rest, "llo");
        mauve::io::stdout().write_all(b"").await.unwrap();
        mauve::io::stderr().flush().await.unwrap();
    });
}

#[test]
fn a_write_is_performed_exactly_if_its_future_has_completed() {
    use futures_lite::{AsyncWriteExt, future};

    with_temp_dir(async |directory| {
        let path = directory.join("file");
        let mut file = File::create(&path).await?;
        let mut expected: Vec<u8> = Vec::new();
        for number in 0..500_usize {
            let bytes = vec![number as u8; 1 + number * 7 % 3000];
            // Dropped after its first poll, unless that completes. Then written again.
            let first = future::poll_once(file.write(&bytes)).await.transpose()?;
            expected.extend(&bytes[..first.unwrap_or(0)]);
            if number % 3 == 0 {
                // The same bytes on purpose.
                file.write_all(&bytes).await?;
                expected.extend(&bytes);
            }
        }
        file.flush().await?;
        assert!(fs::read(&path).await? == expected);
        Ok(())
    });
}

#[test]
fn bytes_that_were_written_are_in_the_file_after_the_loop_is_dropped() {
    let path = std::env::temp_dir().join(format!("mauve-dropped-{}", std::process::id()));
    for size in [1, 200_000, 1_000_000] {
        let lp: Loop = Loop::new().unwrap();
        lp.block_on(async {
            let mut file = File::create(&path).await.unwrap();
            futures_lite::AsyncWriteExt::write_all(&mut file, &vec![7; size]).await.unwrap();
        });
        drop(lp);
        assert_eq!(std::fs::metadata(&path).unwrap().len(), size as u64);
    }
    std::fs::remove_file(path).unwrap();
}
