using System.Runtime.InteropServices;

namespace NzbDav.Mount.Protocol;

/// <summary>The system calls of the mount.</summary>
internal static unsafe partial class LinuxCalls
{
    public const int OpenReadWrite = 2;
    public const int OpenCloseOnExec = 0x80000;
    public const int OpenNonBlocking = 0x800;
    public const int SetStatusFlags = 4;
    public const int EventCloseOnExec = 0x80000;
    public const short PollIn = 1;
    public const int MountNoSetUser = 2;
    public const int MountNoDevices = 4;
    public const int UnmountDetach = 2;
    public const int ReceiveCloseOnExec = 0x40000000;

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial int Open(string path, int flags);

    [LibraryImport("libc", EntryPoint = "close")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial void Close(int descriptor);

    [LibraryImport("libc", EntryPoint = "read", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial nint Read(int descriptor, byte* buffer, nuint length);

    [LibraryImport("libc", EntryPoint = "writev", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial nint Write(int descriptor, Chunk* chunks, int count);

    [LibraryImport("libc", EntryPoint = "poll", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial int Poll(Polled* polled, nuint count, int timeout);

    [LibraryImport("libc", EntryPoint = "eventfd", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial int EventDescriptor(uint count, int flags);

    [LibraryImport("libc", EntryPoint = "fcntl", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial int SetStatus(int descriptor, int command, int flags);

    [LibraryImport("libc", EntryPoint = "mount", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial int Mount(string source, string target, string type, nuint flags, string data);

    [LibraryImport("libc", EntryPoint = "umount2", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial int Unmount(string target, int flags);

    [LibraryImport("libc", EntryPoint = "chown", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial int ChangeOwner(string path, uint user, uint group);

    [LibraryImport("libc", EntryPoint = "geteuid")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial uint EffectiveUser();

    [LibraryImport("libc", EntryPoint = "getegid")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial uint EffectiveGroup();

    [LibraryImport("libc", EntryPoint = "socketpair", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial int SocketPair(int domain, int type, int protocol, int* descriptors);

    [LibraryImport("libc", EntryPoint = "recvmsg", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial nint ReceiveMessage(int descriptor, Message* message, int flags);

    [LibraryImport("libc", EntryPoint = "sendmsg", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial nint SendMessage(int descriptor, Message* message, int flags);

    /// <summary><c>struct iovec</c>.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Chunk
    {
        public byte* Start;
        public nuint Length;
    }

    /// <summary><c>struct pollfd</c>.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Polled
    {
        public int Descriptor;
        public short Events;
        public short Found;
    }

    /// <summary><c>struct msghdr</c>.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Message
    {
        public void* Name;
        public uint NameLength;
        public Chunk* Chunks;
        public nuint ChunkCount;
        public void* Control;
        public nuint ControlLength;
        public int Flags;
    }
}
