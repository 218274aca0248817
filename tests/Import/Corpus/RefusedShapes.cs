using NzbDav.Fakes;
using NzbDav.Fakes.Archives;

namespace NzbDav.Import.Tests;

/// <summary>Posts that must be refused, each with its reason.</summary>
internal static class RefusedShapes
{
    private static readonly byte[] Film = PostShape.Film(1, 150_001);

    public static IReadOnlyDictionary<string, Func<PostShape>> All { get; } = new Dictionary<string, Func<PostShape>>(StringComparer.Ordinal)
    {
        ["RAR5, compressed"] = () => Refused(new Rar5Writer().Write(new PackedFile("Film.mkv", Film) { Method = 3 }), ImportFailure.Compressed, "method m3"),
        ["RAR4, compressed"] = () => Refused(new Rar4Writer { VolumeSize = 40_000 }.Write(new PackedFile("Film.mkv", Film) { Method = 5 }), ImportFailure.Compressed, "method m5"),
        ["RAR5, the film compressed, the rest stored"] = () => Refused(
            new Rar5Writer().Write(new("Film.nfo", SeededBytes.Make(1, 100)), new("Film.mkv", Film) { Method = 1 }), ImportFailure.Compressed, "m1"),
        ["RAR5, encrypted, no password"] = () => Refused(new Rar5Writer { VolumeSize = 40_000, Password = "secret" }.Write(new PackedFile("Film.mkv", Film)), ImportFailure.Encrypted, "encrypted"),
        ["RAR5, headers encrypted, wrong password"] = () => Refused(
            new Rar5Writer { VolumeSize = 40_000, Password = "secret", EncryptHeaders = true }.Write(new PackedFile("Film.mkv", Film)), ImportFailure.Encrypted, "encrypted", "wrong"),
        ["RAR4, encrypted, wrong password"] = () => Refused(
            new Rar4Writer { VolumeSize = 40_000, Password = "secret", EncryptHeaders = true }.Write(new PackedFile("Film.mkv", Film)), ImportFailure.Encrypted, "encrypted", "wrong"),
        ["RAR5, the first volume is missing"] = () => Without(0),
        ["RAR5, a volume in the middle is missing"] = () => Without(2),
        ["RAR5, the last volume is missing"] = () => Without(^1),
        ["no video"] = () => new PostShape { Posted = [("book.epub", SeededBytes.Make(1, 5_000))], Code = ImportFailure.NoVideo, Says = "There is no video in this post" },
    };

    private static PostShape Refused(IReadOnlyList<byte[]> volumes, string code, string says, string? password = null) => new()
    {
        Posted = [.. PostShape.Named(volumes, count => VolumeNaming.Part("volume", count))],
        Code = code,
        Says = says,
        Password = password,
    };

    private static PostShape Without(Index volume)
    {
        var shape = Refused(new Rar5Writer { VolumeSize = 30_000 }.Write(new PackedFile("Film.mkv", Film)), ImportFailure.MissingVolumes, "volume");
        var posted = shape.Posted.ToList();
        posted.RemoveAt(volume.GetOffset(posted.Count));
        return shape with { Posted = posted };
    }
}
