//! A file system for SQLite that records operations and injects faults.
//!
//! It is the process's default file system and wraps SQLite's own one. It affects only files in registered folders.
#![allow(unsafe_code)] // SQLite's interface is in C: structs of function pointers, and files in memory that it allocates.

use std::ffi::{CStr, OsStr, c_char, c_int, c_void};
use std::mem::{offset_of, size_of};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::ptr::{null, null_mut};
use std::slice;
use std::sync::{Mutex, MutexGuard, Once, OnceLock, PoisonError};

use rusqlite::ffi::{
    self, SQLITE_FCNTL_PRAGMA, SQLITE_OK, SQLITE_OPEN_CREATE, SQLITE_OPEN_MAIN_JOURNAL, SQLITE_OPEN_WAL, sqlite3_file,
    sqlite3_int64, sqlite3_io_methods, sqlite3_vfs,
};

/// An operation of the disk. Files are named without their folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// A file is created. SQLite's file system syncs the folder with a new log's first sync.
    Create {
        name: String,
        syncs_folder: bool,
    },
    Write {
        name: String,
        at: u64,
        bytes: Vec<u8>,
    },
    Truncate {
        name: String,
        len: u64,
    },
    Sync {
        name: String,
    },
    Delete {
        name: String,
        syncs_folder: bool,
    },
    /// A marker: a result was acknowledged at this point.
    Acknowledged {
        result: u64,
    },
}

impl Operation {
    /// The file's name; absent for a marker.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Create { name, .. }
            | Self::Write { name, .. }
            | Self::Truncate { name, .. }
            | Self::Sync { name }
            | Self::Delete { name, .. } => Some(name),
            Self::Acknowledged { .. } => None,
        }
    }
}

/// A folder whose operations are recorded.
#[derive(Clone, Copy, Debug)]
pub struct WatchedFolder(usize);

/// A fault to inject.
#[derive(Clone, Copy, Debug)]
pub enum Fault {
    /// Every write fails for lack of space.
    Full,
    /// One operation fails, after this many successful ones.
    Once(u64),
}

#[derive(Debug)]
struct Recorder {
    folder: PathBuf,
    operations: Vec<Operation>,
    fault: Option<Fault>,
    /// Whether `synchronous = FULL` is replaced by `OFF`.
    skips_sync: bool,
}

static RECORDERS: Mutex<Vec<Recorder>> = Mutex::new(Vec::new());

fn recorders() -> MutexGuard<'static, Vec<Recorder>> {
    RECORDERS.lock().unwrap_or_else(PoisonError::into_inner)
}

impl WatchedFolder {
    /// Starts recording the operations in a folder.
    pub fn new(folder: &Path) -> Self {
        install();
        let mut recorders = recorders();
        recorders.push(Recorder { folder: folder.to_owned(), operations: Vec::new(), fault: None, skips_sync: false });
        Self(recorders.len() - 1)
    }

    /// Returns and removes the recorded operations.
    pub fn operations(self) -> Vec<Operation> {
        std::mem::take(&mut recorders()[self.0].operations)
    }

    /// Records that a result was acknowledged.
    pub fn acknowledge(self, result: u64) {
        recorders()[self.0].operations.push(Operation::Acknowledged { result });
    }

    /// Sets or removes the fault.
    pub fn inject(self, fault: Option<Fault>) {
        recorders()[self.0].fault = fault;
    }

    /// Replaces `synchronous = FULL` by `OFF` from now on.
    pub fn disable_sync(self) {
        recorders()[self.0].skips_sync = true;
    }

    /// Whether a fault is set.
    pub fn has_fault(self) -> bool {
        recorders()[self.0].fault.is_some()
    }
}

impl Recorder {
    /// Records an operation, or returns the injected error code.
    fn take(&mut self, operation: Operation) -> Result<(), c_int> {
        match &mut self.fault {
            Some(Fault::Full) if matches!(operation, Operation::Write { .. }) => return Err(ffi::SQLITE_FULL),
            Some(Fault::Once(0)) => {
                self.fault = None;
                return Err(ffi::SQLITE_IOERR);
            }
            Some(Fault::Once(after)) => *after -= 1,
            Some(Fault::Full) | None => {}
        }
        self.operations.push(operation);
        Ok(())
    }
}

/// An open file of SQLite: these fields, followed by those of SQLite's own file system.
#[repr(C)]
struct WatchedFile {
    base: sqlite3_file,
    /// The index in [`RECORDERS`].
    recorder: usize,
    name: *mut String,
}

/// The index of a file that is not recorded.
const UNWATCHED: usize = usize::MAX;

/// SQLite's own file system.
struct DefaultVfs(*mut sqlite3_vfs);

// SAFETY: SQLite calls a file system from any thread, and this one is never changed.
unsafe impl Send for DefaultVfs {}
// SAFETY: as above.
unsafe impl Sync for DefaultVfs {}

static DEFAULT_VFS: OnceLock<DefaultVfs> = OnceLock::new();

fn default_vfs() -> *mut sqlite3_vfs {
    DEFAULT_VFS.get().map_or(null_mut(), |own| own.0)
}

