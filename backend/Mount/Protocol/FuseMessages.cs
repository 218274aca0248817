using System.Runtime.InteropServices;

namespace NzbDav.Mount.Protocol;

// The messages of /dev/fuse as linux/fuse.h declares them, version 7.31. All numbers are in the machine's byte order.

/// <summary>What the kernel asks for.</summary>
internal enum FuseOpcode : uint
{
    Lookup = 1,
    Forget = 2,
    GetAttr = 3,
    SetAttr = 4,
    ReadLink = 5,
    Symlink = 6,
    MkNod = 8,
    MkDir = 9,
    Unlink = 10,
    RmDir = 11,
    Rename = 12,
    Link = 13,
    Open = 14,
    Read = 15,
    Write = 16,
    StatFs = 17,
    Release = 18,
    FSync = 20,
    SetXAttr = 21,
    GetXAttr = 22,
    ListXAttr = 23,
    RemoveXAttr = 24,
    Flush = 25,
    Init = 26,
    OpenDir = 27,
    ReadDir = 28,
    ReleaseDir = 29,
    FSyncDir = 30,
    Access = 34,
    Create = 35,
    Interrupt = 36,
    Destroy = 38,
    Poll = 40,
    BatchForget = 42,
    FAllocate = 43,
    ReadDirPlus = 44,
    Rename2 = 45,
    LSeek = 46,
    CopyFileRange = 47,
    StatX = 52,
}

/// <summary>The codes of notifications, in place of an error (<c>enum fuse_notify_code</c>).</summary>
internal enum FuseNotification
{
    InvalidateInode = 2,
    InvalidateEntry = 3,
    Delete = 6,
}

/// <summary>Error numbers of Linux that this file system answers with.</summary>
internal enum LinuxError
{
    None = 0,
    NotPermitted = 1,
    NoEntry = 2,
    Interrupted = 4,
    InputOutput = 5,
    NoDevice = 19,
    TryAgain = 11,
    AccessDenied = 13,
    Busy = 16,
    Exists = 17,
    CrossDevice = 18,
    NotDirectory = 20,
    IsDirectory = 21,
    Invalid = 22,
    NoSpace = 28,
    ReadOnly = 30,
    NameTooLong = 36,
    NotImplemented = 38,
    NotEmpty = 39,
    NoData = 61,
    NotConnected = 107,
    Stale = 116,
}

/// <summary><c>struct fuse_in_header</c>: precedes every request.</summary>
[StructLayout(LayoutKind.Sequential)]
internal readonly struct RequestHeader
{
    public readonly uint Length;
    public readonly FuseOpcode Opcode;

    /// <summary>Names the request in its reply and in an interrupt; even.</summary>
    public readonly ulong Unique;
    public readonly ulong NodeId;
    public readonly uint User;
    public readonly uint Group;

    /// <summary>The calling thread, as the mount's PID namespace numbers it; 0: it is in another one, or the kernel itself.</summary>
    public readonly uint Process;
    public readonly ushort ExtensionLength;
    public readonly ushort Padding;
}

/// <summary><c>struct fuse_out_header</c>: precedes every reply and notification.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct ReplyHeader
{
    public uint Length;

    /// <summary>A negative error number; 0: success. In a notification its code.</summary>
    public int Error;

    /// <summary>The request; 0: a notification.</summary>
    public ulong Unique;
}

/// <summary><c>struct fuse_init_in</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal readonly struct InitRequest
{
    public readonly uint Major;
    public readonly uint Minor;
    public readonly uint MaxReadahead;
    public readonly uint Flags;
}

/// <summary><c>struct fuse_init_out</c>, 64 bytes.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct InitReply
{
    public uint Major;
    public uint Minor;
    public uint MaxReadahead;
    public InitFlags Flags;

    /// <summary>Most requests of read-ahead and the like that wait here; beyond, the kernel holds them back.</summary>
    public ushort MaxBackground;
    public ushort CongestionThreshold;
    public uint MaxWrite;

    /// <summary>Granularity of times in nanoseconds.</summary>
    public uint TimeGranularity;

    /// <summary>Most pages of one request (<see cref="InitFlags.MaxPages"/>).</summary>
    public ushort MaxPages;
    public ushort MapAlignment;
    public uint Flags2;
    private unsafe fixed uint _unused[7];
}

/// <summary>Abilities that the kernel offers and the file system takes (<c>FUSE_*</c> of <c>INIT</c>).</summary>
[Flags]
internal enum InitFlags : uint
{
    /// <summary>Several reads of one file may be under way.</summary>
    AsyncRead = 1 << 0,

    /// <summary>Lookups and listings of one directory run side by side.</summary>
    ParallelDirectoryOperations = 1 << 18,

    /// <summary>READDIRPLUS: attributes come with the names.</summary>
    ReadDirPlus = 1 << 13,

    /// <summary>READDIRPLUS only where a program asks for attributes.</summary>
    ReadDirPlusAuto = 1 << 14,

