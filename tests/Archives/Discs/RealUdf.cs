using System.Runtime.InteropServices;
using NzbDav.Fakes;

namespace NzbDav.Archives.Tests.Discs;

/// <summary>Has libudfread, the Blu-ray players' reader, read what the builder wrote. Skips the test where it is not installed.</summary>
internal static class RealUdf
{
    private delegate nint Init();

    private delegate int Open(nint udf, [MarshalAs(UnmanagedType.LPUTF8Str)] string path);

    private delegate nint OpenFile(nint udf, [MarshalAs(UnmanagedType.LPUTF8Str)] string path);

    private delegate long FileSize(nint file);

    private delegate long FileRead(nint file, byte[] buffer, nuint count);

    private delegate void Close(nint handle);

    public static void Read(byte[] image, IReadOnlyDictionary<string, byte[]> sources)
    {
        if (!NativeLibrary.TryLoad("libudfread.so.0", out var library))
        {
            Needs.Skip("libudfread0 is not installed.");
            return;
        }

        var path = Path.GetTempFileName();
        T Function<T>(string name) => Marshal.GetDelegateForFunctionPointer<T>(NativeLibrary.GetExport(library, name));
        var udf = Function<Init>("udfread_init")();
        try
        {
            File.WriteAllBytes(path, image);
            Assert.Equal(0, Function<Open>("udfread_open")(udf, path));
            foreach (var (name, bytes) in sources)
            {
                var file = Function<OpenFile>("udfread_file_open")(udf, "/" + name);
                Assert.True(file != 0, name);
                Assert.Equal(bytes.Length, Function<FileSize>("udfread_file_size")(file));
                var read = new byte[bytes.Length];
                var filled = 0L;
                for (var count = 1L; filled < read.Length && count > 0; filled += count)
                {
                    var part = new byte[read.Length - filled];
                    count = Function<FileRead>("udfread_file_read")(file, part, (nuint)part.Length);
                    part.AsSpan(0, (int)Math.Max(0, count)).CopyTo(read.AsSpan((int)filled));
                }

                Assert.Equal(bytes, read);
                Function<Close>("udfread_file_close")(file);
            }
        }
        finally
        {
            Function<Close>("udfread_close")(udf);
            File.Delete(path);
        }
    }
}