/// Registers the recording file system as the process's default, once.
fn install() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        // SAFETY: null requests the default file system, which lives as long as the process.
        let own = unsafe { ffi::sqlite3_vfs_find(null()) };
        assert!(!own.is_null(), "SQLite has a file system");
        DEFAULT_VFS.get_or_init(|| DefaultVfs(own));
        // SAFETY: the pointer is valid, and the fields are numbers and function pointers, which may be copied.
        let model = unsafe { own.read() };
        let watching = sqlite3_vfs {
            szOsFile: size_of::<WatchedFile>() as c_int + model.szOsFile,
            pNext: null_mut(),
            zName: c"watching".as_ptr(),
            xOpen: Some(open),
            xDelete: Some(delete),
            // The other functions depend on no state of their file system but the maximum length of names.
            ..model
        };
        // SAFETY: the registered file system is never freed.
        let registered = unsafe { ffi::sqlite3_vfs_register(Box::into_raw(Box::new(watching)), 1) };
        assert_eq!(registered, SQLITE_OK);
    });
}

/// Returns the recorder of a file's folder, the file's name, and its path.
///
/// # Safety
/// `name` is null or a C string.
unsafe fn locate(name: *const c_char) -> Option<(usize, String, PathBuf)> {
    if name.is_null() {
        return None;
    }
    // SAFETY: by this function's contract.
    let path = PathBuf::from(OsStr::from_bytes(unsafe { CStr::from_ptr(name) }.to_bytes()));
    let recorder = recorders().iter().rposition(|recorder| path.parent() == Some(&recorder.folder))?;
    let name = path.file_name()?.to_str()?.to_owned();
    Some((recorder, name, path))
}

unsafe extern "C" fn open(
    _: *mut sqlite3_vfs,
    name: *const c_char,
    file: *mut sqlite3_file,
    flags: c_int,
    out_flags: *mut c_int,
) -> c_int {
    // SAFETY: SQLite passes a C string or null.
    let location = unsafe { locate(name) };
    let is_new = location.as_ref().is_some_and(|(_, _, path)| flags & SQLITE_OPEN_CREATE != 0 && !path.exists());
    let outer: *mut WatchedFile = file.cast();
    // SAFETY: SQLite allocates `szOsFile` bytes, ours followed by those of its own file; they are uninitialised.
    unsafe {
        outer.write(WatchedFile { base: sqlite3_file { pMethods: null() }, recorder: UNWATCHED, name: null_mut() });
        let own = default_vfs();
        let opened = ((*own).xOpen.expect("required by SQLite"))(own, name, inner(file), flags, out_flags);
        if opened != SQLITE_OK {
            return opened;
        }
        (*outer).base.pMethods = &METHODS;
    }
    if let Some((recorder, name, _)) = location {
        if is_new {
            let syncs_folder = flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL) != 0;
            recorders()[recorder].operations.push(Operation::Create { name: name.clone(), syncs_folder });
        }
        // SAFETY: initialised above.
        unsafe {
            (*outer).recorder = recorder;
            (*outer).name = Box::into_raw(Box::new(name));
        }
    }
    SQLITE_OK
}

unsafe extern "C" fn delete(_: *mut sqlite3_vfs, name: *const c_char, syncs_folder: c_int) -> c_int {
    // SAFETY: SQLite passes a C string.
    let location = unsafe { locate(name) };
    let own = default_vfs();
    // SAFETY: the same call as SQLite's.
    let deleted = unsafe { ((*own).xDelete.expect("required by SQLite"))(own, name, syncs_folder) };
    if let Some((recorder, name, _)) = location.filter(|_| deleted == SQLITE_OK) {
        recorders()[recorder].operations.push(Operation::Delete { name, syncs_folder: syncs_folder != 0 });
    }
    deleted
}

/// The file of SQLite's own file system, which follows ours in memory.
///
/// # Safety
/// `file` was passed to [`open`].
unsafe fn inner(file: *mut sqlite3_file) -> *mut sqlite3_file {
    // SAFETY: SQLite has allocated both in one block.
    unsafe { file.byte_add(size_of::<WatchedFile>()) }
}

/// Records an operation of a file, or returns the injected error code.
///
/// # Safety
/// `file` was opened by [`open`] and has not been closed.
unsafe fn watch(file: *mut sqlite3_file, operation: impl FnOnce(String) -> Operation) -> Result<(), c_int> {
    // SAFETY: by this function's contract; a recorded file has a name until it is closed.
    let (recorder, name) = unsafe {
        let WatchedFile { recorder, name, .. } = *file.cast::<WatchedFile>();
        if recorder == UNWATCHED {
            return Ok(());
        }
        (recorder, (*name).clone())
    };
    recorders()[recorder].take(operation(name))
}

/// Functions that forward to SQLite's own file.
macro_rules! forward {
    ($($name:ident = $method:ident($($argument:ident: $type:ty),*);)*) => {$(
        unsafe extern "C" fn $name(file: *mut sqlite3_file, $($argument: $type),*) -> c_int {
            // SAFETY: SQLite passes an open file, whose inner file is open, too.
            unsafe {
                let file = inner(file);
                ((*(*file).pMethods).$method.expect("SQLite's own files implement it"))(file, $($argument),*)
            }
        }
    )*};
}

