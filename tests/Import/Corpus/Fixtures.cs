using System.IO.Compression;
using NzbDav.Archives.Tests;

namespace NzbDav.Import.Tests.Corpus;

/// <summary>
/// Archives and disc images that the real programs wrote from the files in <see cref="Sources"/>; described where they are kept.
/// </summary>
internal static class Fixtures
{
    /// <summary>The fixtures of one name, in order: the volumes of a set.</summary>
    public static IReadOnlyList<(string Name, byte[] Bytes)> Of(string name)
    {
        var paths = Directory.GetFiles(Path.Combine(AppContext.BaseDirectory, "Fixtures"), name + ".*");
        Assert.NotEmpty(paths);
        return [.. paths.Order(StringComparer.Ordinal).Select(path => (Path.GetFileName(path), File.ReadAllBytes(path)))];
    }

    /// <summary>A disc image, unpacked.</summary>
    public static byte[] Disc(string name)
    {
        using var unpacked = new GZipStream(new MemoryStream(Of(name)[0].Bytes), CompressionMode.Decompress);
        using var image = new MemoryStream();
        unpacked.CopyTo(image);
        return image.ToArray();
    }
}
