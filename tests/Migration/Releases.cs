using NzbDav.Migration.Tests.Fixtures;
using NzbDav.Migration.Titles;

namespace NzbDav.Migration.Tests;

/// <summary>Reads libraries and makes small ones.</summary>
internal static class Releases
{
    /// <summary>A posted file with a number of articles.</summary>
    public static FixturePart Part(string name, int articles, long size, long start = 0, long? end = null) =>
        new([.. Enumerable.Range(1, articles).Select(number => $"{name}.{number}@example.com")], size, start, end ?? size);

    /// <summary>A file posted as it is.</summary>
    public static FixtureFile Plain(string name, int articles = 3, long size = 2000) => new(name, size, [Part(name, articles, size)]);

    public static List<OldTitle> Read(OldProduct product, string folder)
    {
        using var library = OldLibraries.Open(product, folder);
        return [.. library.ReadTitles(CancellationToken.None)];
    }

    public static string Text(OldTitle title)
    {
        using var reader = new StreamReader(title.OpenNzb!());
        return reader.ReadToEnd();
    }

    /// <summary>The error message for a library that cannot be read.</summary>
    public static string Refusal(OldProduct product, string folder) =>
        Assert.Throws<MigrationException>(() => Read(product, folder)).Message;
}
