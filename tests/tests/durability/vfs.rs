//! A file system for SQLite that writes down what it is asked to do, and refuses it when told.
//!
//! It stands before SQLite's own one, as the default of this process; only files in folders that are watched are of
//! interest to it.
#![allow(unsafe_code)] // SQLite's interface is one of C: structures of functions, and files in memory that it provides.

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

/// What a disk is asked to do, in the order asked. Files are named without their folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// A file is made. SQLite's own file system syncs the folder with a new log's first sync.
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
    /// Not the disk's: until here this result was acknowledged.
    Acknowledged {
        result: u64,
    },
}

impl Operation {
    /// The file's name; absent for what is not the disk's.
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

/// A folder whose files are watched.
#[derive(Clone, Copy, Debug)]
pub struct Watched(usize);

/// What a disk answers instead of doing what it is asked.
#[derive(Clone, Copy, Debug)]
pub enum Refusal {
    /// There is no room for any write, until it is taken back.
    Full,
    /// One write, sync or truncation does not work: that after so many more.
    Once(u64),
}

#[derive(Debug)]
struct Disk {
    folder: PathBuf,
    operations: Vec<Operation>,
    refusal: Option<Refusal>,
    /// Whether connections that ask for `synchronous = FULL` get `OFF`.
    is_hasty: bool,
}

static DISKS: Mutex<Vec<Disk>> = Mutex::new(Vec::new());

fn disks() -> MutexGuard<'static, Vec<Disk>> {
    DISKS.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Watched {
    /// Watches what happens to a folder's files from now on.
    pub fn new(folder: &Path) -> Self {
        install();
        let mut disks = disks();
        disks.push(Disk { folder: folder.to_owned(), operations: Vec::new(), refusal: None, is_hasty: false });
        Self(disks.len() - 1)
    }

    /// What happened since this was asked last.
    pub fn operations(self) -> Vec<Operation> {
        std::mem::take(&mut disks()[self.0].operations)
    }

    /// Writes down that a result was acknowledged.
    pub fn acknowledge(self, result: u64) {
        disks()[self.0].operations.push(Operation::Acknowledged { result });
    }

    /// Refuses, or does so no more.
    pub fn refuse(self, refusal: Option<Refusal>) {
        disks()[self.0].refusal = refusal;
    }

    /// From now on connections that ask for `synchronous = FULL` get `synchronous = OFF`.
    pub fn be_hasty(self) {
        disks()[self.0].is_hasty = true;
    }

    /// Whether it would still refuse something.
    pub fn refuses(self) -> bool {
        disks()[self.0].refusal.is_some()
    }
}

impl Disk {
    /// Takes an operation down; or else says how it is refused.
    fn take(&mut self, operation: Operation) -> Result<(), c_int> {
        match &mut self.refusal {
            Some(Refusal::Full) if matches!(operation, Operation::Write { .. }) => return Err(ffi::SQLITE_FULL),
            Some(Refusal::Once(0)) => {
                self.refusal = None;
                return Err(ffi::SQLITE_IOERR);
            }
            Some(Refusal::Once(after)) => *after -= 1,
            Some(Refusal::Full) | None => {}
        }
        self.operations.push(operation);
        Ok(())
    }
}

/// What SQLite has of an open file: this, and behind it what its own file system has.
#[repr(C)]
struct File {
    base: sqlite3_file,
    /// Which of [`DISKS`].
    disk: usize,
    name: *mut String,
}

/// A file that nobody watches.
const UNWATCHED: usize = usize::MAX;

/// SQLite's own file system.
struct Own(*mut sqlite3_vfs);

// SAFETY: SQLite lets any thread call a file system, and this one is never changed.
unsafe impl Send for Own {}
// SAFETY: as above.
unsafe impl Sync for Own {}

static OWN: OnceLock<Own> = OnceLock::new();

fn own() -> *mut sqlite3_vfs {
    OWN.get().map_or(null_mut(), |own| own.0)
}

/// Makes it this process's default, once.
fn install() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        // SAFETY: null asks for the default file system, which lives as long as the process.
        let own = unsafe { ffi::sqlite3_vfs_find(null()) };
        assert!(!own.is_null(), "SQLite has a file system");
        OWN.get_or_init(|| Own(own));
        // SAFETY: it was found a moment ago, and its fields are numbers and functions, which may be copied.
        let model = unsafe { own.read() };
        let watching = sqlite3_vfs {
            szOsFile: size_of::<File>() as c_int + model.szOsFile,
            pNext: null_mut(),
            zName: c"watching".as_ptr(),
            xOpen: Some(open),
            xDelete: Some(delete),
            // The others know nothing of the file system that they are called on but the length of names.
            ..model
        };
        // SAFETY: what is registered is never freed.
        let registered = unsafe { ffi::sqlite3_vfs_register(Box::into_raw(Box::new(watching)), 1) };
        assert_eq!(registered, SQLITE_OK);
    });
}

/// Which watched folder a file is in, and its name there.
///
/// # Safety
/// `name` is null or a text of C's.
unsafe fn place(name: *const c_char) -> Option<(usize, String, PathBuf)> {
    if name.is_null() {
        return None;
    }
    // SAFETY: as promised above.
    let path = PathBuf::from(OsStr::from_bytes(unsafe { CStr::from_ptr(name) }.to_bytes()));
    let disk = disks().iter().rposition(|disk| path.parent() == Some(&disk.folder))?;
    let name = path.file_name()?.to_str()?.to_owned();
    Some((disk, name, path))
}

