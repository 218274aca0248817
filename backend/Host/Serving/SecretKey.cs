using System.Security.Cryptography;

namespace NzbDav.Host.Serving;

/// <summary>A secret in a file of its own, made by the first process that needs it and readable by its user alone.</summary>
internal static class SecretKey
{
    /// <summary>Random bytes.</summary>
    /// <exception cref="ServerStartException">There is something else in its place.</exception>
    public static byte[] ReadOrMake(string path, int length) => ReadOrMake(path, length, () => RandomNumberGenerator.GetBytes(length));

    /// <summary>Whatever <paramref name="make"/> makes, of <paramref name="length"/> bytes.</summary>
    /// <exception cref="ServerStartException">There is something else in its place.</exception>
    public static byte[] ReadOrMake(string path, int length, Func<byte[]> make)
    {
        if (!File.Exists(path))
            Make(path, make());
        var key = File.ReadAllBytes(path);
        return key.Length == length ? key : throw new ServerStartException($"{path} is damaged: remove it, and links made with it will not work any more.");
    }

    /// <summary>Random bytes in the place of those that are there.</summary>
    public static byte[] Renew(string path, int length)
    {
        var key = RandomNumberGenerator.GetBytes(length);
        File.Move(Write(path, key), path, overwrite: true);
        return key;
    }

    private static void Make(string path, byte[] secret)
    {
        var unfinished = Write(path, secret);

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

    /// <summary>For its user alone: others put their keys beside, with modes of their own.</summary>
    private static void MakeFolder(string folder)
    {
        if (OperatingSystem.IsWindows())
            Directory.CreateDirectory(folder);
        else
            Directory.CreateDirectory(folder, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
    }

    /// <returns>Where it is, beside its place.</returns>
    private static string Write(string path, byte[] secret)
    {
        MakeFolder(Path.GetDirectoryName(path)!);
        var options = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write };
        if (!OperatingSystem.IsWindows())
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        var unfinished = path + "." + Guid.NewGuid().ToString("N");
        using (var file = new FileStream(unfinished, options))
        {
            file.Write(secret);
            file.Flush(flushToDisk: true);
        }

        return unfinished;
    }
}
