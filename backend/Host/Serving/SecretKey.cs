using System.Security.Cryptography;

namespace NzbDav.Host.Serving;

/// <summary>A secret in a file of its own, created by the first process that needs it and readable only by its user.</summary>
internal static class SecretKey
{
    /// <summary>Reads a key, or creates one of random bytes.</summary>
    /// <exception cref="ServerStartException">The file holds something else.</exception>
    public static byte[] ReadOrMake(string path, int length) => ReadOrMake(path, length, () => RandomNumberGenerator.GetBytes(length));

    /// <summary>Reads a key of <paramref name="length"/> bytes, or creates it with <paramref name="make"/>.</summary>
    /// <exception cref="ServerStartException">The file holds something else.</exception>
    public static byte[] ReadOrMake(string path, int length, Func<byte[]> make)
    {
        if (!File.Exists(path))
            Make(path, make());
        var key = File.ReadAllBytes(path);
        return key.Length == length ? key : throw new ServerStartException(
            $"{path} is damaged. Remove it to get a new key; links signed with the old one will stop working.");
    }

    /// <summary>Stores a key in place of the one that is there.</summary>
    public static void Put(string path, byte[] key) => File.Move(Write(path, key), path, overwrite: true);

    private static void Make(string path, byte[] secret)
    {
        var unfinished = Write(path, secret);

        // If another process has created the key first, its key counts.
        try
        {
            File.Move(unfinished, path, overwrite: false);
        }
        catch (IOException) when (File.Exists(path))
        {
            File.Delete(unfinished);
        }
    }

    /// <summary>Creates the folder, for its user alone. Other code stores keys there too, with modes of its own.</summary>
    private static void MakeFolder(string folder)
    {
        if (OperatingSystem.IsWindows())
            Directory.CreateDirectory(folder);
        else
            Directory.CreateDirectory(folder, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
    }

    /// <returns>The path of a temporary file beside the final one.</returns>
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
