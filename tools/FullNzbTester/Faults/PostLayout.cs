using NzbDav.FullNzbTester.Findings;
using NzbDav.MockUsenet.Archives;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.FullNzbTester.Faults;

/// <summary>How a film is packed before it is posted.</summary>
/// <param name="Name">Its name on the command line and in the table.</param>
/// <param name="Password">The password in the .nzb; null for none.</param>
/// <param name="Pack">Returns names and bytes of the files to post.</param>
internal sealed record PostLayout(string Name, string? Password, Func<byte[], IEnumerable<(string Name, byte[] Bytes)>> Pack)
{
    /// <summary>The film's name in the server's tree.</summary>
    private const string Film = "film.mkv";

    private const string Secret = "sécret";

    /// <summary>Approximate number of volumes of a set; each has at least 1 MiB.</summary>
    private const int Volumes = 12;

    /// <summary>All layouts.</summary>
    public static IReadOnlyList<PostLayout> All { get; } =
    [
        new("plain", null, film => [(Film, film)]),
        new("RAR5", null, film => Rar(film, null)),
        new("AES", Secret, film => Rar(film, Secret)),
        new("7z", null,
            film => StoredSevenZip.Pack(Film, film, VolumeSize(film)).Select((bytes, index) => ($"set.7z.{index + 1:000}", bytes))),
    ];

    /// <summary>Posts a film.</summary>
    /// <param name="store">Receives it.</param>
    /// <param name="film">Its bytes.</param>
    /// <param name="articleSize">Bytes of each article but a file's last.</param>
    /// <returns>The .nzb.</returns>
    public byte[] Post(ArticleStore store, byte[] film, int articleSize)
    {
        var files = store.AddPost([.. Pack(film).Select(file => (file.Name, (IArticleSource)new MemorySource(file.Bytes)))],
            new PostOptions { ArticleSize = articleSize });
        return NzbWriter.ToBytes(files, new NzbOptions { Meta = Password is null ? [] : [new("password", Password)] });
    }

    private static IEnumerable<(string Name, byte[] Bytes)> Rar(byte[] film, string? password) =>
        StoredRar.Pack(Film, film, VolumeSize(film), password).Select((bytes, index) => ($"set.part{index + 1:00}.rar", bytes));

    private static int VolumeSize(byte[] film) => Math.Max((int)Units.MiB, film.Length / Volumes);
}