forward! {
    read = xRead(bytes: *mut c_void, len: c_int, at: sqlite3_int64);
    write_behind = xWrite(bytes: *const c_void, len: c_int, at: sqlite3_int64);
    truncate_behind = xTruncate(len: sqlite3_int64);
    close_behind = xClose();
    file_size = xFileSize(size: *mut sqlite3_int64);
    lock = xLock(level: c_int);
    unlock = xUnlock(level: c_int);
    check_reserved_lock = xCheckReservedLock(held: *mut c_int);
    file_control_behind = xFileControl(what: c_int, argument: *mut c_void);
    sector_size = xSectorSize();
    device_characteristics = xDeviceCharacteristics();
    shm_map = xShmMap(page: c_int, size: c_int, extend: c_int, memory: *mut *mut c_void);
    shm_lock = xShmLock(offset: c_int, count: c_int, flags: c_int);
    shm_unmap = xShmUnmap(delete: c_int);
}

unsafe extern "C" fn shm_barrier(file: *mut sqlite3_file) {
    // SAFETY: as in `forward`.
    unsafe {
        let file = inner(file);
        ((*(*file).pMethods).xShmBarrier.expect("SQLite's own files implement it"))(file);
    }
}

unsafe extern "C" fn close(file: *mut sqlite3_file) -> c_int {
    // SAFETY: SQLite closes a file once; `open` has allocated the name.
    unsafe {
        let name = (*file.cast::<WatchedFile>()).name;
        if !name.is_null() {
            drop(Box::from_raw(name));
        }
        close_behind(file)
    }
}

unsafe extern "C" fn write(file: *mut sqlite3_file, bytes: *const c_void, len: c_int, at: sqlite3_int64) -> c_int {
    // SAFETY: SQLite passes an open file and `len` bytes.
    unsafe {
        let copy = slice::from_raw_parts(bytes.cast::<u8>(), len.unsigned_abs() as usize).to_vec();
        let operation = |name| Operation::Write { name, at: at.cast_unsigned(), bytes: copy };
        match watch(file, operation) {
            Ok(()) => write_behind(file, bytes, len, at),
            Err(refused) => refused,
        }
    }
}

unsafe extern "C" fn truncate(file: *mut sqlite3_file, len: sqlite3_int64) -> c_int {
    // SAFETY: SQLite passes an open file.
    unsafe {
        match watch(file, |name| Operation::Truncate { name, len: len.cast_unsigned() }) {
            Ok(()) => truncate_behind(file, len),
            Err(refused) => refused,
        }
    }
}

/// SQLite passes each pragma to the file system before it executes it, and reads the same buffer afterwards.
unsafe extern "C" fn file_control(file: *mut sqlite3_file, what: c_int, argument: *mut c_void) -> c_int {
    // SAFETY: SQLite passes an open file and, for a pragma, an array of three pointers to its own memory: the result,
    // the name, and the value or null. `OFF` is shorter than `FULL`.
    unsafe {
        let recorder = (*file.cast::<WatchedFile>()).recorder;
        if what == SQLITE_FCNTL_PRAGMA && recorder != UNWATCHED && recorders()[recorder].skips_sync {
            let [_, name, value] = *argument.cast::<[*mut c_char; 3]>();
            if CStr::from_ptr(name) == c"synchronous" && !value.is_null() && CStr::from_ptr(value) == c"FULL" {
                value.copy_from_nonoverlapping(c"OFF".as_ptr(), 4);
            }
        }
        file_control_behind(file, what, argument)
    }
}

/// Does not sync the real disk: its power is never cut.
unsafe extern "C" fn sync(file: *mut sqlite3_file, _flags: c_int) -> c_int {
    // SAFETY: SQLite passes an open file.
    match unsafe { watch(file, |name| Operation::Sync { name }) } {
        Ok(()) => SQLITE_OK,
        Err(refused) => refused,
    }
}

/// Version 2: no memory-mapped files.
static METHODS: sqlite3_io_methods = sqlite3_io_methods {
    iVersion: 2,
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(truncate),
    xSync: Some(sync),
    xFileSize: Some(file_size),
    xLock: Some(lock),
    xUnlock: Some(unlock),
    xCheckReservedLock: Some(check_reserved_lock),
    xFileControl: Some(file_control),
    xSectorSize: Some(sector_size),
    xDeviceCharacteristics: Some(device_characteristics),
    xShmMap: Some(shm_map),
    xShmLock: Some(shm_lock),
    xShmBarrier: Some(shm_barrier),
    xShmUnmap: Some(shm_unmap),
    xFetch: None,
    xUnfetch: None,
};

// SQLite accesses our struct as its own, and the inner file after it must be aligned.
const _: () =
    assert!(offset_of!(WatchedFile, base) == 0 && size_of::<WatchedFile>().is_multiple_of(align_of::<usize>()));