unsafe extern "C" fn open(
    _: *mut sqlite3_vfs,
    name: *const c_char,
    file: *mut sqlite3_file,
    flags: c_int,
    out_flags: *mut c_int,
) -> c_int {
    // SAFETY: SQLite gives a name of C's or null.
    let place = unsafe { place(name) };
    let is_new = place.as_ref().is_some_and(|(_, _, path)| flags & SQLITE_OPEN_CREATE != 0 && !path.exists());
    let outer: *mut File = file.cast();
    // SAFETY: SQLite gives as many bytes as `szOsFile` says, ours and behind them those of its own; they hold nothing yet.
    unsafe {
        outer.write(File { base: sqlite3_file { pMethods: null() }, disk: UNWATCHED, name: null_mut() });
        let own = own();
        let opened = ((*own).xOpen.expect("every file system has it"))(own, name, inner(file), flags, out_flags);
        if opened != SQLITE_OK {
            return opened;
        }
        (*outer).base.pMethods = &METHODS;
    }
    if let Some((disk, name, _)) = place {
        if is_new {
            let syncs_folder = flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL) != 0;
            disks()[disk].operations.push(Operation::Create { name: name.clone(), syncs_folder });
        }
        // SAFETY: it was written above.
        unsafe {
            (*outer).disk = disk;
            (*outer).name = Box::into_raw(Box::new(name));
        }
    }
    SQLITE_OK
}

unsafe extern "C" fn delete(_: *mut sqlite3_vfs, name: *const c_char, syncs_folder: c_int) -> c_int {
    // SAFETY: SQLite gives a name of C's.
    let place = unsafe { place(name) };
    let own = own();
    // SAFETY: as SQLite would call it.
    let deleted = unsafe { ((*own).xDelete.expect("every file system has it"))(own, name, syncs_folder) };
    if let Some((disk, name, _)) = place.filter(|_| deleted == SQLITE_OK) {
        disks()[disk].operations.push(Operation::Delete { name, syncs_folder: syncs_folder != 0 });
    }
    deleted
}

/// The file of SQLite's own file system behind ours.
///
/// # Safety
/// `file` is what [`open`] was given.
unsafe fn inner(file: *mut sqlite3_file) -> *mut sqlite3_file {
    // SAFETY: it lies in the bytes that SQLite gave for both.
    unsafe { file.byte_add(size_of::<File>()) }
}

/// Takes down what is asked of a watched file; or else says how it is refused.
///
/// # Safety
/// `file` was opened by [`open`] and not closed yet.
unsafe fn watch(file: *mut sqlite3_file, operation: impl FnOnce(String) -> Operation) -> Result<(), c_int> {
    // SAFETY: as promised above; a watched file has a name until it is closed.
    let (disk, name) = unsafe {
        let File { disk, name, .. } = *file.cast::<File>();
        if disk == UNWATCHED {
            return Ok(());
        }
        (disk, (*name).clone())
    };
    disks()[disk].take(operation(name))
}

/// Functions that ask the file behind ours.
macro_rules! forward {
    ($($name:ident = $method:ident($($argument:ident: $type:ty),*);)*) => {$(
        unsafe extern "C" fn $name(file: *mut sqlite3_file, $($argument: $type),*) -> c_int {
            // SAFETY: SQLite calls with a file that is open, and so is the one behind it.
            unsafe {
                let file = inner(file);
                ((*(*file).pMethods).$method.expect("SQLite's own files have it"))(file, $($argument),*)
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
        ((*(*file).pMethods).xShmBarrier.expect("SQLite's own files have it"))(file);
    }
}

unsafe extern "C" fn close(file: *mut sqlite3_file) -> c_int {
    // SAFETY: SQLite closes a file once; the name was made by `open`.
    unsafe {
        let name = (*file.cast::<File>()).name;
        if !name.is_null() {
            drop(Box::from_raw(name));
        }
        close_behind(file)
    }
}

unsafe extern "C" fn write(file: *mut sqlite3_file, bytes: *const c_void, len: c_int, at: sqlite3_int64) -> c_int {
    // SAFETY: SQLite calls with an open file and `len` bytes.
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
    // SAFETY: SQLite calls with an open file.
    unsafe {
        match watch(file, |name| Operation::Truncate { name, len: len.cast_unsigned() }) {
            Ok(()) => truncate_behind(file, len),
            Err(refused) => refused,
        }
    }
}

/// SQLite asks a file system about each pragma before it obeys, and hands over the very text that it reads afterwards.
unsafe extern "C" fn file_control(file: *mut sqlite3_file, what: c_int, argument: *mut c_void) -> c_int {
    // SAFETY: SQLite calls with an open file; of a pragma it gives room for an answer, the name, and the value or null, in
    // memory of its own. `OFF` is shorter than what it takes the place of.
    unsafe {
        let disk = (*file.cast::<File>()).disk;
        if what == SQLITE_FCNTL_PRAGMA && disk != UNWATCHED && disks()[disk].is_hasty {
            let [_, name, value] = *argument.cast::<[*mut c_char; 3]>();
            if CStr::from_ptr(name) == c"synchronous" && !value.is_null() && CStr::from_ptr(value) == c"FULL" {
                value.copy_from_nonoverlapping(c"OFF".as_ptr(), 4);
            }
        }
        file_control_behind(file, what, argument)
    }
}

/// Nothing is asked of the disk below: nobody cuts its power.
unsafe extern "C" fn sync(file: *mut sqlite3_file, _flags: c_int) -> c_int {
    // SAFETY: SQLite calls with an open file.
    match unsafe { watch(file, |name| Operation::Sync { name }) } {
        Ok(()) => SQLITE_OK,
        Err(refused) => refused,
    }
}

/// Version 2: files are read and written, never mapped into memory.
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

// SQLite reads our file as one of its own, and the one behind it lies where pointers may.
const _: () = assert!(offset_of!(File, base) == 0 && size_of::<File>().is_multiple_of(align_of::<usize>()));