    /// <summary>Direct reads are sent without waiting for each other.</summary>
    AsyncDirectIo = 1 << 15,

    /// <summary>The file system says how many pages a request may have.</summary>
    MaxPages = 1 << 22,

    /// <summary>Targets of links are kept in the page cache.</summary>
    CacheSymlinks = 1 << 23,

    /// <summary>The file system invalidates what changes; the kernel does not guess by times and sizes.</summary>
    ExplicitInvalidation = 1 << 25,
}

/// <summary><c>struct fuse_attr</c>, 88 bytes.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct FuseAttributes
{
    public ulong Inode;
    public ulong Size;
    public ulong Blocks;
    public ulong AccessTime;
    public ulong ModifyTime;
    public ulong ChangeTime;
    public uint AccessNanoseconds;
    public uint ModifyNanoseconds;
    public uint ChangeNanoseconds;
    public uint Mode;
    public uint Links;
    public uint User;
    public uint Group;
    public uint Device;
    public uint BlockSize;
    public uint Flags;
}

/// <summary><c>struct fuse_entry_out</c>, 128 bytes: the answer to a lookup.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct EntryReply
{
    public ulong NodeId;
    public ulong Generation;

    /// <summary>Seconds for which the name leads to the node.</summary>
    public ulong EntryValid;

    /// <summary>Seconds for which the attributes hold.</summary>
    public ulong AttributesValid;
    public uint EntryValidNanoseconds;
    public uint AttributesValidNanoseconds;
    public FuseAttributes Attributes;
}

/// <summary><c>struct fuse_attr_out</c>, 104 bytes.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct AttributesReply
{
    public ulong Valid;
    public uint ValidNanoseconds;
    public uint Padding;
    public FuseAttributes Attributes;
}

/// <summary><c>struct fuse_open_in</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal readonly struct OpenRequest
{
    public readonly uint Flags;
    public readonly uint OpenFlags;
}

/// <summary><c>struct fuse_open_out</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct OpenReply
{
    public ulong Handle;
    public OpenFlags Flags;
    public int Backing;
}

/// <summary>How the kernel treats an open file (<c>FOPEN_*</c>).</summary>
[Flags]
internal enum OpenFlags : uint
{
    None = 0,

    /// <summary>Reads go past the page cache.</summary>
    DirectIo = 1 << 0,

    /// <summary>Pages from an earlier opening stay.</summary>
    KeepCache = 1 << 1,

    /// <summary>FLUSH is not sent when a descriptor is closed.</summary>
    NoFlush = 1 << 5,
}

/// <summary><c>struct fuse_read_in</c>: of READ, READDIR and READDIRPLUS.</summary>
[StructLayout(LayoutKind.Sequential)]
internal readonly struct ReadRequest
{
    public readonly ulong Handle;
    public readonly ulong Offset;
    public readonly uint Size;
    public readonly uint ReadFlags;
    public readonly ulong LockOwner;
    public readonly uint Flags;
    public readonly uint Padding;
}

/// <summary><c>struct fuse_release_in</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal readonly struct ReleaseRequest
{
    public readonly ulong Handle;
    public readonly uint Flags;
    public readonly uint ReleaseFlags;
    public readonly ulong LockOwner;
}

/// <summary><c>struct fuse_kstatfs</c>, 80 bytes: the answer to STATFS.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct StatFsReply
{
    public ulong Blocks;
    public ulong FreeBlocks;
    public ulong AvailableBlocks;
    public ulong Files;
    public ulong FreeFiles;
    public uint BlockSize;
    public uint NameLength;
    public uint FragmentSize;
    public uint Padding;
    private unsafe fixed uint _spare[6];
}

/// <summary><c>struct fuse_dirent</c>, followed by the name and padding to eight bytes.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct DirectoryEntry
{
    public ulong Inode;

    /// <summary>Where the listing goes on after this entry.</summary>
    public ulong Offset;
    public uint NameLength;

    /// <summary>The file type as <c>d_type</c> has it: the mode's upper four bits.</summary>
    public uint Type;
}

/// <summary><c>struct fuse_rename2_in</c>; RENAME has only the first field. Followed by the old and the new name.</summary>
[StructLayout(LayoutKind.Sequential)]
internal readonly struct Rename2Request
{
    public readonly ulong NewFolder;
    public readonly uint Flags;
    public readonly uint Padding;
}

/// <summary><c>struct fuse_forget_one</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal readonly struct ForgetOne
{
    public readonly ulong NodeId;
    public readonly ulong Lookups;
}

/// <summary><c>struct fuse_notify_inval_inode_out</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct InvalidateInode
{
    public ulong NodeId;

    /// <summary>First byte of the pages to drop; negative: only the attributes.</summary>
    public long Offset;

    /// <summary>Number of bytes; 0: to the end.</summary>
    public long Length;
}

/// <summary><c>struct fuse_notify_inval_entry_out</c>, followed by the name and NUL.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct InvalidateEntry
{
    public ulong Folder;
    public uint NameLength;
    public uint Flags;
}
