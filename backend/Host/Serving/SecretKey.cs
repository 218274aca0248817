using System.Security.Cryptography;

namespace NzbDav.Host.Serving;

/// <summary>A random key in a file of its own, made by the first process that needs it and readable by its user alone.</summary>
internal static class SecretKey
{
    /// <exception cref="ServerStartException">There is something else in its place.</exception>
    public static byte[] ReadOrMake(string path, int length)
    {
        if (!File.Exists(path))
            Make(path, length);
        var key = File.ReadAllBytes(path);
        return key.Length == length ? key : throw new ServerStartException($"{path} is damaged: remove it, and links made with it will not work any more.");
    }

    private static void Make(string path, int length)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        var options = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write };
        if (!OperatingSystem.IsWindows())
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        var unfinished = path + "." + Guid.NewGuid().ToString("N");
        using (var file = new FileStream(unfinished, options))
        {
            file.Write(RandomNumberGenerator.GetBytes(length));
            file.Flush(flushToDisk: true);
        }

        // Another process may have been first: then its key counts.
        try
        {
            File.Move(unfinished, path, overwrite: false);
        }
        catch (IOException) when (File.Exists(path))
        {
            File.Delete(unfinished);
        }
    }
}
