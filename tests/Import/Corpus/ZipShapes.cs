using NzbDav.Fakes;
using NzbDav.Fakes.Archives;
using NzbDav.Import.Progress;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.Import.Tests.Corpus;

/// <summary>ZIP archives: in one file, cut, and in parts that name each other.</summary>
internal static class ZipShapes
{
    private static readonly byte[] Film = ServedShapes.Film;
    private static readonly byte[] Note = ServedShapes.Note;

    public static IReadOnlyDictionary<string, Func<PostShape>> Served { get; } =
        new Dictionary<string, Func<PostShape>>(StringComparer.Ordinal)
        {
            ["ZIP, one file"] = () => Zip(new(), _ => ["volume.zip"]),
            ["ZIP, one file, sizes behind the files"] = () => Zip(new() { HasDescriptors = true }, _ => ["volume.zip"]),
            ["ZIP, one file, 64 bits, a comment"] = () => Zip(new() { IsLarge = true, Comment = "posted with care" }, _ => ["volume.zip"]),
            ["ZIP, one file, obfuscated"] = () => Zip(new(), _ => ["volume.zip"]) with { Options = ServedShapes.Obfuscated },
            ["ZIP, .zip.001"] = () => Zip(new() { VolumeSize = 30_000 }, Numbered),
            ["ZIP, .zip.001, in any order"] = () => Zip(new() { VolumeSize = 10_000, HasDescriptors = true }, Numbered) with
            {
                Nzb = new NzbOptions { ShuffleFiles = 4 },
            },
            ["ZIP, .z01"] = () => Zip(new() { VolumeSize = 30_000, IsSpanned = true }, Disks),
            ["ZIP, .z01, in any order"] = () =>
                Zip(new() { VolumeSize = 9_000, IsSpanned = true, HasDescriptors = true, IsLarge = true }, Disks) with
                {
                    Nzb = new NzbOptions { ShuffleFiles = 2 },
                },
            ["ZIP, .z01, obfuscated, recovery data name the parts"] = () =>
                ServedShapes.WithRecovery(Zip(new() { VolumeSize = 30_000, IsSpanned = true }, Disks)),
            ["ZIP, many files"] = () => Files(
                [.. Enumerable.Range(1, 300).Select(i => ($"Show/E{i:000}.srt", SeededBytes.Make(i, 50 + i))), ("Show/E001.mkv", Film)]),
            ["ZIP, names that lead out"] = () => Files(("../../Film.mkv", Film), ("/etc/x.rclonelink", Note)) with
            {
                Expected = ServedShapes.Map(("Film.mkv", Film), ("etc/x.rclonelink.txt", Note)),
            },
            ["RAR5 inside a ZIP"] = () =>
            {
                var volumes = new Rar5Writer { VolumeSize = 40_000 }.Write(new PackedFile("Film.mkv", Film));
                var shape = Files([.. PostShape.Named(volumes, count => VolumeNaming.Part("set", count))]);
                return shape with { Expected = ServedShapes.Map(("Film.mkv", Film)) };
            },
            ["ZIP, a film, compressed notes beside it stay packed"] = () =>
            {
                var zip = new ZipWriter().Write(new PackedFile("Film.mkv", Film), new PackedFile("Film.nfo", Note) { Method = 3 })[0];
                var expected = ServedShapes.Map(("Film.mkv", Film), ("volume.zip", zip));
                return new PostShape { Posted = [("volume.zip", zip)], Expected = expected };
            },
            ["ZIP, compressed, no film"] = () =>
            {
                var zip = new ZipWriter().Write(new PackedFile("Book.pdf", SeededBytes.Make(8, 20_000)) { Method = 3 })[0];
                return new PostShape { Posted = [("Book.zip", zip)], Expected = ServedShapes.Map(("Book.zip", zip)), Category = "books" };
            },
        };

    public static IReadOnlyDictionary<string, Func<PostShape>> Refused { get; } =
        new Dictionary<string, Func<PostShape>>(StringComparer.Ordinal)
        {
            ["ZIP, encrypted"] = () =>
                Zip(new() { IsEncrypted = true }, _ => ["volume.zip"], ImportFailure.Encrypted, "ZIP encrypted: 'Film.2024.1080p.mkv'"),
            ["ZIP, encrypted, .zip.001"] = () =>
                Zip(new() { IsEncrypted = true, VolumeSize = 30_000 }, Numbered, ImportFailure.Encrypted, "ZIP encrypted"),
            ["ZIP, a compressed film"] = () => new PostShape
            {
                Posted = [("volume.zip", new ZipWriter().Write(new PackedFile("Film.mkv", Film) { Method = 3 })[0])],
                Code = ImportFailure.Compressed,
                Says = "ZIP compressed, method Deflate: not streamable.",
            },
            ["ZIP, .z01, the last part is missing"] = () => Without(^1),
            ["ZIP, .z01, a part in the middle is missing"] = () => Without(2),
        };

    private static PostShape Without(Index missing)
    {
        var shape = Zip(new() { VolumeSize = 30_000, IsSpanned = true }, Disks, ImportFailure.MissingVolumes, "ZIP volumes missing");
        var posted = shape.Posted.ToList();
        posted.RemoveAt(missing.GetOffset(posted.Count));
        return shape with { Posted = posted };
    }

    private static PostShape Zip(ZipWriter writer, Func<int, string[]> naming, string? code = null, string says = "")
    {
        var shape = ServedShapes.Archive(writer.Write(ServedShapes.Packed), naming);
        return code is null ? shape : shape with { Expected = ServedShapes.Map(), Code = code, Says = says };
    }

    private static PostShape Files(params (string Name, byte[] Bytes)[] files) => new()
    {
        Posted = [("volume.zip", new ZipWriter().Write([.. files.Select(static file => new PackedFile(file.Name, file.Bytes))])[0])],
        Expected = ServedShapes.Map(files),
    };

    private static string[] Numbered(int count) => VolumeNaming.Numeric("volume.zip", count);

    private static string[] Disks(int count) => [.. Enumerable.Range(1, count).Select(i => i == count ? "volume.zip" : $"volume.z{i:00}")];
}
