using System.Runtime.InteropServices;

namespace NzbDav.Library.Tests.Export;

/// <summary>link(2), to measure what hard links would save.</summary>
internal static partial class HardLink
{
    [LibraryImport("libc", EntryPoint = "link", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial int Make(string source, string target);
}
